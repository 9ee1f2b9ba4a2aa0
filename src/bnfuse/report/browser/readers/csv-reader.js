// CSV: edge lists, and matrices of 0 and 1. files/edge_list.py and files/matrix.py describe the formats.
import { CycleError, checkedArcs, checkNames } from "./acyclic.js";
import { linesOf, numberIn } from "./csv-cells.js";
import { ContentError, ReadingError, counted, quoted, shortened } from "./reading-error.js";
import { stripped } from "./spaces.js";

const OTHER_HEADERS = [["source", "target"], ["parent", "child"]];
const STRENGTHS = "direction strength";
const VOTES = new Set([STRENGTHS, "count of", "probability"]);
const CLASSES = ["class_direction", "free"];
const NAMES_COLUMNS = new Set(["network", "variable", "name", "state", "becomes", "why"]);
const SHOWN = 3; // columns of a file that is something else
const ASCII = { isAscii: true };

export function readCsv(text, path, warn) {
  try {
    return [read(text, path, warn)];
  } catch (error) {
    if (error instanceof CycleError) {
      throw new ReadingError(path, `${error.message}; to read them as votes for arcs, use the installed program: bnfuse consensus --cyclic votes ${path}`);
    }
    if (error instanceof ContentError) throw new ReadingError(path, error.message);
    throw error;
  }
}

function read(text, path, warn) {
  const lines = linesOf(text, path);
  const header = lines[0].cells.map((name) => stripped(name));
  const lowered = renamed(header.map((name) => name.toLowerCase()));
  if (isHeader(lowered.slice(-2)) && lowered.length >= 2 && header.length <= 3) return fromArcs(lines, path, header.length === 3);
  const columns = lowered[0] === "" ? lowered.slice(1) : lowered;
  if (isHeader(columns.slice(0, 2)) && columns.length === 3 && columns[2] === "type") {
    return fromTyped(withoutRowNames(lines, 3, path), path);
  }
  if (isHeader(columns.slice(0, 2)) && areVotes(columns)) {
    withoutRowNames(lines, columns.length, path);
    throw needsProgram(path, "votes for arcs");
  }
  if (hasOnlyArcs(lines)) {
    const found = acyclic(lines);
    if (found) {
      warn(`${path}: has no header; each line is read as an arc, from,to`);
      return found;
    }
  }
  if (isMatrix(header, lines.slice(1))) return fromMatrix(header, lines.slice(1), path);
  if (lowered.includes("from") && lowered.includes("to")) {
    const expected = "expected the header from,to, and after it none, type, strength,direction, probability or count,of; ";
    throw new ReadingError(path, `${expected}got ${quoted(header.join(","), { ...ASCII, most: 60 })}`, 1);
  }
  throw new ReadingError(path, somethingElse(header, lines.slice(1), path), 1);
}

const isHeader = ([one, other]) => one === "from" && other === "to";

// The names of columns, with standard names for the two ends of an arc.
function renamed(lowered) {
  for (const [one, other] of OTHER_HEADERS) {
    const i = lowered.findIndex((name, place) => name === one && lowered[place + 1] === other);
    if (i >= 0) return [...lowered.slice(0, i), "from", "to", ...lowered.slice(i + 2)];
  }
  return lowered;
}

function areVotes(columns) {
  let values = columns.map((column) => (column === "votes" ? "count" : column)).filter((one) => !["from", "to", "networks"].includes(one));
  if (values.includes("strength") && values.includes("direction")) values = values.filter((one) => !CLASSES.includes(one));
  return new Set(columns).size === columns.length && VOTES.has([...new Set(values)].sort().join(" "));
}

const needsProgram = (path, what) =>
  new ReadingError(path, `holds ${what}, which this page does not read; the installed program does: bnfuse consensus ${path}`);

// Whether lines without a header can only be arcs: rows of data repeat, and their first line does not.
function hasOnlyArcs(lines) {
  const rows = lines.map(({ cells }) => cells.map((cell) => stripped(cell)));
  if (rows.some((row) => row.length !== 2 || !row.every(Boolean) || row[0] === row[1])) return false;
  const pairs = new Set(rows.map((row) => JSON.stringify([...row].sort())));
  const later = new Set(rows.slice(1).flat());
  const hasNumbers = rows.flat().some((cell) => numberIn(cell) !== null);
  return pairs.size === rows.length && !hasNumbers && rows[0].some((name) => later.has(name));
}

function acyclic(lines) {
  try {
    const arcs = lines.map(({ cells }) => cells.map((cell) => stripped(cell)));
    return structure([...new Set(arcs.flat())], arcs);
  } catch (error) {
    if (error instanceof CycleError) return null;
    throw error;
  }
}

const structure = (variables, pairs) => ({
  name: "",
  variables,
  arcs: checkedArcs(variables, pairs),
  states: null,
  tables: null,
  isEdgeList: true,
});

