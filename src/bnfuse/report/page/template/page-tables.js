// The probability tables of the page; page_tables.py packs them.
import { consensus, inputs, sourceOf, targetOf } from "./networks.js";
import { data, variables } from "./page-data.js";
import { unpacked } from "./packed-numbers.js";

export const tables = data.tables;
export const statesOf = (variable) => tables.states[variable];

// The parents of a variable in the consensus, as its table has them: the last one's states vary fastest.
export const parentsOf = (variable) => parents[variable];
const parents = variables.map(() => []);
for (const code of consensus) parents[targetOf(code)].push(sourceOf(code)); // codes are sorted, and so are these

// The numbers of a table; null if it is too large for the page.
export const tableOf = (variable) => tables.values[variable] && unpacked(tables.values[variable]);

// The consensus in the form for `junctionTree`.
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
