// Tables for the consensus, pooled from the inputs that have some: those of the closest network to their mixture
// (inference/parameters.py). Runs in a worker.
import { jointOf, reordered } from "./factors.js";

const MOST_WORK = 3e8; // cells of tables, in all
const MOST_NUMBERS = 400_000; // in the tables of the consensus
const MOST_OF_INPUTS = 80_000; // in those of the inputs that are handed on
const MOST_IN_CLIQUES = 1_000_000;

export class NotPooledError extends Error {}

// variables, arcs and order: of the consensus; inputs: [{ name, weight, network }] with the networks as they were read, null
// for one without tables. Gives { tables, notes }, with tables as page_schema.py has them.
export function panelTables({ variables, arcs, order, inputs }) {
  const index = new Map(variables.map((name, i) => [name, i]));
  const known = inputs.filter(({ network }) => network);
  const states = statesOf(variables, known);
  const sizes = states.map((labels) => labels.length);
  const families = familiesOf(variables.length, arcs);
  const cells = families.map((family) => family.reduce((product, v) => product * sizes[v], 1));
  if (!(cells.reduce((sum, one) => sum + one, 0) <= MOST_NUMBERS)) throw new NotPooledError("they would be too large for a page");
  const networks = known.map(({ network }) => inNumbers(network, index, states));
  const values = mixture(variables, families, cells, sizes, known, networks);
  const impossible = values.reduce((sum, { missing }) => sum + missing, 0);
  const bare = inputs.filter(({ network }) => !network).map(({ name }) => name);
  return {
    tables: {
      states,
      sizes: cells,
      values: values.map(({ table }) => [...table]),
      order: cliqueCells(families, order, sizes) <= MOST_IN_CLIQUES ? order : null,
      file: "consensus.bif",
      inputs: inputTables(inputs, known, networks, states, sizes),
      inputs_size: networks.reduce((sum, { tables }) => sum + tables.reduce((all, one) => all + one.length, 0), 0),
    },
    notes: notesOf(known.length, impossible, bare),
  };
}

// Those of the first network that has each variable: all must have the same, in any order.
function statesOf(variables, known) {
  const first = new Map();
  for (const { name, network } of known) {
    network.variables.forEach((variable, v) => {
      const labels = network.states[v];
      if (!first.has(variable)) return first.set(variable, { labels, name });
      const wanted = first.get(variable);
      const isSame = labels.length === wanted.labels.length && labels.every((label) => wanted.labels.includes(label));
      if (!isSame) {
        throw new NotPooledError(
          `variable '${variable}' has the states ${shown(wanted.labels)} in ${wanted.name} and ${shown(labels)} in ${name}; pooling needs the same`,
        );
      }
    });
  }
  return variables.map((variable) => {
    if (!first.has(variable)) throw new NotPooledError(`no network with tables has the variable '${variable}'`);
    return first.get(variable).labels;
  });
}

const shown = (labels) => labels.slice(0, 8).map((label) => `'${label}'`).join(", ") + (labels.length > 8 ? ` and ${labels.length - 8} more` : "");

// Each variable after its parents, which are sorted.
function familiesOf(n, arcs) {
  const parents = Array.from({ length: n }, () => []);
  for (const [source, target] of arcs) parents[target].push(source);
  return parents.map((own, v) => [...own.sort((one, other) => one - other), v]);
}

// A network with the numbers and states of the consensus: in the order of its variables there.
function inNumbers({ variables, arcs, states: labels, tables }, index, states) {
  const own = familiesOf(variables.length, arcs);
  const number = variables.map((name) => index.get(name));
  const sizes = [];
  number.forEach((v, i) => (sizes[v] = labels[i].length));
  const members = variables.map((_, i) => i).sort((one, other) => number[one] - number[other]);
  const scopes = members.map((i) => own[i].map((v) => number[v]));
  return {
    sizes,
    scopes,
    tables: members.map((i, at) => renumbered(own[i].map((v) => labels[v]), scopes[at], tables[i], states)),
  };
}

// The table with the states of each variable in the order of the consensus.
function renumbered(labels, scope, table, states) {
  const places = scope.map((v, i) => states[v].map((label) => labels[i].indexOf(label)));
  if (places.every((own) => own.every((place, i) => place === i))) return Float64Array.from(table);
  const found = new Float64Array(table.length);
  const at = scope.map(() => 0);
  for (let cell = 0; cell < found.length; cell++) {
    found[cell] = table[at.reduce((place, state, i) => place * places[i].length + places[i][state], 0)];
    for (let i = at.length - 1; i >= 0 && ++at[i] === places[i].length; i--) at[i] = 0;
  }
  return found;
}

