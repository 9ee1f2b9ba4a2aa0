// The probability tables of the page; page_tables.py packs them.
import { consensus, inputs, sourceOf, targetOf } from "./networks.js";
import { data, variables } from "./page-data.js";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

export const tables = data.tables;
export const statesOf = (variable) => tables.states[variable];

// The parents of a variable in the consensus, as its table has them: the last one's states vary fastest.
export const parentsOf = (variable) => parents[variable];
const parents = variables.map(() => []);
for (const code of consensus) parents[targetOf(code)].push(sourceOf(code)); // codes are sorted, and so are these

// The numbers of a table; null where it is too large for the page.
export const tableOf = (variable) => tables.values[variable] && unpacked(tables.values[variable]);

export function unpacked(packed) {
  if (typeof packed === "string") return doubles(packed);
  if (Array.isArray(packed)) return Float64Array.from(packed);
  const { letters } = packed;
  const distinct = unpacked(packed.distinct);
  const digit = (i) => LETTERS.indexOf(letters[i]);
  return distinct.length <= LETTERS.length
    ? Float64Array.from(letters, (_, i) => distinct[digit(i)])
    : Float64Array.from({ length: letters.length / 2 }, (_, i) => distinct[LETTERS.length * digit(2 * i) + digit(2 * i + 1)]);
}

function doubles(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Float64Array.from({ length: bytes.length / 8 }, (_, i) => view.getFloat64(8 * i, true));
}

// The consensus as `junctionTree` takes it.
export const consensusNetwork = () => ({
  sizes: tables.states.map((states) => states.length),
  scopes: variables.map((_, variable) => [...parentsOf(variable), variable]),
  tables: tables.values.map(unpacked),
  order: tables.order,
});

// An input in the same way, with the labels of its states; its variables have their numbers in the consensus.
export function inputNetwork(i) {
  const { more, states, parents, values, order } = tables.inputs[i];
  const labels = [...variables, ...more].map((_, variable) => states[variable] || tables.states[variable]);
  const own = [...labels.keys()].filter((variable) => !inputs[i].lacks.has(variable));
  return {
    labels,
    sizes: labels.map((one) => one.length),
    scopes: own.map((variable, at) => [...parents[at], variable]),
    tables: values.map(unpacked),
    order,
  };
}
