// Boxes in other places: dragged by the mouse or, after a long press, a finger; or sent there with Shift and arrow keys.
import { $ } from "./elements.js";
import { drawArcs, nodes } from "./network-picture.js";
import { layout } from "./page-data.js";
import { drag, drop, homeOf, moved, onMove, putBack, rowBeside } from "./places.js";

const STEP = 12;
let from = null; // where the box that is dragged now was, and how far that is from the pointer

function draw(variable) {
  const [x, y] = homeOf(variable);
  nodes[variable].setAttribute("transform", `translate(${layout.x[variable] - x} ${layout.y[variable] - y})`);
  $("put-back").hidden = !moved.size;
}

export function dragBox(variable, { clientX, clientY }) {
  const at = new DOMPoint(clientX, clientY).matrixTransform($("net").getScreenCTM().inverse());
  const [x, y] = [layout.x[variable], layout.y[variable]];
  from ||= { x, y, across: x - at.x, down: y - at.y };
  drag(variable, at.x + from.across, at.y + from.down);
}

export function dropBox(variable) {
  if (from && !drop(variable, layout.x[variable], layout.y[variable])) drag(variable, from.x, from.y);
  from = null;
}

function listenToKeys() {
  $("net").addEventListener("keydown", (event) => {
    const node = event.shiftKey && event.target.closest("[data-v]");
    const [across, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] || [];
    if (!node || across === undefined) return;
    event.preventDefault();
    event.stopPropagation(); // without Shift they go to the next box
    const variable = Number(node.dataset.v);
    const row = rowBeside(layout.y[variable], down);
    if (row !== undefined) drop(variable, layout.x[variable] + STEP * across, row, across);
  }, true);
}

export function startMoves() {
  for (const variable of moved.keys()) draw(variable);
  onMove((variable) => {
    draw(variable);
    drawArcs();
  });
  $("put-back").addEventListener("click", () => {
    putBack();
    $("net").focus({ preventScroll: true }); // the button goes
  });
  listenToKeys();
}
