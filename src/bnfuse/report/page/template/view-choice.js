// The controls that choose a view.
import { $, element } from "./elements.js";
import { MANY_ARCS } from "./network-picture.js";
import { consensus, fusion, hasInputs, inputs, reversible } from "./networks.js";
import { remembered } from "./restart.js";
import { onView, show, stage } from "./stage.js";
import { firstThreshold, isByNumber, isOfTwo, nameOf, thresholdSteps, thresholdText } from "./views.js";

const option = (key) => element("option", { value: key }, nameOf(key));
const inputGroup = () =>
  element("optgroup", { label: "Inputs" }, ...inputs.map((_, i) => option(String(i))));

// Two pictures are made of elements, never painted.
const canStandBeside = () => [consensus, fusion || [], ...inputs.map(({ arcs }) => arcs)].every(({ size = 0 }) => size <= MANY_ARCS);

export function startViewChoice() {
  const view = { key: "consensus", one: "consensus", other: "consensus", least: firstThreshold };
  $("view").append(option("consensus"));
  if (hasInputs) {
    const fused = () => (fusion ? [option("fusion")] : []);
    const ofTwo = [["difference", "difference of two"], ...(canStandBeside() ? [["beside", "two side by side"]] : [])];
    $("view").append(
      ...fused(),
      ...ofTwo.map(([value, text]) => element("option", { value }, text)),
      inputGroup(),
    );
    for (const id of ["one", "other"]) $(id).append(option("consensus"), ...fused(), inputGroup());
    const farthest = inputs.reduce((best, input, i) => (input.distance > inputs[best].distance ? i : best), 0);
    view.other = String(farthest);
  }
  $("view-label").hidden = !hasInputs; // there is one view
  $("least").max = thresholdSteps;
  keepThreshold(stage.view);
  $("view").addEventListener("change", () => show({ key: $("view").value }));
  for (const id of ["one", "other"]) $(id).addEventListener("change", () => show({ [id]: $(id).value }));
  $("least").addEventListener("input", () => show({ least: Number($("least").value) }));
  $("heads").addEventListener("change", () => show({ heads: $("heads").checked }));
  onView(sync);
  return view;
}

// A number of inputs is not a number of steps of a share, which the threshold is once inputs have weights.
function keepThreshold(view) {
  const before = remembered("threshold", {});
  if (before.steps && before.isByNumber !== isByNumber && view.least !== firstThreshold) {
    view.least = view.least === before.first ? firstThreshold : Math.max(1, Math.round((view.least * thresholdSteps) / before.steps));
  }
  Object.assign(before, { isByNumber, steps: thresholdSteps, first: firstThreshold });
}

function sync({ key, one, other, least, heads }) {
  $("view").value = key;
  $("one").value = one;
  $("other").value = other;
  $("least").value = least;
  $("least-text").textContent = thresholdText(least);
  $("pair").hidden = !isOfTwo(key);
  [$("one-word").textContent, $("other-word").textContent] = key === "beside" ? ["left", "right"] : ["from", "to"];
  $("threshold").hidden = key !== "consensus";
  $("heads").checked = heads;
  $("free-heads").hidden = key !== "consensus" || !reversible.size;
}

// Shows a view of the first screen, from anywhere on the page.
export function showThere(key, more = {}) {
  show({ key, ...more });
  $("first").scrollIntoView();
}
