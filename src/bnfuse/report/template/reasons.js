// The reasons that reasons.py found, for the arcs of this page.
import {
  consensus,
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
import { whyOut } from "./why-out.js";

export const reasons = new Map(
  Object.entries(data.reasons).map(([code, [change, isRare, closesCycle, barrier, clique, atLeast, table, ...married]]) => [
    Number(code),
    { change, isRare, closesCycle, barrier, clique, atLeast, table, married: married.map((v) => variables[v]) },
  ]),
);

const problem = {
  limit: facts.is_clique_limited ? facts.limit : Infinity, // what the limit on tables leaves is no reason of its own
  maxTable: facts.max_table,
  mostParents: facts.most_parents,
  isCounted: isCounted || isOfResamples,
  inputs: `${INPUT}s`,
  measure,
  halvesTurned: facts.metric === "shd",
};

export function why(code) {
  const reason = reasons.get(code);
  if (!reason) return [];
  return whyOut(reason, {
    source: variables[sourceOf(code)],
    target: variables[targetOf(code)],
    forward: support(code),
    backward: support(turned(code)),
    voters: votersOf(code),
    isSeenByAll: isSeenByAll(code),
    isTurned: consensus.has(turned(code)),
  }, problem);
}
