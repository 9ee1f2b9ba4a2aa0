// Boxes in other positions: dragged by the mouse or, after a long press, a finger; or moved with Shift and arrow keys.
import { $ } from "./elements.js";
import { draw, isOnCanvas } from "./network-picture.js";
import { layout } from "./page-data.js";
import { drag, drop, moved, onMove, putBack, rowBeside } from "./places.js";
import { isWhole } from "./placing.js";
import { onView } from "./stage.js";

const STEP = 12;
let from = null; // the position of the dragged box, and its distance from the pointer

// Boxes of a painted picture and of a neighbourhood stay where they are.
export const canMove = () => isWhole() && !isOnCanvas();

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
    if (!node || across === undefined || !canMove()) return;
    event.preventDefault();
    event.stopPropagation(); // without Shift they go to the next box
    const variable = Number(node.dataset.v);
    const row = rowBeside(layout.y[variable], down);
    if (row !== undefined) drop(variable, layout.x[variable] + STEP * across, row, across);
  }, true);
}

export function startMoves() {
  const label = $("net").getAttribute("aria-label");
  const tell = () => {
    $("put-back").hidden = !moved.size || !canMove();
    $("net").setAttribute("aria-label", canMove() ? label : label.replace(/;[^;]*$/, "."));
  };
  onView(tell);
  onMove(() => {
    draw();
    tell();
  });
  $("put-back").addEventListener("click", () => {
    putBack();
    $("net").focus({ preventScroll: true }); // the button disappears
  });
  listenToKeys();
}
