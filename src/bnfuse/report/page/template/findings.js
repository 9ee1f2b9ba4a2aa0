// A finding on a variable: the number of its state; an array with a likelihood for each state, 0 if it is ruled out; or
// {to: state} for a variable that is set from outside (do).
import { variables } from "./page-data.js";
import { statesOf } from "./page-tables.js";

export const isSet = (finding) => finding?.to !== undefined;
// The only state that a variable can have; -1 if several are left.
export const stateOf = (finding) => (Array.isArray(finding) || finding === undefined ? -1 : finding.to ?? finding);
// Whether states differ in their likelihoods, apart from those that are ruled out.
export const isWeighed = (finding) => Array.isArray(finding) && new Set(finding.filter(Boolean)).size > 1;
export const isNothing = (finding) => Array.isArray(finding) && !finding.some(Boolean);

export const weightsOf = (finding, size) =>
  Array.isArray(finding) ? finding : Array.from({ length: size }, (_, state) => Number(state === stateOf(finding)));

// Likelihoods as a finding: none if all are equal, a state if it is the only one left.
export function findingOf(weights) {
  const left = [...weights.keys()].filter((state) => weights[state] > 0);
  if (left.length === 1) return left[0];
  return left.length && weights.every((one) => one === weights[0]) ? null : weights;
}

const pairs = (variable, finding) => statesOf(variable).map((label, state) => [label, finding[state]]);

export function findingText(variable, finding) {
  const name = variables[variable];
  if (!Array.isArray(finding)) return `${isSet(finding) ? "do " : ""}${name} = ${statesOf(variable)[stateOf(finding)]}`;
  const [left, out] = [true, false].map((isLeft) => pairs(variable, finding).filter(([, weight]) => weight > 0 === isLeft));
  if (!left.length) return `${name} = none of its states`;
  if (isWeighed(finding)) return `${name} = ${left.map(([label, weight]) => `${label}:${weight}`).join(", ")}`;
  const [word, some] = left.length <= out.length ? ["=", left] : ["not", out];
  return `${name} ${word} ${some.map(([label]) => label).join(" or ")}`;
}

// As an option of `bnfuse query`.
export function findingOption(variable, finding) {
  const name = variables[variable];
  if (!Array.isArray(finding)) return [isSet(finding) ? "--do" : "--given", `${name}=${statesOf(variable)[stateOf(finding)]}`];
  const left = pairs(variable, finding).filter(([, weight]) => weight > 0);
  const escaped = (label) => label.replace(/[\\,:]/g, "\\$&");
  const texts = left.map(([label, weight]) => (isWeighed(finding) ? `${escaped(label)}:${weight}` : escaped(label)));
  return ["--given", `${name}=${texts.join(",")}`];
}

// The same in a network that has other numbers for its states: undefined if it lacks one.
export function findingFor(finding, before, now) {
  if (Array.isArray(finding)) {
    const isSame = now.length === before.length && now.every((label) => before.includes(label));
    return isSame ? now.map((label) => finding[before.indexOf(label)]) : undefined;
  }
  const state = now.indexOf(before[stateOf(finding)]);
  return state < 0 ? undefined : isSet(finding) ? { to: state } : state;
}
