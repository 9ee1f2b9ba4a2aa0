// The views: which arcs are shown, and what each kind of line means there.
import {
  consensus,
  fusion,
  hasInputs,
  inputs,
  isCounted,
  KIND,
  sourceOf,
  STATUS,
  statusOf,
  support,
  supportEitherWay,
  supports,
  targetOf,
  turned,
} from "./networks.js";
import { percent } from "./number-texts.js";
import { data } from "./page-data.js";

// A network by its key: "consensus", "fusion", or the number of an input.
const networkOf = (key) => (key === "consensus" ? consensus : key === "fusion" ? fusion : inputs[Number(key)].arcs);
export const nameOf = (key) =>
  key === "consensus" ? "consensus" : key === "fusion" ? "full fusion" : inputs[Number(key)].name;
const inWords = (key) => (key === "consensus" || key === "fusion" ? `the ${nameOf(key)}` : nameOf(key));

// How much of the inputs must have a dropped arc to be shown: by their number, or in parts of the weight.
export const thresholdSteps = isCounted ? inputs.length : 20;
export const thresholdText = (step) =>
  isCounted ? `${step} of ${inputs.length}` : `${percent(step / thresholdSteps)}${hasInputs ? " by weight" : ""}`;

// The network of a view whose families are told, and its name.
export const mainNetwork = ({ key, one }) => networkOf(key === "difference" ? one : key);
export const mainName = ({ key, one }) => inWords(key === "difference" ? one : key);

// The arcs of a view as [code, kind], and what the kinds mean there.
export function viewed(view) {
  if (view.key === "consensus") return consensusView(view.least);
  if (view.key === "fusion") return fusionView();
  if (view.key === "difference") {
    return [difference(networkOf(view.one), networkOf(view.other)), {
      kept: "in both",
      dropped: `only in ${inWords(view.one)}`,
      added: `only in ${inWords(view.other)}`,
      reversed: `other way round in ${inWords(view.other)}`,
    }];
  }
  return [difference(networkOf(view.key), consensus), {
    kept: "in the consensus too",
    dropped: "not in the consensus",
    added: "in the consensus only",
    reversed: "other way round in the consensus",
  }];
}

// The consensus, and of each pair that it leaves apart the direction that more inputs have.
function consensusView(least) {
  const arcs = [...consensus].map((code) => [code, KIND[statusOf(code)]]);
  for (const code of supports.keys()) {
    if (statusOf(code) !== "dropped") continue;
    const [forward, backward] = [support(code), support(turned(code))];
    const isStronger = forward > backward || (forward === backward && sourceOf(code) < targetOf(code));
    if (isStronger && supportEitherWay(code) * thresholdSteps >= least * data.weight) arcs.push([code, "dropped"]);
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
    added: `${STATUS.added}: no input has it`,
    reversed: "other way round in the consensus",
  }];
}

function difference(one, other) {
  const arcs = [...one].map((code) => [
    code,
    other.has(code) ? "kept" : other.has(turned(code)) ? "reversed" : "dropped",
  ]);
  other.forEach((code) => {
    if (!one.has(code) && !one.has(turned(code))) arcs.push([code, "added"]);
  });
  return arcs;
}
