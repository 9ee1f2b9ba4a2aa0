// The networks, who has which arc, and what the consensus made of it. An arc is a number: source * variables + target.
import { percent } from "./number-texts.js";
import { data, variables } from "./page-data.js";

function decoded(steps) {
  let code = 0;
  return new Set(steps.map((step) => (code += step)));
}
export const codeOf = (source, target) => source * variables.length + target;
export const sourceOf = (code) => Math.floor(code / variables.length);
export const targetOf = (code) => code % variables.length;
export const turned = (code) => codeOf(targetOf(code), sourceOf(code));
export const named = (code) => `${variables[sourceOf(code)]} \u2192 ${variables[targetOf(code)]}`;
export const touches = (code, variable) => sourceOf(code) === variable || targetOf(code) === variable;

export const consensus = decoded(data.consensus);
export const reversible = new Set(data.reversible); // arcs of the consensus whose direction is free
export const fusion = data.fusion && decoded(data.fusion);
export const inputs = data.inputs.map((input) => ({ ...input, arcs: decoded(input.arcs) }));
export const hasInputs = inputs.length > 0;
// Whether inputs can be counted: a tally, or weights, have shares of the weight instead.
export const isCounted = hasInputs && inputs.every((input) => input.weight === inputs[0].weight);

const owners = new Map(); // an arc: the numbers of the inputs that have it
inputs.forEach((input, i) =>
  input.arcs.forEach((code) => {
    if (owners.has(code)) owners.get(code).push(i);
    else owners.set(code, [i]);
  })
);
// An arc: the weight of those that have it. Whole numbers, so that comparisons are exact.
export const supports = new Map(
  hasInputs
    ? [...owners].map(([code, who]) => [code, who.reduce((sum, i) => sum + inputs[i].weight, 0)])
    : data.counts,
);
export const support = (code) => supports.get(code) || 0;
export const supportEitherWay = (code) => support(code) + support(turned(code));
export const share = (code) => support(code) / data.weight;
export const ownersOf = (code) => owners.get(code) || [];

// Who has an arc, as the subject of a sentence, and the verb for it.
export function having(code) {
  if (!hasInputs) return [`${percent(share(code))} of the weight`, "has"];
  const text = `${ownersOf(code).length} of ${inputs.length} inputs`;
  const verb = ownersOf(code).length === 1 ? "has" : "have";
  return [isCounted ? text : `${text} (${percent(share(code))} by weight)`, verb];
}

// What an arc is, seen from the consensus, and the words for it: the one definition for tables, views and details.
const more = isCounted ? "in more inputs" : "by more weight";
export const STATUS = {
  kept: "kept",
  keptTurned: `kept, reversed ${more}`,
  keptAlone: "kept, in no input",
  reversed: "reversed in the consensus",
  dropped: "dropped",
  added: "added by fusion",
};
export function statusOf(code) {
  if (consensus.has(code)) {
    if (!supportEitherWay(code)) return "keptAlone";
    return support(code) < support(turned(code)) ? "keptTurned" : "kept";
  }
  if (consensus.has(turned(code))) return "reversed";
  return supportEitherWay(code) ? "dropped" : "added";
}
// The line of each status.
export const KIND = {
  kept: "kept",
  keptTurned: "reversed",
  keptAlone: "added",
  reversed: "reversed",
  dropped: "dropped",
  added: "added",
};
