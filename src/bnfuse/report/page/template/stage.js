// The present view and the selected item in it. Listeners are notified of changes.
import { remembered } from "./restart.js";

export const stage = remembered("stage", {
  // around: {variable, steps}, or nothing where everybody is shown
  // heads: whether arcs whose direction is free have heads, hollow ones
  view: { key: "consensus", one: "consensus", other: "consensus", least: 1, around: null, heads: false },
  chosen: null, // {arc: code}, {variable: number} or {told: key of a sentence that counts arcs}
});
const viewListeners = [];
const choiceListeners = [];

export const onView = (listener) => viewListeners.push(listener);
export const onChoice = (listener) => choiceListeners.push(listener);

// changes: any of the parts of a view.
export function show(changes) {
  Object.assign(stage.view, changes);
  for (const listener of viewListeners) listener(stage.view);
}

export function choose(what) {
  stage.chosen = what;
  for (const listener of choiceListeners) listener(what);
}

export const chosenVariable = () => (stage.chosen && "variable" in stage.chosen ? stage.chosen.variable : null);
