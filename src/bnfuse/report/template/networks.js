// The networks, who has which arc, and why an arc is out.

function decoded(steps) {
  let code = 0;
  return new Set(steps.map((step) => (code += step)));
}
const sourceOf = (code) => Math.floor(code / n);
const targetOf = (code) => code % n;
const turned = (code) => targetOf(code) * n + sourceOf(code);
const named = (code) => `${variables[sourceOf(code)]} \u2192 ${variables[targetOf(code)]}`;

const consensus = decoded(data.consensus);
const fusion = data.fusion && decoded(data.fusion);
const inputs = data.inputs.map((input) => ({ ...input, arcs: decoded(input.arcs) }));
const hasInputs = inputs.length > 0;
const sameWeights = new Set(inputs.map((input) => input.weight)).size <= 1;

const owners = new Map(); // an arc: the numbers of the inputs that have it
inputs.forEach((input, i) =>
  input.arcs.forEach((code) => {
    if (owners.has(code)) owners.get(code).push(i);
    else owners.set(code, [i]);
  })
);
const shares = new Map(
  hasInputs
    ? [...owners].map(([code, who]) => [code, who.reduce((sum, i) => sum + inputs[i].weight, 0) / data.weight])
    : data.counts.map(([code, weight]) => [code, weight / data.weight]),
);
const share = (code) => shares.get(code) || 0;
const ownersOf = (code) => owners.get(code) || [];
const reasons = new Map(
  data.reasons.map((
    [code, change, cycle, allowed, clique, least],
  ) => [code, { change, cycle, allowed, clique, least }]),
);

function having(code) {
  if (!hasInputs) return `${percent(share(code))} of the weight`;
  const text = `${ownersOf(code).length} of ${inputs.length} inputs`;
  return sameWeights ? text : `${text} (${percent(share(code))} by weight)`;
}

// What an arc is, seen from the consensus.
function statusOf(code) {
  if (consensus.has(code)) {
    return share(code) + share(turned(code)) === 0 ? "added" : share(code) < share(turned(code)) ? "reversed" : "kept";
  }
  if (consensus.has(turned(code))) return "reversed";
  return share(code) > 0 ? "dropped" : "added";
}
const STATUS = {
  kept: "kept",
  dropped: "dropped",
  added: "added by fusion",
  reversed: "reversed",
};
function statusText(code) {
  const status = statusOf(code);
  if (status === "reversed") return consensus.has(code) ? "kept, reversed in more inputs" : "reversed in the consensus";
  if (status === "added" && consensus.has(code)) return "in the consensus only";
  return STATUS[status];
}

// Why an arc is not in the consensus, in sentences.
function why(code) {
  const reason = reasons.get(code);
  if (!reason || consensus.has(code)) return [];
  const isTurned = consensus.has(turned(code));
  const doing = isTurned ? "Turning it round" : "Adding it";
  if (!reason.allowed) return ["The constraints do not allow it."];
  if (reason.cycle) return [`${doing} would close a cycle with other arcs of the consensus.`];
  const said = [];
  const both = share(code) + share(turned(code));
  if (!isTurned && both < 0.5) {
    said.push(`Fewer than half of the inputs have it${share(turned(code)) ? ", either way round" : ""}.`);
  }
  if (isTurned && share(code) < share(turned(code))) said.push("Fewer inputs have it this way round.");
  if (reason.clique !== null && reason.clique > facts.limit) {
    said.push(
      reason.least > facts.limit
        ? `${doing} needs a clique of at least ${reason.least}: the limit is ${facts.limit}.`
        : `${doing} makes a clique of ${reason.clique}, as far as is known: the limit is ${facts.limit}.`,
    );
  }
  if (reason.change !== null) {
    const size = Math.abs(reason.change);
    const amount = size >= 0.005 ? number(size) : size.toPrecision(1);
    if (size < 1e-9) said.push(`${doing} would not change the mean distance.`);
    else if (reason.change > 0) {
      said.push(
        `${doing} would raise the mean distance by ${amount}${both >= 0.5 ? ": it marries other variables too" : ""}.`,
      );
    } else {said.push(`${doing} alone would lower the mean distance by ${amount}${
        reason.clique === null
          ? "; the clique it would make was not looked for"
          : reason.clique > facts.limit
          ? ""
          : ": this search did not find that"
      }.`);}
  }
  return said;
}
