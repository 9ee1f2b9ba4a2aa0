// Mouse, fingers and keys over the picture, and the search for a variable.
import { tell, tellNotFound } from "./details-panel.js";
import { $ } from "./elements.js";
import { dragBox, dropBox } from "./moved-boxes.js";
import { arcNodes, nodes } from "./network-picture.js";
import { variables } from "./page-data.js";
import { choose, stage } from "./stage.js";
import { fit, goTo, shift, zoom } from "./viewport.js";

const net = $("net");
const arcAt = (target) => target && target.closest("#net [data-a]");
const nodeAt = (target) => target && target.closest("#net [data-v]");
const arcChoice = (arc) => ({ arc: Number(arc.dataset.a) });
const variableChoice = (node) => ({ variable: Number(node.dataset.v) });

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
    drag = { x: event.clientX, y: event.clientY, moved: false, node: nodeAt(event.target) };
  });
  net.addEventListener("pointermove", (event) => {
    if (!drag) return;
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
    const [arc, node] = [arcAt(event.target), nodeAt(event.target)];
    choose(arc ? arcChoice(arc) : node ? variableChoice(node) : null);
  });
  net.addEventListener("pointercancel", end);
  net.addEventListener("pointerover", (event) => {
    if (!drag && arcAt(event.target)) tell(arcChoice(arcAt(event.target)));
  });
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
    else if (event.key === "Escape") choose(null);
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
  const all = from.dataset.a ? [...arcNodes.values()] : nodes;
  const to = all[(all.indexOf(from) + step + all.length) % all.length];
  from.setAttribute("tabindex", -1);
  to.setAttribute("tabindex", 0);
  to.focus({ preventScroll: true });
}

function find(text, isFinal) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return;
  let found = variables.findIndex((name) => name.toLowerCase() === wanted);
  if (found < 0 && isFinal) found = variables.findIndex((name) => name.toLowerCase().includes(wanted));
  if (found >= 0) goTo(found);
  else if (isFinal) tellNotFound(text.trim());
}

function startSearch() {
  $("names").append(...variables.map((name) => Object.assign(document.createElement("option"), { value: name })));
  $("search").addEventListener("input", (event) => find(event.target.value, false));
  $("search").addEventListener("keydown", (event) => {
    if (event.key === "Enter") find(event.target.value, true);
  });
}

export function startInput() {
  listenToDrags();
  listenToKeys();
  startSearch();
  net.addEventListener("pointerout", (event) => {
    const focused = arcAt(document.activeElement);
    if (arcAt(event.target)) tell(focused ? arcChoice(focused) : stage.chosen);
  });
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
