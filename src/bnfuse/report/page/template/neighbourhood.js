// One variable and those around it, in a separate layout: within one step along arcs of the network that is shown, or
// two.
import { $, element } from "./elements.js";
import { sourceOf, targetOf } from "./networks.js";
import { whole } from "./number-texts.js";
import { layout, variables } from "./page-data.js";
import { place, placing } from "./placing.js";
import { smallLayout } from "./small-layout.js";
import { chosenVariable, onChoice, onView, show, stage } from "./stage.js";
import { mainNetwork, viewed } from "./views.js";

const FEW = 25; // variables: they are seen at once
const LONGEST = 24; // letters of a name beside the buttons

function within(arcs, variable, steps) {
  const reached = new Set([variable]);
  for (let step = 0; step < steps; step++) {
    const before = new Set(reached);
    for (const code of arcs) {
      if (before.has(sourceOf(code))) reached.add(targetOf(code));
      if (before.has(targetOf(code))) reached.add(sourceOf(code));
    }
  }
  return [...reached].sort((one, other) => one - other);
}

function arrange({ around }) {
  if (!around) return place();
  const members = within(mainNetwork(stage.view), around.variable, around.steps);
  const isMember = new Set(members);
  const pairs = viewed(stage.view)[0].map(([code]) => [sourceOf(code), targetOf(code)])
    .filter((ends) => ends.every((v) => isMember.has(v)));
  place(smallLayout(members, pairs, layout));
}

// Leaves the neighbourhood, unless all of these are in the picture.
export function leaveFor(...wanted) {
  if (wanted.some((v) => !placing().members.includes(v))) show({ around: null });
}

function tellAround() {
  const { around } = stage.view;
  const variable = chosenVariable() ?? around?.variable ?? null;
  const panel = $("around");
  panel.hidden = variable === null || (variables.length <= FEW && !around); // an address may lead into one
  if (panel.hidden) return;
  const name = variables[variable];
  const isIn = around?.variable === variable;
  const step = (steps) =>
    element("button", {
      type: "button",
      "aria-pressed": String(isIn && around.steps === steps),
      onclick: () => show({ around: { variable, steps } }),
    }, steps === 1 ? "1 step" : `${steps} steps`);
  const focused = panel.contains(document.activeElement) && document.activeElement.textContent;
  panel.replaceChildren(
    element("span", {}, `Around ${name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}\u2026` : name}:`),
    step(1),
    step(2),
    ...(around ? [element("button", { type: "button", onclick: () => show({ around: null }) }, "Whole network")] : []),
    element("span", { role: "status" }, around ? `${whole(placing().members.length)} of ${whole(variables.length)} variables` : ""),
  );
  if (focused) ([...panel.querySelectorAll("button")].find((one) => one.textContent === focused) || $("net")).focus();
}

export function startNeighbourhood() {
  onView(arrange);
  onView(tellAround);
  onChoice(tellAround);
}
