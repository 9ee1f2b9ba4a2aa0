// The views: the arcs that are shown, and the meaning of each kind of line.
import {
  consensus,
  fusion,
  inputs,
  isCounted,
  isWeighted,
  isWhole,
  KIND,
  reversible,
  sourceOf,
  STATUS,
  statusOf,
  support,
  supportEitherWay,
  supports,
  targetOf,
  turned,
  votersOf,
} from "./networks.js";
import { percent, whole } from "./number-texts.js";
import { data, INPUT, isOfResamples } from "./page-data.js";

// A network by its key: "consensus", "fusion", or the number of an input.
const networkOf = (key) => (key === "consensus" ? consensus : key === "fusion" ? fusion : inputs[Number(key)].arcs);
// Views of two networks: their difference, or both side by side.
export const isOfTwo = (key) => key === "difference" || key === "beside";
const isInput = (key) => key !== "consensus" && key !== "fusion" && !isOfTwo(key);
// The arcs of a network without a direction, and the variables that it lacks.
const freeOf = (key) => (isInput(key) ? inputs[Number(key)].free : new Set());
const lacksOf = (key) => (isInput(key) ? inputs[Number(key)].lacks : new Set());
export const nameOf = (key) =>
  key === "consensus" ? "consensus" : key === "fusion" ? "full fusion" : inputs[Number(key)].name;
const inWords = (key) => (isInput(key) ? nameOf(key) : `the ${nameOf(key)}`);

// How much of the inputs must have a dropped arc for it to be shown: by their number, or in parts of the voters.
export const isByNumber = isCounted && isWhole;
export const thresholdSteps = isByNumber ? inputs.length : isOfResamples ? data.stability.resamples : 20;
// At first: half of the inputs or more; for resamples, as many as make an arc strong.
export const firstThreshold = isOfResamples ? data.stability.fewest : Math.ceil(thresholdSteps / 2);
export function thresholdText(step) {
  if (isByNumber) return `${step} of ${inputs.length}`;
  if (isOfResamples && isWhole) return `${whole(step)} of ${whole(thresholdSteps)}`;
  return `${percent(step / thresholdSteps)}${isWeighted ? " by weight" : ""}`;
}

// The network of a view whose families are listed, and its name.
export const mainNetwork = ({ key, one }) => networkOf(isOfTwo(key) ? one : key);
export const mainName = ({ key, one }) => inWords(isOfTwo(key) ? one : key);
export const mainFree = ({ key, one }) => freeOf(isOfTwo(key) ? one : key);

// The variables that inputs of a view lack, and the names of these inputs.
export function lackedIn({ key, one, other }) {
  const lacking = [...new Set(isOfTwo(key) ? [one, other] : [key])].filter((one) => lacksOf(one).size);
  return [new Set(lacking.flatMap((one) => [...lacksOf(one)])), lacking.map(nameOf)];
}

// The arcs of a view as [code, kind, whether it has no head], what the kinds mean there and, where there is a
// second picture beside it, the arcs of both.
export function viewed(view) {
  if (view.key === "consensus") return consensusView(view);
  if (view.key === "fusion") return fusionView();
  if (isOfTwo(view.key)) {
    const [first, second] = onlyKinds(view.one, view.other);
    const all = difference(view.one, view.other);
    const one = networkOf(view.one);
    return [view.key === "beside" ? all.filter(([code]) => one.has(code)) : all, {
      kept: "in both",
      [first]: `only in ${inWords(view.one)}`,
      [second]: `only in ${inWords(view.other)}`,
      reversed: `reversed in ${inWords(view.other)}`,
    }, all];
  }
  return [difference(view.key, "consensus"), {
    kept: "in the consensus too",
    dropped: "not in the consensus",
    added: "in the consensus only",
    reversed: "reversed in the consensus",
  }];
}

// The arcs of the second of two networks side by side, as those of a view.
export function besideIt({ one, other }) {
  const kinds = new Map(difference(one, other).map(([code, kind]) => [code, kind]));
  const free = freeOf(other);
  return [...networkOf(other)].map((code) => [code, kinds.get(code) || kinds.get(turned(code)), free.has(code)]);
}

// The consensus, and for each pair that it does not join, the direction that more inputs have.
function consensusView({ least, heads }) {
  const arcs = [...consensus].map((code) => [code, KIND[statusOf(code)], !heads && reversible.has(code)]);
  for (const code of supports.keys()) {
    if (statusOf(code) !== "dropped") continue;
    const [forward, backward] = [support(code), support(turned(code))];
    const isStronger = forward > backward || (forward === backward && sourceOf(code) < targetOf(code));
    if (isStronger && supportEitherWay(code) * thresholdSteps >= least * votersOf(code)) arcs.push([code, "dropped"]);
  }
  return [arcs, {
    kept: STATUS.kept,
    reversed: STATUS.keptTurned,
    added: STATUS.keptAlone,
    dropped: STATUS.dropped,
  }];
}

function fusionView() {
  const arcs = [...fusion].map((code) => [code, consensus.has(code) ? "kept" : KIND[statusOf(code)]]);
  return [arcs, {
    kept: "in the consensus",
    dropped: STATUS.dropped,
    added: `${STATUS.added}: no ${INPUT} has it`,
    reversed: "reversed in the consensus",
  }];
}

// The kinds of the arcs that only one of two networks has: those of an input have the same colour in every view.
function onlyKinds(one, other) {
  if (isInput(one) && isInput(other)) return ["dropped", "other"];
  return isInput(other) ? ["added", "dropped"] : ["dropped", "added"];
}

// An arc without a direction is never reversed.
function difference(oneKey, otherKey) {
  const [one, other] = [networkOf(oneKey), networkOf(otherKey)];
  const [free, otherFree] = [freeOf(oneKey), freeOf(otherKey)];
  const [onlyFirst, onlySecond] = onlyKinds(oneKey, otherKey);
  const kindOf = (code) => {
    if (other.has(code)) return "kept";
    if (!other.has(turned(code))) return onlyFirst;
    return free.has(code) || otherFree.has(turned(code)) ? "kept" : "reversed";
  };
  const arcs = [...one].map((code) => [code, kindOf(code), free.has(code)]);
  other.forEach((code) => {
    if (!one.has(code) && !one.has(turned(code))) arcs.push([code, onlySecond, otherFree.has(code)]);
  });
  return arcs;
}