function mixture(variables, families, cells, sizes, known, networks) {
  const total = known.reduce((sum, { weight }) => sum + weight, 0);
  const work = { left: MOST_WORK };
  return families.map((family, v) => {
    const joint = new Float64Array(cells[v]);
    let isKnown = false;
    networks.forEach((network, i) => {
      if (!family.every((member) => network.sizes[member] !== undefined)) return;
      isKnown = true;
      jointOf(network, family, work).forEach((one, cell) => (joint[cell] += (known[i].weight / total) * one));
    });
    if (!isKnown) throw new NotPooledError(`no network with tables has a distribution of '${variables[v]}' with its parents`);
    return conditional(joint, sizes[v]);
  });
}

// Given the parents; rows of probability 0 become uniform.
function conditional(joint, size) {
  let missing = 0;
  for (let row = 0; row < joint.length; row += size) {
    let sum = 0;
    for (let i = row; i < row + size; i++) sum += joint[i];
    if (!(sum > 0)) missing++;
    for (let i = row; i < row + size; i++) joint[i] = sum > 0 ? joint[i] / sum : 1 / size;
  }
  return { table: joint, missing };
}

function notesOf(many, impossible, bare) {
  const notes = [
    many === 1
      ? "the tables come from one network, as close to it as possible"
      : `the tables are pooled from the ${many.toLocaleString("en-US")} networks, as close to their mixture as possible`,
  ];
  if (impossible) notes.push(`${impossible.toLocaleString("en-US")} parent configuration${impossible === 1 ? "" : "s"} of probability 0 got uniform distributions`);
  if (bare.length) notes.push(`${bare.map((name) => `'${name}'`).join(", ")} ${bare.length === 1 ? "has" : "have"} no tables and took no part in the pooling`);
  return notes;
}

// The number of entries of the tables along an elimination order.
function cliqueCells(scopes, order, sizes) {
  const near = new Map(order.map((v) => [v, new Set()]));
  const join = (members) => members.forEach((one) => members.forEach((other) => one !== other && near.get(one).add(other)));
  scopes.forEach(join);
  let sum = 0;
  for (const v of order) {
    const around = [...near.get(v)];
    sum += [v, ...around].reduce((product, one) => product * sizes[one], 1);
    for (const one of around) near.get(one).delete(v);
    join(around);
  }
  return sum;
}

// Always the variable with the smallest table.
function orderFor(scopes, sizes) {
  const near = new Map(scopes.map((scope) => [scope.at(-1), new Set()]));
  const join = (members) => members.forEach((one) => members.forEach((other) => one !== other && near.get(one).add(other)));
  scopes.forEach(join);
  const order = [];
  while (near.size) {
    let [best, least] = [null, Infinity];
    for (const [v, around] of near) {
      const cost = [v, ...around].reduce((product, one) => product * sizes[one], 1);
      if (cost < least) [best, least] = [v, cost];
    }
    const around = [...near.get(best)];
    order.push(best);
    near.delete(best);
    for (const one of around) near.get(one).delete(best);
    join(around);
  }
  return order;
}

// The tables of each input, for its own answers; null for all if they are too large.
function inputTables(inputs, known, networks, states, sizes) {
  const numbers = networks.reduce((sum, { tables }) => sum + tables.reduce((all, one) => all + one.length, 0), 0);
  if (numbers > MOST_OF_INPUTS) return null;
  return inputs.map((input) => {
    const i = known.indexOf(input);
    if (i < 0) return null;
    const { scopes, tables } = networks[i];
    const order = orderFor(scopes, sizes);
    const isCheap = cliqueCells(scopes, order, sizes) <= MOST_IN_CLIQUES / known.length;
    const sorted = scopes.map((scope) => [...scope.slice(0, -1).sort((one, other) => one - other), scope.at(-1)]);
    return {
      more: [],
      states: {},
      parents: sorted.map((scope) => scope.slice(0, -1)),
      values: sorted.map((scope, at) => [...reordered({ scope: scopes[at], table: tables[at] }, scope, sizes)]),
      order: isCheap ? order : null,
    };
  });
}
