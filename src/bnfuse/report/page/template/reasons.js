// The reasons that why_out.py and why_in.py found, for the arcs of this page.
import {
  consensus,
  isAgainst,
  isCounted,
  isSeenByAll,
  measure,
  sourceOf,
  support,
  targetOf,
  turned,
  votersOf,
} from "./networks.js";
import { data, facts, INPUT, isOfResamples, variables } from "./page-data.js";
import { solvedAgain } from "./solved-again.js";
import { whyAgainst, whyIn } from "./why-in.js";
import { whyOut } from "./why-out.js";

const namesOf = (numbers) => numbers.map((v) => variables[v]);

export const reasons = new Map(
  Object.entries(data.reasons).map(([code, reason]) => [Number(code), { ...reason, married: namesOf(reason.married) }]),
);

const problem = {
  limit: facts.is_clique_limited ? facts.limit : Infinity, // what the limit on tables leaves is no reason of its own
  maxTable: facts.max_table,
  mostParents: facts.most_parents,
  isCounted: isCounted || isOfResamples,
  input: INPUT,
  measure,
  halvesTurned: facts.metric === "shd",
};

const required = new Set(data.required);
const whys = new Map([...consensus].map((code, i) => {
  const { others, v_structure, married, ...rest } = data.why[i];
  const names = { others: namesOf(others), v_structure: namesOf(v_structure), married: namesOf(married) };
  return [code, { ...rest, ...names }];
}));

const arcOf = (code) => ({
  source: variables[sourceOf(code)],
  target: variables[targetOf(code)],
  forward: support(code),
  backward: support(turned(code)),
  voters: votersOf(code),
  isSeenByAll: isSeenByAll(code),
  isTurned: consensus.has(turned(code)),
});

// By the arc that another decision would have, or by the arc that it would leave out: its cost, solved again.
const arcText = (code) => `${variables[sourceOf(code)]} \u2192 ${variables[targetOf(code)]}`;
const decided = new Map();
const ofReverse = new Map(); // by the reversal of an arc that another decision would add
for (const { arc, alternatives } of data.disputes?.shown ?? []) {
  for (const other of alternatives) {
    const named = { ...other };
    for (const kind of ["added", "dropped", "reversed"]) named[kind] = other[kind].map(arcText);
    decided.set(other.arc ?? arc, solvedAgain(named));
    if (other.decision === "in") ofReverse.set(turned(other.arc), solvedAgain(named, true));
  }
}
const solved = (code) => decided.get(code) ?? [];

// The effect of a single change: an arc of the consensus left out, or another one added. It has the change in the mean
// distance, null if that is not known, and any obstacles.
export function aloneIn(code) {
  if (consensus.has(code)) return { change: whys.get(code).cost, barrier: "" };
  const { change, barrier, closes_cycle: closesCycle, clique, table } = reasons.get(code) ?? { change: null };
  if (barrier) return { change, barrier: "is not allowed" };
  if (closesCycle) return { change, barrier: "would close a cycle" };
  return { change, barrier: clique > problem.limit || table ? "would exceed the limit" : "" };
}

export const why = (code) => (consensus.has(code) ? inside(code) : outside(code));

function outside(code) {
  const reason = reasons.get(code);
  return reason ? [...whyOut(reason, arcOf(code), problem, solved(code)), ...(ofReverse.get(code) ?? [])] : [];
}

function inside(code) {
  const arc = arcOf(code);
  const others = { out: solved(code), turned: isAgainst(code) ? [] : solved(turned(code)) };
  const said = whyIn(whys.get(code), arc, problem, required.has(code), others);
  return isAgainst(code) ? [...said, whyAgainst(arc, problem), ...whyNotTurned(turned(code))] : said;
}

function whyNotTurned(code) {
  if (!reasons.has(code)) return [];
  const { barrier } = reasons.get(code);
  if (barrier === "required") return []; // already mentioned
  return barrier && barrier !== "parents" ? ["The constraints forbid the other direction."] : outside(code);
}
