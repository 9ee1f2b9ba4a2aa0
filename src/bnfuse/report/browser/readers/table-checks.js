// From the numbers of a file to the checked tables of a network: the common part of the formats with tables.
import { checkedArcs } from "./acyclic.js";
import { ContentError, ReadingError, counted, quoted, rounded } from "./reading-error.js";
import { stripped } from "./spaces.js";

export const MOST_FILLED = 10_000_000; // numbers that a file may declare without containing them
const ROUNDING = 2e-6; // how far from 1 a sum may be
const REPAIRABLE = 1.0001e-2; // the largest deviation that is corrected, with a warning
const MOST_AXES = 64; // of a table in the installed program
const STATES_MARK = "bnfuse_states = assumed";
const TABLES_MARK = "bnfuse_tables = uniform";
const ASSUMED = ["yes", "no"];
const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;

export const isNumber = (word) => NUMBER.test(word);

// A property in the spelling of the marks.
export function asMark(text) {
  const plain = stripped(stripped(text), (one) => one === '"');
  const place = plain.indexOf("=");
  return place < 0 ? stripped(plain) : `${stripped(plain.slice(0, place))} = ${stripped(plain.slice(place + 1))}`;
}

// The text of a quoted name, which has three escapes: \" \\ and \uXXXX. Any other backslash stands for itself.
export const unescaped = (text) =>
  text.replace(/\\(?:(["\\])|u([0-9a-fA-F]{4}))/g, (_, sign, code) => sign || String.fromCharCode(parseInt(code, 16)));

// The number of entries of a table; refused if it is more than `most`.
export function tableSize(source, variable, sizes, most, place) {
  let size = 1;
  for (const count of sizes) {
    size *= count;
    if (size > most) {
      throw source.error(
        `the table of ${quoted(variable)} with ${counted(sizes.length - 1)} parents needs more than ${counted(most)} numbers, ` +
          "which the file does not hold",
        place,
      );
    }
  }
  return size;
}

// The position of the first number that cannot be a probability, or -1.
export const firstBad = (numbers) => numbers.findIndex((one) => !(one >= 0 && one <= 1 + REPAIRABLE));

export function configuration(labels, row) {
  const chosen = [];
  for (let i = labels.length - 1; i >= 0; i--) {
    chosen.unshift(labels[i][row % labels[i].length]);
    row = Math.floor(row / labels[i].length);
  }
  return chosen;
}

export function shownRow(variable, parents, labels) {
  const given = parents.map((parent, i) => `${parent} = ${labels[i]}`).join(", ");
  return given ? `P(${variable} | ${given})` : `P(${variable})`;
}

// The network that a file declares.
// source: the text, with `path` and `error(problem, place)`; variables: a Map from names to { labels, place };
// definitions: a Map from names to { parents, numbers, place, isWhole, rows }: `numbers` has one parent configuration after
// another, the last parent varying fastest, but a whole table is in the order of its format; `rows`, if there, gives the
// places of configurations. childSlowest: the order that the format has for whole tables.
export function networkOf(source, name, variables, definitions, { marks, childSlowest, warn }) {
  for (const [variable, { place }] of variables) {
    if (!definitions.has(variable)) throw source.error(`variable ${quoted(variable)} has no probabilities`, place);
  }
  const names = [...variables.keys()];
  const states = new Map([...variables].map(([variable, { labels }]) => [variable, labels]));
  try {
    const pairs = [...definitions].flatMap(([child, { parents }]) => parents.map((parent) => [parent, child]));
    const arcs = checkedArcs(names, pairs);
    const tables = checkedRows(source, states, definitions, childSlowest, warn);
    if (marks.has(TABLES_MARK) && [...tables].every(([variable, table]) => isUniform(table, states.get(variable).length))) {
      const isAssumed = marks.has(STATES_MARK) && [...states.values()].every((own) => own.join("\n") === ASSUMED.join("\n"));
      return { name, variables: names, arcs, states: isAssumed ? null : [...states.values()], tables: null };
    }
    const places = new Map(names.map((variable, i) => [variable, i]));
    const canonical = names.map((variable) => inOrder(places, states, variable, definitions.get(variable).parents, tables.get(variable)));
    return { name, variables: names, arcs, states: [...states.values()], tables: canonical };
  } catch (error) {
    if (error instanceof ContentError) throw new ReadingError(source.path, error.message);
    throw error;
  }
}

// The tables by rows, each row a distribution.
function checkedRows(source, states, definitions, childSlowest, warn) {
  const order = orderThatFits(source, states, definitions, childSlowest, warn);
  const tables = new Map();
  let [repaired, example] = [0, ""];
  for (const [variable, own] of definitions) {
    const count = states.get(variable).length;
    const table = asRows(own, count, order);
    const sums = rowSums(table, count);
    const off = sums.map((sum) => Math.abs(sum - 1));
    const isOver = (limit) => (one) => !(one <= limit);
    if (off.some(isOver(ROUNDING))) {
      const row = off.findIndex(isOver(off.some(isOver(REPAIRABLE)) ? REPAIRABLE : ROUNDING));
      const labels = configuration(own.parents.map((parent) => states.get(parent)), row);
      const problem = `${shownRow(variable, own.parents, labels)} sums to ${rounded(sums[row], 9)}`;
      if (!(off[row] <= REPAIRABLE)) throw source.error(`${problem}, not to 1`, own.rows?.().get(row) ?? own.place);
      off.forEach((one, i) => {
        if (one <= ROUNDING) return;
        for (let j = i * count; j < (i + 1) * count; j++) table[j] /= sums[i];
        repaired++;
      });
      example ||= problem;
    }
    tables.set(variable, table);
  }
  if (repaired) {
    const rows = repaired === 1 ? "a row that does" : `${counted(repaired)} rows that do`;
    warn(`${source.path}: renormalised ${rows} not sum to 1, first: ${example}`);
  }
  return tables;
}

// The format's order for whole tables, unless all of them are distributions only in the other one.
function orderThatFits(source, states, definitions, childSlowest, warn) {
  const whole = [...definitions].filter(([, own]) => own.isWhole && own.parents.length);
  const fits = (order) =>
    whole.every(([variable, own]) => {
      const count = states.get(variable).length;
      return rowSums(asRows(own, count, order), count).every((sum) => Math.abs(sum - 1) <= REPAIRABLE);
    });
  if (fits(childSlowest) || !fits(!childSlowest)) return childSlowest;
  const way = childSlowest ? "fastest" : "slowest";
  warn(`${source.path}: read the tables with the child varying ${way}: they sum to 1 in this order only`);
  return !childSlowest;
}

function asRows({ numbers, isWhole, parents }, count, childSlowest) {
  if (!isWhole || !parents.length || !childSlowest) return Float64Array.from(numbers);
  const rows = numbers.length / count;
  const table = new Float64Array(numbers.length);
  for (let state = 0; state < count; state++) {
    for (let row = 0; row < rows; row++) table[row * count + state] = numbers[state * rows + row];
  }
  return table;
}

function rowSums(table, count) {
  const sums = new Float64Array(table.length / count);
  for (let i = 0; i < table.length; i++) sums[Math.floor(i / count)] += table[i];
  return sums;
}

const isUniform = (table, count) => table.every((one) => one === 1 / count);

// The table with the parents in the order of the variables: the one that a network has.
function inOrder(places, states, variable, given, table) {
  if (given.length >= MOST_AXES) {
    throw new ContentError(`variable ${quoted(variable)} has ${given.length} parents, too many for a table`);
  }
  const wanted = given.map((_, i) => i).sort((one, other) => places.get(given[one]) - places.get(given[other]));
  if (wanted.every((one, i) => one === i)) return table;
  const count = states.get(variable).length;
  const sizes = given.map((parent) => states.get(parent).length);
  const strides = sizes.map(() => count);
  for (let i = sizes.length - 2; i >= 0; i--) strides[i] = strides[i + 1] * sizes[i + 1];
  const moved = new Float64Array(table.length);
  const at = wanted.map(() => 0);
  let from = 0;
  for (let to = 0; to < table.length; to += count) {
    for (let state = 0; state < count; state++) moved[to + state] = table[from + state];
    for (let i = wanted.length - 1; i >= 0; i--) {
      from += strides[wanted[i]];
      if (++at[i] < sizes[wanted[i]]) break;
      from -= at[i] * strides[wanted[i]];
      at[i] = 0;
    }
  }
  return moved;
}
