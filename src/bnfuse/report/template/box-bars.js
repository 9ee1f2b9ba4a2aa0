// What the findings make of every variable, in its box: its states side by side, and below, thinner, without findings.
import { $, svgElement } from "./elements.js";
import { canAnswer, chancesOf, findings, isImpossible, onEvidence, priorOf } from "./evidence.js";
import { nodes } from "./network-picture.js";
import { variables } from "./page-data.js";
import { statesOf } from "./page-tables.js";
import { shade, stateText } from "./posterior-bars.js";

const MARGIN = 7; // at the sides of a box
const NOW = { above: 11.5, height: 6 }; // from the bottom of the box to the top of a bar
const BEFORE = { above: 4.5, height: 2.5 };
const MOST_TOLD = 4; // states of a box in words

function draw() {
  const isShown = canAnswer && findings.size > 0 && !isImpossible();
  $("net").classList.toggle("asked", isShown);
  nodes.forEach((node, variable) => {
    node.querySelector(".chances")?.remove();
    node.classList.toggle("found", findings.has(variable));
    tellInWords(node, variable, isShown);
    if (isShown) node.append(barsOf(node.querySelector("rect"), variable));
  });
}

function barsOf(box, variable) {
  const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(box.getAttribute(name)));
  const frame = { x: x + MARGIN, bottom: y + height, width: width - 2 * MARGIN };
  return svgElement(
    "g",
    { class: "chances", "aria-hidden": "true" },
    ...stacked(chancesOf(variable), frame, NOW),
    ...stacked(priorOf(variable), frame, BEFORE),
  );
}

// Shares of a bar's length, the states in their order.
function stacked(chances, { x, bottom, width }, { above, height }) {
  let start = x;
  return [...chances].map((share, state) => {
    const part = svgElement("rect", {
      x: start.toFixed(1),
      y: (bottom - above).toFixed(1),
      width: (share * width).toFixed(1),
      height,
      "fill-opacity": shade(state, chances.length),
    });
    start += share * width;
    return part;
  });
}

// At the pointer, and for screen readers.
function tellInWords(node, variable, isShown) {
  node.querySelector("title.told")?.remove();
  if (!isShown) return;
  const states = statesOf(variable).map((_, state) => state);
  states.sort((one, other) => chancesOf(variable)[other] - chancesOf(variable)[one]);
  const texts = states.slice(0, MOST_TOLD).map((state) => stateText(variable, state));
  const title = svgElement("title", { class: "told" });
  title.textContent = `${variables[variable]}\n${texts.join("\n")}${states.length > MOST_TOLD ? "\n\u2026" : ""}`;
  node.prepend(title); // of two titles the first counts
}

export function startBoxBars() {
  onEvidence(draw);
}
