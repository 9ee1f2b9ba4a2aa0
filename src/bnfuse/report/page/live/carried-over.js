// The page stores variables, arcs and inputs by their numbers. When others are added or removed, these numbers change.
import { findingFor } from "./findings.js";
import { data, layout, variables } from "./page-data.js";
import { isFirstRun, remembered } from "./restart.js";
import { firstThreshold, isOfTwo, thresholdSteps } from "./views.js";

const known = remembered("known", {});
const now = {
  variables,
  inputs: data.inputs.map(({ name }) => name),
  states: data.tables && data.tables.states,
  places: JSON.stringify([layout.x, layout.y]),
  hasFusion: Boolean(data.fusion),
  firstThreshold,
};
if (!isFirstRun) carryOver(known);
Object.assign(known, now);

function carryOver(before) {
  const variable = (v) => now.variables.indexOf(before.variables[v]);
  const stage = remembered("stage");
  carryView(stage.view, before, variable);
  stage.chosen = chosenNow(stage.chosen, before, variable);
  carryFindings(before, variable);
  if (before.places !== now.places) {
    remembered("moved").clear();
    remembered("viewport").how = "first";
  }
}

function carryView(view, before, variable) {
  const networkNow = (key) => {
    if (key === "fusion") return now.hasFusion ? key : "consensus";
    if (key === "consensus" || isOfTwo(key)) return key;
    const i = now.inputs.indexOf(before.inputs[Number(key)]);
    return i < 0 ? "consensus" : String(i);
  };
  for (const part of ["key", "one", "other"]) view[part] = networkNow(view[part]);
  if (!now.inputs.length) view.key = "consensus";
  view.least = view.least === before.firstThreshold ? now.firstThreshold : Math.min(view.least, thresholdSteps);
  if (!view.around) return;
  const middle = variable(view.around.variable);
  view.around = middle < 0 ? null : { ...view.around, variable: middle };
}

function chosenNow(chosen, before, variable) {
  if (!chosen || "told" in chosen) return chosen;
  if ("variable" in chosen) {
    const v = variable(chosen.variable);
    return v < 0 ? null : { variable: v };
  }
  const n = before.variables.length;
  const [source, target] = [variable(Math.floor(chosen.arc / n)), variable(chosen.arc % n)];
  return source < 0 || target < 0 ? null : { arc: source * now.variables.length + target };
}

// Also those of steps that can be undone.
function carryFindings(before, variable) {
  const carried = (all) =>
    (now.states && before.states ? all : []).flatMap(([v, finding]) => {
      const own = variable(v);
      const carriedOne = own < 0 ? undefined : findingFor(finding, before.states[v], now.states[own]);
      return carriedOne === undefined ? [] : [[own, carriedOne]];
    });
  const findings = remembered("findings");
  const all = carried([...findings]);
  findings.clear();
  for (const [v, finding] of all) findings.set(v, finding);
  for (const steps of Object.values(remembered("steps"))) steps.forEach((one, i) => (steps[i] = carried(one)));
}
