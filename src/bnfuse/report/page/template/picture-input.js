// Mouse, fingers and keys over the picture.
import { tell } from "./details-panel.js";
import { $ } from "./elements.js";
import { canMove, dragBox, dropBox } from "./moved-boxes.js";
import { arcNodes, boxesShown, moveFocus, point } from "./network-picture.js";
import { sourceOf } from "./networks.js";
import { elementAt } from "./painted-picture.js";
import { choose, show, stage } from "./stage.js";
import { bringInSight, fit, shift, zoom } from "./viewport.js";

const net = $("net");
// The arc or box that an element is, or is part of.
const arcAt = (target) => target && target.closest("[data-a]");
const nodeAt = (target) => target && target.closest("[data-v]");
const arcChoice = (arc) => ({ arc: Number(arc.dataset.a) });
const variableChoice = (node) => ({ variable: Number(node.dataset.v) });
// Most elements of a painted picture are not in the page, so the event's own target is not enough.
const targetOf = (event) => elementAt(event.clientX, event.clientY) || event.target;

// Dragging moves the box that it began on, or the picture; a press without a drag chooses what lies under it.
function listenToDrags() {
  let drag = null;
  const end = () => {
    if (drag && drag.node && drag.moved) dropBox(Number(drag.node.dataset.v));
    drag = null;
    net.classList.remove("dragged");
  };
  net.addEventListener("pointerdown", (event) => {
    if (event.button || event.pointerType === "touch") return;
    drag = { x: event.clientX, y: event.clientY, moved: false, node: canMove() && nodeAt(event.target) };
  });
  net.addEventListener("pointermove", (event) => {
    if (!drag) return pointAt(elementAt(event.clientX, event.clientY));
    const [dx, dy] = [drag.x - event.clientX, drag.y - event.clientY];
    if (!drag.moved && Math.hypot(dx, dy) < 4) return;
    if (!drag.moved) net.setPointerCapture(event.pointerId);
    if (drag.node) dragBox(Number(drag.node.dataset.v), event);
    else shift(dx, dy);
    Object.assign(drag, { x: event.clientX, y: event.clientY, moved: true });
    net.classList.add("dragged");
  });
  net.addEventListener("pointerup", (event) => {
    const wasClick = drag && !drag.moved;
    end();
    if (!wasClick || event.button) return;
    const target = targetOf(event);
    const [arc, node] = [arcAt(target), nodeAt(target)];
    choose(arc ? arcChoice(arc) : node ? variableChoice(node) : null);
  });
  net.addEventListener("pointercancel", end);
  net.addEventListener("pointerover", (event) => {
    if (!drag && arcAt(event.target)) tell(arcChoice(arcAt(event.target)));
  });
}

// The item under the pointer is put into the page, so that it is highlighted and described.
let pointedAt = null;
function pointAt(found) {
  if (found === pointedAt) return;
  const before = pointedAt;
  pointedAt = found;
  point(found);
  if (arcAt(found)) tell(arcChoice(found));
  else if (arcAt(before)) tellAgain();
}

function tellAgain() {
  const focused = arcAt(document.activeElement);
  tell(focused ? arcChoice(focused) : stage.chosen);
}

function listenToKeys() {
  net.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [arc, node] = [arcAt(event.target), nodeAt(event.target)];
    const isPress = event.key === "Enter" || event.key === " ";
    const moves = { ArrowLeft: [-60, 0], ArrowRight: [60, 0], ArrowUp: [0, -60], ArrowDown: [0, 60] };
    if (event.key === "+" || event.key === "=") zoom(1.25);
    else if (event.key === "-") zoom(0.8);
    else if (event.key === "0") fit();
    else if (event.key === "Escape") {
      if (stage.chosen || !stage.view.around) choose(null);
      else show({ around: null });
    }
    else if (isPress && arc) choose(arcChoice(arc));
    else if (isPress && node) choose(variableChoice(node));
    else if (event.key in moves) {
      if (arc || node) roam(arc || node, event.key === "ArrowRight" || event.key === "ArrowDown" ? 1 : -1);
      else shift(...moves[event.key]);
    } else return;
    event.preventDefault();
  });
}

// One stop for the Tab key, arrow keys within: to the next arc, or variable.
function roam(from, step) {
  const all = from.dataset.a ? [...arcNodes.values()] : boxesShown();
  const to = all[(all.indexOf(from) + step + all.length) % all.length];
  bringInSight(to.dataset.a ? sourceOf(Number(to.dataset.a)) : Number(to.dataset.v));
  moveFocus(to, all);
}

export function startInput() {
  listenToDrags();
  listenToKeys();
  net.addEventListener("pointerout", (event) => arcAt(event.target) && tellAgain());
  net.addEventListener("pointerleave", () => pointAt(null));
  net.addEventListener("focusin", (event) => {
    if (arcAt(event.target)) tell(arcChoice(arcAt(event.target)));
  });
  net.addEventListener("wheel", (event) => {
    // The page scrolls on, unless the picture is what the reader works with.
    if (!event.ctrlKey && !net.contains(document.activeElement)) return;
    event.preventDefault();
    const place = net.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 400), event.clientX - place.left, event.clientY - place.top);
  }, { passive: false });
}
