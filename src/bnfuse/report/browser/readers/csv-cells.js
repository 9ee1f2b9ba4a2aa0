// The cells of a CSV file, with the numbers of their lines, whatever the separator: by the rules of Python's csv
// module.
import { ReadingError, counted } from "./reading-error.js";

const SPACED = /^(?:"?from"? +"?to"?|"?source"? +"?target"?|"?parent"? +"?child"?)(?: |\r|$)/i;
const LONGEST_ROW = 1 << 22; // characters
const LONGEST_CELL = 131_072;
const MOST_LINES = 5_000_000;

function separatorOf(text) {
  const [first] = text.replace(/^[\r\n]+/, "").split("\n", 1);
  if (SPACED.test(first)) return " ";
  const counts = [",", ";", "\t"].map((sign) => [sign, first.split(sign).length]);
  return counts.reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

// The lines that are not empty, the header first: { line, cells }.
export function linesOf(text, path) {
  const reader = new CellReader(text, path, separatorOf(text));
  const lines = [];
  for (let row = reader.next(); row; row = reader.next()) {
    if (row.length) lines.push({ line: reader.line, cells: row });
    if (lines.length > MOST_LINES) throw new ReadingError(path, `has more than ${counted(MOST_LINES)} lines: too large to be read`);
  }
  if (!lines.length) throw new ReadingError(path, "is empty");
  return lines;
}

class CellReader {
  constructor(text, path, separator) {
    Object.assign(this, { text, path, separator, at: 0, line: 0 });
  }

  invalid(problem) {
    return new ReadingError(this.path, `is not valid CSV: ${problem}`, this.line);
  }

  // The next line, with the sign that ends it; quotes can extend a row over many lines.
  physical() {
    if (this.at >= this.text.length) return null;
    let end = this.at;
    while (end < this.text.length && this.text[end] !== "\n" && this.text[end] !== "\r") end++;
    if (end < this.text.length) end += this.text.startsWith("\r\n", end) ? 2 : 1;
    const line = this.text.slice(this.at, end);
    this.taken += line.length;
    if (this.taken > LONGEST_ROW) {
      throw new ReadingError(this.path, `a row has more than ${counted(LONGEST_ROW)} characters`, this.line + 1);
    }
    this.at = end;
    this.line++;
    return line;
  }

  // The cells of the next row: null at the end, and an empty list for an empty line.
  next() {
    Object.assign(this, { cells: [], cell: "", state: "start of row", taken: 0 });
    do {
      const line = this.physical();
      if (line === null) {
        if (this.state === "start of row") return null;
        if (this.state === "quoted") throw this.invalid("unexpected end of data");
        break;
      }
      this.takeLine(line);
    } while (this.state === "quoted");
    return this.cells;
  }

  takeLine(line) {
    let i = 0;
    while (i < line.length) {
      if (this.state === "quoted") i = this.takeQuoted(line, i);
      else if (this.state === "plain") i = this.takePlain(line, i);
      else this.takeSign(line[i++]);
    }
    if (this.state !== "quoted") this.takeSign("\n");
  }

  // A run of ordinary characters.
  takePlain(line, start) {
    let i = start;
    while (i < line.length && line[i] !== this.separator && line[i] !== "\n" && line[i] !== "\r") i++;
    this.add(line.slice(start, i));
    if (i < line.length) this.takeSign(line[i++]);
    return i;
  }

  takeQuoted(line, start) {
    const end = line.indexOf('"', start);
    this.add(line.slice(start, end < 0 ? line.length : end));
    if (end < 0) return line.length;
    this.state = "quote in quoted";
    return end + 1;
  }

  add(text) {
    this.cell += text;
    if (this.cell.length > LONGEST_CELL) throw this.invalid(`field larger than field limit (${LONGEST_CELL})`);
  }

  save(state) {
    this.cells.push(this.cell);
    this.cell = "";
    this.state = state;
  }

  takeSign(sign) {
    const isEnd = sign === "\n" || sign === "\r";
    if (this.state === "end of row") return;
    if (this.state === "start of row" && isEnd) this.state = "end of row";
    else if (this.state === "start of row" || this.state === "start of cell") {
      if (isEnd) this.save("end of row");
      else if (sign === '"') this.state = "quoted";
      else if (sign === " ") this.state = "start of cell"; // even where spaces separate
      else if (sign === this.separator) this.save("start of cell");
      else {
        this.add(sign);
        this.state = "plain";
      }
    } else if (this.state === "plain") {
      if (isEnd) this.save("end of row");
      else if (sign === this.separator) this.save("start of cell");
      else this.add(sign);
    } else if (sign === '"') {
      this.add(sign);
      this.state = "quoted";
    } else if (sign === this.separator) this.save("start of cell");
    else if (isEnd) this.save("end of row");
    else throw this.invalid(`'${this.separator}' expected after '"'`);
  }
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?$/;

export const numberIn = (cell) => (NUMBER.test(cell) ? Number(cell) : null);
