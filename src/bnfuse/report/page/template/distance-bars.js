// The distance of each input to the consensus, as bars.
import { $, element, note } from "./elements.js";
import { hasInputs, inputs, isWhole } from "./networks.js";
import { whole } from "./number-texts.js";
import { ONLY_COUNTS } from "./page-data.js";
import { remembered } from "./restart.js";
import { onView, show, stage } from "./stage.js";

const FIRST_BARS = 12;
const END = 8; // letters of a long name that are always visible
const bars = remembered("bars", { areAllShown: false });

export function startBars() {
  if (!hasInputs) {
    $("bars-card").append(note(ONLY_COUNTS));
    return;
  }
  $("all-bars").addEventListener("click", () => {
    bars.areAllShown = !bars.areAllShown;
    drawBars();
  });
  onView(({ key }) => {
    for (const button of $("bars").querySelectorAll("[data-i]")) {
      button.setAttribute("aria-pressed", button.dataset.i === key);
    }
  });
  if (!isWhole) $("bars").after(note("Each on the pairs of variables that the input has."));
  drawBars();
}

function drawBars() {
  const sorted = inputs.map((input, i) => [input, i]).sort(([a, i], [b, j]) => b.distance - a.distance || i - j);
  const most = Math.max(1e-9, sorted[0][0].distance);
  const visible = bars.areAllShown ? sorted : sorted.slice(0, FIRST_BARS);
  $("bars").replaceChildren(...visible.map(([input, i]) => element("li", {}, barButton(input, String(i), most))));
  const button = $("all-bars");
  button.hidden = sorted.length <= FIRST_BARS;
  button.textContent = bars.areAllShown ? `Show the ${FIRST_BARS} farthest` : `Show all ${sorted.length}`;
}

// A long name is shortened in the middle: such names often differ at their ends.
function middleCut(name) {
  const letters = [...name];
  const end = letters.slice(-END).join("").trimStart();
  const parts = [letters.slice(0, -END).join(""), end].map((part) => element("span", {}, part));
  return letters.length > 2 * END ? element("span", { class: "cut", dir: "auto" }, ...parts) : name;
}

function barButton(input, key, most) {
  const bar = element("span", { class: "bar" });
  bar.style.width = `${(100 * input.distance) / most}%`;
  const apart = input.apart ? ", may stand apart" : "";
  return element(
    "button",
    {
      type: "button",
      class: input.apart ? "apart" : "",
      "data-i": key,
      "aria-pressed": String(stage.view.key === key),
      title: input.name,
      "aria-label": `${input.name}: distance ${whole(input.distance)}${apart}. Show it.`,
      onclick: () => show({ key: stage.view.key === key ? "consensus" : key }),
    },
    element("span", { class: "who" }, middleCut(input.name), input.apart ? element("em", {}, "may stand apart") : null),
    bar,
    element("span", { class: "value" }, whole(input.distance)),
  );
}
