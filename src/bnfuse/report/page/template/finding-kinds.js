// The kinds of findings on a variable: the meaning of a click on a state, or likelihoods in fields.
import { element } from "./elements.js";
import { find, findings, know } from "./evidence.js";
import { findingOf, isSet, isWeighed, stateOf, weightsOf } from "./findings.js";
import { statesOf } from "./page-tables.js";

const weightsNow = (variable) => {
  const size = statesOf(variable).length;
  return findings.has(variable) ? weightsOf(findings.get(variable), size) : new Array(size).fill(1);
};
const weigh = (variable, state, weight) => know(variable, findingOf(weightsNow(variable).with(state, weight)));
const isOut = (finding, state) => finding !== undefined && weightsOf(finding, state + 1)[state] === 0;

export const KINDS = {
  known: {
    text: "known",
    choose: find,
    isChosen: (finding, state) => stateOf(finding) === state,
  },
  out: {
    text: "ruled out",
    choose: (variable, state) => weigh(variable, state, Number(isOut(findings.get(variable), state))),
    isChosen: isOut,
  },
  set: {
    text: "set from outside (do)",
    note: "What would follow if somebody set it: its own causes no longer count. Only right where arcs are causes.",
    choose: (variable, state) => find(variable, { to: state }),
    isChosen: (finding, state) => stateOf(finding) === state,
  },
  weighed: {
    text: "weighed (likelihoods)",
    note: "How well each state fits what was seen, on any scale; 0 rules it out.",
  },
};

let chosen = {}; // the kind that a reader has chosen for a variable

export function kindOf(variable) {
  const finding = findings.get(variable);
  if (isSet(finding)) return "set";
  if (chosen.variable === variable && (chosen.kind !== "set" || stateOf(finding) < 0)) return chosen.kind;
  return isWeighed(finding) ? "weighed" : Array.isArray(finding) ? "out" : "known";
}

export function kindChoice(variable, update) {
  const select = element("select", {}, ...Object.entries(KINDS).map(([kind, { text }]) => element("option", { value: kind }, text)));
  select.addEventListener("change", () => {
    const [state, was] = [stateOf(findings.get(variable)), isSet(findings.get(variable))];
    chosen = { variable, kind: select.value };
    // A state that is known can be set instead, and in the other direction.
    if (state >= 0 && was !== (select.value === "set")) know(variable, was ? state : { to: state });
    else update();
  });
  const label = element("label", { class: "kinds off-paper" }, "Chosen states are ", select);
  return Object.assign(label, { update: () => (select.value = kindOf(variable)) });
}

export function likelihoodField(variable, state) {
  const field = element("input", { type: "number", min: 0, step: "any", required: true });
  field.addEventListener("change", () => field.reportValidity() && weigh(variable, state, Number(field.value)));
  field.update = () => {
    const weight = String(weightsNow(variable)[state]);
    if (field.value !== weight) field.value = weight;
  };
  return field;
}
