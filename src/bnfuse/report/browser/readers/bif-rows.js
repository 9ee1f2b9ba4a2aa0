// The rows of one probability block of a BIF file.
import { labelsIn } from "./bif-words.js";
import { counted, quoted, rounded } from "./reading-error.js";
import { stripped, wordsOf } from "./spaces.js";
import { MOST_FILLED, configuration, firstBad, isNumber, shownRow, tableSize } from "./table-checks.js";

const NUMERIC = /[-+.\deE, \t-\r]*/y;
const BOUND = "[-+]?(?:\\d+(?:\\.\\d*)?(?:[eE][-+]?\\d+)?|Inf)";
const INTERVAL = new RegExp(`[\\[(][ \\t-\\r]*${BOUND}[ \\t-\\r]*,[ \\t-\\r]*${BOUND}[ \\t-\\r]*[\\])]`, "y");
const KEYWORD = /table|default/y;
const VALUE = /[^ \t-\r,;}]+|[;}]/g;

function matchAt(pattern, text, place, limit) {
  pattern.lastIndex = place;
  const found = pattern.exec(text);
  return found && place + found[0].length <= limit ? found[0] : null;
}

// file: the BifText, with its `variables` and how many numbers were `filled`; block: { headerStart, rowsStart, rowsEnd }.
export class BifRows {
  constructor(file, block, variable, parents) {
    Object.assign(this, { file, block, variable, parents, place: block.headerStart });
    this.states = parents.map((parent) => file.variables.get(parent).labels);
    this.numbering = this.states.map((labels) => new Map(labels.map((label, i) => [label, i])));
    this.count = file.variables.get(variable).labels.length;
    this.numbers = []; // the rows, in the order of the file
    this.rows = new Map(); // parent configurations in the same order, and their positions
    this.table = null;
    this.default = null;
  }

  read() {
    const { text } = this.file;
    const end = this.block.rowsEnd;
    let place = this.block.rowsStart;
    for (let row = this.rowAt(place, end + 1); row; row = this.rowAt(place, end + 1)) {
      place = row.end;
      if (row.labels !== undefined) this.addRow(row);
      else if (row.keyword) this.addWhole(row);
    }
    if (stripped(text.slice(place, end))) throw this.unexpected(place);
    return this.definition();
  }

  // The next row, or null if there is none. The closing bracket may end the last one.
  rowAt(place, limit) {
    const { file } = this;
    const start = file.skip(place, limit);
    const keyword = matchAt(KEYWORD, file.text, start, limit);
    const labelsEnd = file.text[start] === "(" ? this.labelsEnd(start + 1, limit) : -1;
    if (keyword || labelsEnd >= 0) {
      const numbersStart = keyword ? start + keyword.length : labelsEnd + 1;
      NUMERIC.lastIndex = numbersStart;
      NUMERIC.test(file.text);
      const end = Math.min(NUMERIC.lastIndex, limit);
      const numbers = file.text.slice(numbersStart, end);
      const isEnded = end < limit && (file.text[end] === ";" || file.text[end] === "}");
      if (isEnded) {
        const next = file.text[end] === ";" ? end + 1 : end;
        const row = { start: place, numbers, numbersStart, end: next };
        return keyword ? { ...row, keyword, wordStart: start } : { ...row, labels: file.text.slice(start + 1, labelsEnd), labelsStart: start + 1 };
      }
    }
    const end = file.propertyEnd(start, limit);
    return end < 0 ? null : { end };
  }

  // Where the labels of a row end: at the closing bracket that is not one of an interval.
  labelsEnd(place, limit) {
    const { text } = this.file;
    while (place < limit) {
      const sign = text[place];
      if (sign === ")") return place;
      if (sign === '"') {
        const end = this.file.quotedEnd(place, limit);
        if (end < 0) return -1;
        place = end;
      } else if (sign === "[" || sign === "(") {
        const interval = matchAt(INTERVAL, text, place, limit);
        if (!interval && sign === "(") return -1;
        place += interval ? interval.length : 1;
      } else place++;
    }
    return -1;
  }

  addRow(row) {
    const configured = this.configurationOf(row);
    if (this.rows.has(configured)) throw this.file.error(`${this.shown(configured)} is given twice`, row.labelsStart);
    this.rows.set(configured, row.labelsStart);
    this.extend(this.numbers, row, this.count);
  }

