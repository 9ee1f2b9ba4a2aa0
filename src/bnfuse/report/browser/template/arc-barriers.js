// The constraint that rules out an arc, if any: as in reasons/moves.py.

// question: as asked-question.js makes it; arcs: of the consensus.
export function barriersOf({ variables, required, forbidden, tiers, directions, maxParents }, votes, arcs) {
  const { n } = votes;
  const index = new Map(variables.map((name, v) => [name, v]));
  const codesOf = (list) => new Set(list.map(([source, target]) => index.get(source) * n + index.get(target)));
  const [wanted, unwanted] = [codesOf(required), codesOf(forbidden)];
  const tierOf = new Map(tiers.flatMap((tier, i) => tier.map((name) => [index.get(name), i])));
  const parents = Array(n).fill(0);
  for (const [, target] of arcs) parents[target]++;
  return (source, target) => {
    if (wanted.has(target * n + source)) return "required";
    if (unwanted.has(source * n + target)) return "forbidden";
    if (!isDirected(directions, votes.support(source, target), votes.support(target, source))) return "directions";
    if (tierOf.get(target) < tierOf.get(source)) return "tiers"; // a variable without a tier is neither
    return maxParents !== null && parents[target] >= maxParents ? "parents" : null;
  };
}

function isDirected(directions, forward, backward) {
  if (directions === "any") return true;
  return forward > 0 && (directions === "seen" || forward >= backward);
}
