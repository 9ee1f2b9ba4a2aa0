// The networks, the inputs that have each arc, and its status in the consensus. An arc is a number: source * variables
// + target.
import { count, percent } from "./number-texts.js";
import { data, facts, INPUT, isOfResamples, variables } from "./page-data.js";

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
export const reversible = new Set([...consensus].filter((_, i) => data.why[i].rule === "free")); // those whose direction is free
export const fusion = data.fusion && decoded(data.fusion);
// Their arcs, those without a direction, and the variables that they lack.
export const inputs = data.inputs.map((input) => ({
  ...input,
  arcs: decoded(input.arcs),
  free: decoded(input.free),
  lacks: decoded(input.lacks),
}));
export const hasInputs = inputs.length > 0;
const counting = inputs.filter(({ weight }) => weight); // the reader may have left some out
export const isWeighted = counting.some(({ weight }) => weight !== counting[0].weight);
// Whether inputs can be counted: a tally, weights and half votes have shares instead.
export const isCounted = hasInputs && !data.counts && !isWeighted && counting.length === inputs.length;
export const countingInputs = counting.length;
export const measure = data.parts > 1 ? "votes" : "weight"; // of what they are shares
export const isWhole = facts.coverage === null; // whether every input has all variables

const owners = new Map(); // an arc: the numbers of the inputs that have it, or have it without a direction
const own = (code, i) => {
  if (owners.has(code)) owners.get(code).push(i);
  else owners.set(code, [i]);
};
inputs.forEach((input, i) => {
  input.arcs.forEach((code) => own(code, i));
  input.free.forEach((code) => own(turned(code), i));
});
export const weightsOf = (arcs) => new Map(arcs.map(({ arc, weight }) => [arc, weight]));
// An arc: the weight of those that have it. Whole numbers, so that comparisons are exact.
export const supports = data.counts
  ? weightsOf(data.counts)
  : new Map([...owners].map(([code, who]) => [code, who.reduce((sum, i) => sum + inputs[i].weight, 0)]));
export const support = (code) => supports.get(code) || 0;
export const supportEitherWay = (code) => support(code) + support(turned(code));
// Whether no input has an arc in this direction, or more have it reversed.
export const isAgainst = (code) => !support(code) || support(code) < support(turned(code));
export const ownersOf = (code) => owners.get(code) || [];
// Whether any input has an arc, in either direction.
export const isKnown = (code) =>
  supportEitherWay(code) > 0 || [consensus, fusion || consensus].some((one) => one.has(code) || one.has(turned(code)));
export const isFreeIn = (input, code) => input.free.has(code) || input.free.has(turned(code));

// The inputs that vote on a pair: those that have both variables.
const pairOf = (code) => Math.min(code, turned(code));
const seen = weightsOf(data.seen);
const unjudged = decoded(data.unjudged);
// The weight of the inputs that vote on the pair of an arc.
export const votersOf = (code) => seen.get(pairOf(code)) ?? data.weight;
export const isSeenByAll = (code) => votersOf(code) === data.weight;
export const unjudgedWith = (variable) =>
  variables.map((_, v) => v).filter((v) => unjudged.has(pairOf(codeOf(v, variable))));
export const blindTo = (code) =>
  inputs.map((_, i) => i).filter((i) => inputs[i].lacks.has(sourceOf(code)) || inputs[i].lacks.has(targetOf(code)));
// Among the inputs that vote on an arc, the share that has it, and the share that has it in either direction.
const ofVoters = (weight, code) => (votersOf(code) ? weight / votersOf(code) : 0);
export const share = (code) => ofVoters(support(code), code);
export const shareEitherWay = (code) => ofVoters(supportEitherWay(code), code);

// The pairs on which at least a third of the weight disagrees with the largest side, each as one of its arcs: as in
// pairs.py.
const LEADING = 3;
export const contestedPairs = () => [...supports.keys()].filter(isContested);
function isContested(code) {
  if (code !== pairOf(code) && supports.has(turned(code))) return false; // once
  const [forward, backward, voters] = [support(code), support(turned(code)), votersOf(code)];
  const against = voters - Math.max(forward, backward, voters - forward - backward);
  return LEADING * against >= voters;
}

// A number of the inputs that vote on an arc.
export function ofInputs(many, code) {
  const voters = inputs.length - blindTo(code).length;
  if (voters === inputs.length) return `${many} of ${count(voters, "input")}`;
  if (voters > 1) return `${many} of the ${voters} inputs that have both variables`;
  return many ? "the only input that has both variables" : "no input";
}
export const ofMeasure = (part, code) =>
  `${percent(part)} of the ${measure}${isSeenByAll(code) ? "" : " of those that have both variables"}`;

// The inputs that have an arc, as the subject of a sentence, and the verb for it.
export function having(code) {
  if (!hasInputs) return [ofMeasure(share(code), code), measure === "votes" ? "have" : "has"];
  const many = ownersOf(code).length;
  const by = measure === "votes" ? "of the votes" : "by weight";
  return [
    isCounted ? ofInputs(many, code) : `${ofInputs(many, code)} (${percent(share(code))} ${by})`,
    many === 1 ? "has" : "have",
  ];
}

// The status of an arc relative to the consensus, and its name: the single definition for tables, views and details.
const more = isCounted || isOfResamples ? `in more ${INPUT}s` : `by more ${measure}`;
export const STATUS = {
  kept: "kept",
  keptTurned: `kept, reversed ${more}`,
  keptAlone: `kept, in no ${INPUT}`,
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
