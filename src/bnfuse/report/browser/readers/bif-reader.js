// BIF: files/bif.py describes the format.
import { BifRows } from "./bif-rows.js";
import { BifText, quotedEnd } from "./bif-scanner.js";
import { groupsIn, labelsIn } from "./bif-words.js";
import { ReadingError, counted, quoted } from "./reading-error.js";
import { stripped } from "./spaces.js";
import { asMark, networkOf, unescaped } from "./table-checks.js";

const GAP = /[ \t-\r,;|]*/y;
const BLOCK = /(?:network|variable|probability)(?![^ \t-\r("])/y;
const TYPE = /type[ \t-\r]+discrete[ \t-\r]*\[[ \t-\r]*(\d{1,9})[ \t-\r]*\][ \t-\r]*\{/y;
const UNNAMED = "unknown";

export function readBif(text, path, warn) {
  const file = Object.assign(new BifText(text, path), { name: null, marks: new Set(), variables: new Map(), filled: 0 });
  const blocks = []; // of probabilities: read last, since their variables may be declared after them
  let place = file.text.startsWith("\ufeff") ? 1 : 0;
  for (;;) {
    GAP.lastIndex = place;
    GAP.test(file.text);
    place = BLOCK.lastIndex = GAP.lastIndex;
    if (place === file.text.length) break;
    const [keyword] = BLOCK.exec(file.text) || [];
    const property = keyword ? -1 : file.propertyEnd(place);
    if (!keyword && property < 0) throw file.unexpected("a network, variable or probability block", place);
    const start = keyword ? file.skip(place + keyword.length) : property;
    if (keyword === "network") place = readBanner(file, start);
    else if (keyword === "variable") place = readVariable(file, start);
    else if (keyword === "probability") {
      blocks.push(probabilityBlock(file, start));
      place = blocks.at(-1).end;
    } else place = property;
  }
  if (file.name === null && !file.variables.size) {
    throw new ReadingError(path, "not a BIF file: it has no network and no variable blocks");
  }
  const definitions = new Map();
  for (const block of blocks) readDefinition(file, block, definitions);
  return [networkOf(file, file.name || "", file.variables, definitions, { marks: file.marks, childSlowest: true, warn })];
}

function probabilityBlock(file, place) {
  const { text } = file;
  const headerStart = text[place] === "(" ? file.skip(place + 1) : -1;
  const headerEnd = headerStart < 0 ? -1 : file.spanEnd(headerStart, "(){};");
  const opening = headerEnd >= 0 && text[headerEnd] === ")" ? file.skip(headerEnd + 1) : -1;
  const rowsEnd = opening >= 0 && text[opening] === "{" ? file.rowsEnd(opening + 1) : -1;
  if (rowsEnd < 0 || text[rowsEnd] !== "}") {
    throw file.error("expected '( variable | parents ) { rows }': a bracket is missing or too many", place);
  }
  return { headerStart, header: text.slice(headerStart, headerEnd), rowsStart: opening + 1, rowsEnd, end: rowsEnd + 1 };
}

function readBanner(file, start) {
  const [name, opened] = readName(file, start, "network");
  if (file.name !== null) throw file.error("a second network block; a BIF file holds one network", opened);
  file.name = name;
  for (let place = opened; ; ) {
    const found = statementAt(file, place, "a property or '}'", false);
    place = found.end;
    if (found.isEnd) return place;
    file.marks.add(asMark(found.property.slice("property".length, -1)));
  }
}

function readVariable(file, start) {
  const [name, opened] = readName(file, start, "variable");
  if (!name) throw file.unexpected("the name of a variable", start);
  if (file.variables.has(name)) throw file.error(`variable ${quoted(name)} is declared twice`, start);
  let labels = null;
  for (let place = opened; ; ) {
    const found = statementAt(file, place, "'type discrete [ number ] { labels };' or '}'", true);
    place = found.end;
    if (found.isEnd) {
      if (!labels) throw file.error(`variable ${quoted(name)} has no states`, start);
      file.variables.set(name, { labels, place: start });
      return place;
    }
    if (found.count !== undefined) {
      if (labels) throw file.error(`variable ${quoted(name)} has a second type`, found.countStart);
      labels = readLabels(file, name, found);
    }
  }
}

// A property, a type where one may be, or the end of a block.
function statementAt(file, place, expected, isTyped) {
  const start = file.skip(place);
  if (file.text[start] === "}") return { isEnd: true, end: start + 1 };
  const property = file.propertyEnd(start);
  if (property >= 0) return { property: file.text.slice(start, property), end: property };
  TYPE.lastIndex = start;
  const type = isTyped && TYPE.exec(file.text);
  const labelsStart = type ? start + type[0].length : -1;
  const labelsEnd = type ? file.spanEnd(labelsStart, "{}") : -1;
  if (!type || file.text[labelsEnd] !== "}") throw file.unexpected(expected, place);
  const behind = file.skip(labelsEnd + 1);
  const end = file.text[behind] === ";" ? behind + 1 : behind;
  const countStart = start + type[0].indexOf(type[1]);
  return { count: Number(type[1]), countStart, labelsStart, labels: file.text.slice(labelsStart, labelsEnd), end };
}

function readName(file, place, block) {
  const end = file.spanEnd(place, "{}()[];|,");
  if (file.text[end] !== "{") throw file.unexpected(`the name of a ${block} and '{'`, place);
  const name = stripped(file.text.slice(place, end));
  if (!name.includes('"')) return [block === "network" && name === UNNAMED ? "" : name, end + 1];
  if (quotedEnd(name, 0, name.length) !== name.length) throw file.unexpected(`one name of a ${block}`, place);
  return [unescaped(name.slice(1, -1)), end + 1];
}

function readLabels(file, variable, { count, labels: text, labelsStart }) {
  const labels = labelsIn(text, count);
  if (labels.length !== count || !labels.length) {
    throw file.error(`variable ${quoted(variable)} declares ${counted(count)} states and lists ${counted(labels.length)}`, labelsStart);
  }
  const seen = new Set();
  for (const label of labels) {
    if (seen.has(label)) throw file.error(`variable ${quoted(variable)} has the state ${quoted(label)} twice`, labelsStart);
    seen.add(label);
  }
  return labels;
}

function readDefinition(file, block, definitions) {
  const [variable, ...parents] = readHeader(file, block);
  if (definitions.has(variable)) throw file.error(`variable ${quoted(variable)} has a second probability block`, block.headerStart);
  const seen = new Set([variable]);
  for (const parent of parents) {
    if (seen.has(parent)) {
      const problem = parent === variable ? "is its own parent" : `has the parent ${quoted(parent)} twice`;
      throw file.error(`variable ${quoted(variable)} ${problem}`, block.headerStart);
    }
    seen.add(parent);
  }
  definitions.set(variable, new BifRows(file, block, variable, parents).read());
}

function readHeader(file, { header, headerStart }) {
  const names = [];
  for (const { words, isOne } of groupsIn(header)) {
    const joined = words.join(" ");
    for (const name of isOne && file.variables.has(joined) ? [joined] : words) {
      if (!file.variables.has(name)) {
        const place = file.text.indexOf(name, headerStart);
        throw file.error(`unknown variable ${quoted(name)} in a probability block`, Math.max(place, headerStart));
      }
      names.push(name);
    }
  }
  if (!names.length) throw file.error("a probability block without a variable", headerStart);
  return names;
}