// The lines under a header with this number of columns. R writes row names before them, with or without a header.
function withoutRowNames(lines, width, path) {
  const below = lines.slice(1);
  const isNamed = lines[0].cells.length > width || (below.length > 0 && below.every(({ cells }) => cells.length === width + 1));
  const rows = below.map(({ line, cells }) => ({ line, cells: isNamed ? cells.slice(1) : cells }));
  for (const { line, cells } of rows) {
    if (cells.length !== width) throw new ReadingError(path, `expected ${width} cells, got ${cells.length}`, line);
  }
  return rows;
}

function checkPair(source, target, path, line) {
  if (!source) throw new ReadingError(path, "the name in 'from' is empty", line);
  if (source === target) throw new ReadingError(path, `arc ${source} -> ${target}: a variable cannot be its own parent`, line);
}

// The content of an edge list; if it is numbered, the first cell of each line is the name of a row.
function fromArcs(lines, path, hasRowNames) {
  const below = lines.slice(1);
  const first = below.filter(({ cells }) => cells.length === 3).map(({ cells }) => cells[0]);
  const isNumbered = hasRowNames || (first.length === below.length && first.every((cell, i) => cell === String(i + 1)));
  const [variables, arcs] = [new Set(), []];
  for (const { line, cells } of below) {
    const pair = isNumbered ? cells.slice(1) : cells;
    if (pair.length !== 2) throw new ReadingError(path, `expected two names (from, to), got ${pair.length}`, line);
    checkPair(...pair, path, line);
    variables.add(pair[0]);
    if (pair[1]) {
      variables.add(pair[1]);
      arcs.push(pair);
    }
  }
  if (!variables.size) throw new ReadingError(path, "has no arcs; name variables without arcs with an empty 'to'");
  return structure([...variables], arcs);
}

const UNFIT = new Map([
  ["<->", "a hidden common cause, which a DAG cannot represent; add the cause as a variable, or leave the edge out"],
  ["o", "an end that may or may not be an arrowhead (as in a PAG), which a DAG cannot represent; give it a direction"],
]);

function fromTyped(rows, path) {
  const [variables, arcs] = [new Set(), []];
  let hasEdges = false;
  for (const { line, cells: [source, target, kind] } of rows) {
    checkPair(source, target, path, line);
    variables.add(source);
    if (!target) continue;
    variables.add(target);
    const mark = stripped(kind) || "?";
    if (mark !== "-->" && mark !== "---") {
      const problem = UNFIT.get(mark.includes("o") ? "o" : mark) || "an unknown kind of edge; expected --> or ---";
      throw new ReadingError(path, `${source} ${shortened(mark, 20)} ${target}: ${problem}`, line);
    }
    hasEdges ||= mark === "---";
    arcs.push([source, target]);
  }
  if (!variables.size) throw new ReadingError(path, "has no arcs; name variables without arcs with an empty 'to'");
  if (hasEdges) throw needsProgram(path, "edges without a direction");
  return structure([...variables], arcs);
}

// Whether the first cells of the lines are the names in the header, which may have a cell above them.
function isMatrix(header, lines) {
  const names = lines.map(({ cells }) => stripped(cells[0])).sort().join("\0");
  const isThere = (own) => own.length === lines.length && [...own].sort().join("\0") === names;
  return lines.length > 0 && (isThere(header) || isThere(header.slice(1)));
}

function fromMatrix(header, lines, path) {
  const names = header.slice(header.length - lines.length);
  const pairs = [];
  let hasShares = false;
  for (const { line, cells: given } of lines) {
    const [source, ...cells] = given.map((cell) => stripped(cell));
    if (cells.length !== names.length) {
      throw new ReadingError(path, `expected ${names.length} numbers after the name, got ${cells.length}`, line);
    }
    cells.forEach((cell, i) => {
      const value = numberIn(cell);
      if (value === null || !(value >= 0 && value <= 1)) {
        const shown = quoted(cell, { ...ASCII, most: 60 });
        throw new ReadingError(path, `a matrix may contain only 0 and 1, or probabilities between them, got ${shown}`, line);
      }
      if (value === 1) pairs.push([source, names[i]]);
      else hasShares ||= value !== 0;
    });
  }
  checkNames(names);
  if (hasShares) throw needsProgram(path, "probabilities of arcs");
  return structure(names, pairs);
}

// The message about a file that is neither: usually it holds data.
function somethingElse(header, lines, path) {
  const isOfNames = header.includes("variable") && header.includes("name") && header.every((name) => NAMES_COLUMNS.has(name));
  if (isOfNames) return "is a table of names, as bnfuse align writes it, not a network; the option --names of the installed program takes it";
  const isTable = header.length > 1 && lines.length > 0;
  if (isTable && lines.every(({ cells }) => cells.length === header.length || cells.length === header.length + 1)) {
    const more = header.length > SHOWN ? ` and ${counted(header.length - SHOWN)} more` : "";
    const shown = shortened(header.slice(0, SHOWN).map((name) => quoted(name, ASCII)).join(", ") + more, 90);
    return (
      `looks like data (columns ${shown}), not like a network; learning from data needs the installed program: ` +
      `bnfuse bootstrap ${path} learns networks from it and finds their consensus; an edge list starts with from,to`
    );
  }
  const got = quoted(header.join(","), { ...ASCII, most: 60 });
  return `expected the header from,to of an edge list, or an adjacency matrix; got ${got}`;
}
