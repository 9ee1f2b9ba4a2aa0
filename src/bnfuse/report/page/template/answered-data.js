// The page's data for an answer that it found itself: everything that follows from its network and its inputs. The
// rest, such as reasons and disputes, belongs to the report as it was sent, and is left out.

import { unpacked } from "./packed-numbers.js";
import { pooledNumbers } from "./pooled-numbers.js";
import { pooledTables } from "./pooled-tables.js";

const PLACEHOLDERS = ["bnfuse_states = assumed", "bnfuse_tables = uniform"]; // marks of a file without tables: as in _tables.py

const codes = (steps) => {
  let code = 0;
  return steps.map((step) => (code += step));
};
const steps = (sorted) => sorted.map((code, i) => code - (i ? sorted[i - 1] : 0));

// own: the data as they came; answer: { arcs as codes, distance, bound, clique, metric, limit, weights, isStopped }.
export function answeredData(own, answer) {
  const n = own.variables.length;
  const arcs = [...answer.arcs].sort((one, other) => one - other);
  const turned = (code) => (code % n) * n + Math.floor(code / n);
  const before = new Set(codes(own.consensus));
  const now = new Set(arcs);
  const { distance, bound, clique, limit, maxTable, metric } = answer;
  const inputs = own.inputs.map((input, i) => ({
    ...input,
    apart: false,
    causal: null,
    distance: distanceTo(arcs, codes(input.arcs), new Set(codes(input.lacks)), n, metric),
    given: answer.given[i],
    weight: answer.weights[i],
  }));
  const tables = tablesOf(own, answer, arcs, n);
  return {
    ...own,
    consensus: steps(arcs),
    inputs,
    why: arcs.map(() => ({ cost: null, rule: null, others: [], v_structure: [], married: [] })),
    joined: [],
    reasons: {},
    disputes: null,
    required: answer.required,
    counts: null,
    weight: answer.weights.reduce((sum, one) => sum + one, 0),
    seen: seenOf(inputs, n),
    between: null,
    compared: [],
    history: [],
    frontier: [],
    cliques: { all: 0, shown: [] },
    tables,
    numbers: numbersOf(own, answer, arcs, n),
    marks: tables ? own.marks : [...own.marks.filter((one) => one.startsWith("bnfuse_made_by")), ...PLACEHOLDERS],
    facts: {
      ...own.facts,
      ...{ without: "", apart: [], itself: null, weighting: null, ties: null, directions: null, freedom: null, proof: null },
      ...{ quality: "", who: "", notes: [], majority: null, method: "direct", largest_table: null, max_table: null },
      ...{ metric, distance, bound, clique, arcs: arcs.length },
      gap: bound === null ? null : distance === bound ? 0 : bound ? (distance - bound) / bound : null,
      limit: limit ?? clique,
      is_clique_limited: limit !== null,
      most_parents: answer.maxParents,
      stopped_by: answer.isStopped ? "by you" : "finished",
    },
    changed: {
      came: arcs.filter((code) => !before.has(code) && !before.has(turned(code))),
      went: [...before].filter((code) => !now.has(code) && !now.has(turned(code))),
      turned: arcs.filter((code) => !before.has(code) && before.has(turned(code))),
    },
    maxTable,
  };
}

// Pooled from those of the inputs, if these are known and small.
function tablesOf({ tables }, { order, weights }, arcs, n) {
  if (!tables?.inputs || tables.inputs.some((one) => !one || one.more.length || Object.keys(one.states).length)) return null;
  const parents = parentsOf(arcs, n);
  if (order.length < n || tables.inputs.some((one) => one.values.length < n)) return null;
  const sizes = tables.states.map((states) => states.length);
  const networks = tables.inputs.map((one) => ({
    scopes: one.parents.map((own, variable) => [...own, variable]),
    tables: one.values.map(unpacked),
  }));
  const values = pooledTables(networks, weights, sizes, parents);
  return values && { ...tables, values, sizes: values.map(({ length }) => length), order, file: null };
}

// The same for Gaussian networks.
function numbersOf({ numbers }, { weights }, arcs, n) {
  const consensus = numbers?.inputs ? pooledNumbers(numbers.inputs, weights, parentsOf(arcs, n)) : null;
  return consensus && { ...numbers, consensus };
}

function parentsOf(arcs, n) {
  const parents = Array.from({ length: n }, () => []);
  for (const code of arcs) parents[code % n].push(Math.floor(code / n));
  return parents;
}

// For the pairs that inputs join: the weight of the inputs that have both, if not all have.
function seenOf(inputs, n) {
  if (inputs.every(({ lacks }) => !lacks.length)) return [];
  const lacking = inputs.map(({ lacks }) => new Set(codes(lacks)));
  const pair = (code) => Math.min(code, (code % n) * n + Math.floor(code / n));
  const pairs = new Set(inputs.flatMap(({ arcs }) => codes(arcs).map(pair)));
  return [...pairs].map((arc) => {
    const having = inputs.filter((_, i) => !lacking[i].has(arc % n) && !lacking[i].has(Math.floor(arc / n)));
    return { arc, weight: having.reduce((sum, { weight }) => sum + weight, 0) };
  });
}

// SMHD or SHD of a network to an input, on the pairs of the input's variables.
function distanceTo(arcs, others, lacks, n, metric) {
  const isSeen = (code) => !lacks.has(code % n) && !lacks.has(Math.floor(code / n));
  const pair = (code) => Math.min(code, (code % n) * n + Math.floor(code / n));
  if (metric === "shd") {
    const [one, other] = [new Set(arcs.filter(isSeen)), new Set(others)];
    const pairs = new Set([...one, ...other].map(pair));
    const stateOf = (all, code) => (all.has(code) ? 1 : all.has((code % n) * n + Math.floor(code / n)) ? 2 : 0);
    return [...pairs].filter((code) => stateOf(one, code) !== stateOf(other, code)).length;
  }
  const [one, other] = [moralEdges(arcs, n).filter(isSeen), moralEdges(others, n)];
  const [first, second] = [new Set(one), new Set(other)];
  return one.filter((code) => !second.has(code)).length + other.filter((code) => !first.has(code)).length;
}

// Each once, with the first variable first.
function moralEdges(arcs, n) {
  const parents = new Map();
  for (const code of arcs) parents.set(code % n, [...(parents.get(code % n) || []), Math.floor(code / n)]);
  const edges = new Set();
  for (const [child, all] of parents) {
    const family = [...all, child];
    family.forEach((a, i) => family.slice(i + 1).forEach((b) => edges.add(Math.min(a, b) * n + Math.max(a, b))));
  }
  return [...edges];
}
