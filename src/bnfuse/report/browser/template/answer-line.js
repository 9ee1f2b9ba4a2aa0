// The line above the report: the work in progress, its result, and the changes.
import { bridge } from "./bridge.js";
import { $, element, fill } from "./elements.js";
import { aboveBest, count, number } from "./number-texts.js";

const KINDS = { came: "added", went: "dropped", turned: "reversed" };
const MOST_NAMED = 4;

export function tellWorking(text, { canStop = false } = {}) {
  fill($("working"), text);
  $("stop").hidden = !canStop;
}

export function tellTrouble(text) {
  fill($("trouble"), text ?? "");
}

export function tellRefused(text) {
  tellTrouble(text);
  $("changes").replaceChildren();
  $("line").dataset.state = "refused";
}

// For those who do not see the headline change.
export function tellFigures({ distance, bound, arcs }) {
  const proven = bound === null ? "" : distance <= bound ? ", proven optimal" : `, ${aboveBest(distance, bound)}`;
  $("said").textContent = `Mean distance ${number(distance)}${proven}, ${count(arcs, "arc")}.`;
}

export function clearFigures() {
  for (const id of ["changes", "said", "trouble"]) $(id).replaceChildren();
}

// By the report's script, once it has the answer.
bridge.tellChanges = (changed) => {
  const parts = Object.entries(KINDS).flatMap(([kind, words]) => {
    const arcs = changed?.[kind] ?? [];
    if (!arcs.length) return [];
    const named = arcs.slice(0, MOST_NAMED).map(([source, target]) => `${source} \u2192 ${target}`).join(", ");
    const more = arcs.length > MOST_NAMED ? ` and ${arcs.length - MOST_NAMED} more` : "";
    return [element("span", { class: kind }, `${named}${more} ${words}`)];
  });
  $("changes").replaceChildren(...parts);
  if (changed && !parts.length) fill($("changes"), "The network is the same as before.");
};