  addWhole(row) {
    const { keyword } = row;
    if (this[keyword] !== null) throw this.problem(`a second ${quoted(keyword)}`, row.wordStart);
    this[keyword] = [];
    this.extend(this[keyword], row, keyword === "table" ? this.size(this.file.text.length, row.wordStart) : this.count);
  }

  configurationOf({ labels: text, labelsStart }) {
    let labels = text.split(", ");
    if (labels.length !== this.parents.length || /["[(]/.test(text)) labels = labelsIn(text, this.parents.length);
    if (labels.length !== this.parents.length || !labels.length) {
      const problem = `expected the states of ${counted(this.parents.length)} parents, got ${counted(labels.length)}`;
      throw this.problem(problem, labelsStart);
    }
    let number = 0;
    labels.forEach((label, i) => {
      const position = this.numbering[i].get(label) ?? this.numbering[i].get(stripped(label));
      if (position === undefined) {
        const found = text.indexOf(label);
        throw this.problem(`${quoted(this.parents[i])} has no state ${quoted(label)}`, labelsStart + Math.max(found, 0));
      }
      number = number * this.numbering[i].size + position;
    });
    return number;
  }

  // Add the numbers of a row, checking their number.
  extend(numbers, row, count) {
    const words = wordsOf(row.numbers.replaceAll(",", " "));
    if (words.length !== count) {
      const got = words.length <= count ? counted(words.length) : "more";
      throw this.problem(`expected ${counted(count)} numbers, got ${got}`, row.numbersStart);
    }
    for (const word of words) {
      if (!isNumber(word)) throw this.unexpected(row.start);
      numbers.push(Number(word));
    }
  }

  definition() {
    const { parents, place, count } = this;
    if (this.table) {
      if (this.rows.size || this.default) throw this.problem("a table and rows at the same time", place);
      return { parents, numbers: this.checked(this.table, null), place, isWhole: true };
    }
    const own = this.checked(this.numbers, this.rows);
    let table;
    if (!this.default) {
      this.checkComplete();
      table = new Float64Array(own.length);
    } else {
      const size = this.size(MOST_FILLED - this.file.filled, place);
      this.file.filled += size;
      const row = this.checked(this.default, null);
      table = new Float64Array(size);
      for (let i = 0; i < size; i++) table[i] = row[i % count];
    }
    [...this.rows.keys()].forEach((to, from) => {
      for (let i = 0; i < count; i++) table[to * count + i] = own[from * count + i];
    });
    return { parents, numbers: table, place, isWhole: false, rows: () => this.rows };
  }

  // Every parent configuration has its row. As no row occurs twice, counting them is enough.
  checkComplete() {
    const needed = this.size(this.file.text.length, this.place) / this.count;
    if (this.rows.size >= needed) return;
    let missing = 0;
    while (this.rows.has(missing)) missing++;
    throw this.file.error(`${this.shown(missing)} is missing`, this.place);
  }

  checked(numbers, rows) {
    const bad = firstBad(numbers);
    if (bad < 0) return numbers;
    const place = rows ? [...rows.values()][Math.floor(bad / this.count)] : this.place;
    throw this.problem(`${rounded(numbers[bad], 6)} is not a probability`, place);
  }

  size(most, place) {
    return tableSize(this.file, this.variable, [...this.states.map((labels) => labels.length), this.count], most, place);
  }

  shown(number) {
    return shownRow(this.variable, this.parents, configuration(this.states, number));
  }

  problem(text, place) {
    return this.file.error(`probabilities of ${quoted(this.variable)}: ${text}`, place);
  }

  // The error for a row that cannot be read: the word that is not a number, or the whole row.
  unexpected(place) {
    const { file } = this;
    const start = file.skip(place);
    const keyword = matchAt(KEYWORD, file.text, start, file.text.length);
    const labelsEnd = file.text[start] === "(" ? this.labelsEnd(start + 1, file.text.length) : -1;
    if (keyword || labelsEnd >= 0) {
      VALUE.lastIndex = keyword ? start + keyword.length : labelsEnd + 1;
      for (let word = VALUE.exec(file.text); word && !";}".includes(word[0]); word = VALUE.exec(file.text)) {
        if (!isNumber(word[0])) return file.unexpected(`a number for ${quoted(this.variable)}`, word.index);
      }
    }
    return file.unexpected("a row: '(labels) numbers;', 'table numbers;' or 'default numbers;'", place);
  }
}
