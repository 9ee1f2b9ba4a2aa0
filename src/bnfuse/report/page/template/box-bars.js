// The effect of the findings on every variable, in its box: its states next to each other and, in a thinner bar below,
// the same without findings.
import { $, svgElement } from "./elements.js";
import { chancesOf, findings, isAsked, onEvidence, priorOf } from "./evidence.js";
import { isSet, stateOf } from "./findings.js";
import { nodes } from "./network-picture.js";
import { targetOf } from "./networks.js";
import { repaint } from "./painted-picture.js";
import { statesOf, tables } from "./page-tables.js";
import { shade } from "./posterior-bars.js";
import { onView } from "./stage.js";

const MARGIN = 7; // at the sides of a box
const NOW = { above: 11.5, height: 6 }; // from the bottom of the box to the top of a bar
const BEFORE = { above: 4.5, height: 2.5 };
const LETTER = 5.8; // about the width of one, where a box says what was found

function draw() {
  const isShown = isAsked();
  $("net").classList.toggle("asked", isShown);
  nodes.forEach((node, variable) => {
    const isFound = Boolean(tables) && findings.has(variable);
    const isOpen = isFound && stateOf(findings.get(variable)) < 0;
    node.querySelector(".chances")?.remove();
    node.classList.toggle("found", isFound && !isOpen);
    node.classList.toggle("weighed", isOpen);
    if (isShown) node.append(barsOf(node.querySelector("rect"), variable));
  });
  cutArcs();
  repaint();
}

// A variable that is set has no causes of its own.
function cutArcs() {
  for (const arc of $("arcs").children) arc.classList.toggle("cut", isSet(findings.get(targetOf(Number(arc.dataset.a)))));
}

function barsOf(box, variable) {
  const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(box.getAttribute(name)));
  const frame = { x: x + MARGIN, bottom: y + height, width: width - 2 * MARGIN };
  const found = findings.get(variable);
  const before = findings.size ? stacked(priorOf(variable), frame, BEFORE) : [];
  const parts = stateOf(found) >= 0
    ? [findingIn(frame, statesOf(variable)[stateOf(found)], isSet(found) ? "do" : "=")]
    : [...stacked(chancesOf(variable), frame, NOW), ...before];
  return svgElement("g", { class: "chances", "aria-hidden": "true" }, ...parts);
}

function findingIn({ x, bottom, width }, label, sign) {
  const most = Math.max(3, Math.floor(width / LETTER) - 2);
  const text = label.length > most ? `${label.slice(0, most - 1)}\u2026` : label;
  return svgElement("text", { x: (x + width / 2).toFixed(1), y: (bottom - 4).toFixed(1) }, `${sign} ${text}`);
}

// Shares of a bar's length, in the order of the states.
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

export function startBoxBars() {
  draw();
  onEvidence(draw);
  onView(cutArcs);
}
