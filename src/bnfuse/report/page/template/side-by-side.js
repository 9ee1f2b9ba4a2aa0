// The second of two networks next to each other: its boxes have the same positions as those of the first, and both show
// the same part.
import { $, element, fill, setLabel, svgElement } from "./elements.js";
import { onEvidence } from "./evidence.js";
import { startFingers } from "./fingers.js";
import { arcElements, boxesShown, ofMembers } from "./network-picture.js";
import { count } from "./number-texts.js";
import { onMove } from "./places.js";
import { signal } from "./restart.js";
import { choose, onChoice, onView, stage } from "./stage.js";
import { shift, zoom } from "./viewport.js";
import { besideIt, nameOf, viewed } from "./views.js";

const FAMILY = ["parent", "child", "spouse", "neighbour", "near", "unknown"]; // in the first one

// A part of a picture that is one thing to the keyboard and to screen readers; the tooltip still knows it.
function silence(part) {
  part.dataset.label = part.getAttribute("aria-label");
  for (const name of ["tabindex", "role", "aria-label", "aria-describedby"]) part.removeAttribute(name);
}

export function startSideBySide() {
  const net = $("net");
  const second = svgElement("svg", { id: "other-net", role: "img", "font-size": 12 });
  const names = [element("p", { class: "whose" }), element("p", { class: "whose" })];
  const draw = () => {
    const { view, chosen } = stage;
    const isShown = view.key === "beside";
    $("pictures").classList.toggle("two", isShown);
    for (const one of [second, ...names]) one.toggleAttribute("hidden", !isShown);
    if (!isShown) return second.replaceChildren();
    [view.one, view.other].forEach((key, i) => fill(names[i], nameOf(key)));
    const arcs = ofMembers(besideIt(view));
    const lines = arcElements(arcs, viewed(view)[1]);
    for (const line of lines) {
      silence(line);
      line.classList.toggle("chosen", Boolean(chosen) && chosen.arc === Number(line.dataset.a));
    }
    const boxes = net.querySelector(".nodes").cloneNode(false);
    boxes.append(...boxesShown().map((box) => box.cloneNode(true)));
    for (const box of boxes.children) {
      silence(box);
      box.classList.remove(...FAMILY);
    }
    second.setAttribute("class", net.classList.contains("asked") ? "asked" : "");
    setLabel(second, `${nameOf(view.other)}: ${count(arcs.length, "arc")}`);
    second.replaceChildren(svgElement("g", { class: "arcs" }, ...lines), boxes);
  };
  net.before(names[0]);
  net.after(names[1], second);
  for (const on of [onView, onChoice, onEvidence, onMove]) on(draw);
  listen(second);
  startFingers(second);
  const observer = new MutationObserver(() => second.setAttribute("viewBox", net.getAttribute("viewBox")));
  observer.observe(net, { attributeFilter: ["viewBox"] });
  signal.addEventListener("abort", () => observer.disconnect());
}

function listen(second) {
  let moved = 0;
  second.addEventListener("pointerdown", ({ pointerId, pointerType, target }) => {
    moved = 0;
    if (pointerType !== "touch" && !target.closest("[data-v], [data-a]")) second.setPointerCapture(pointerId);
  });
  second.addEventListener("pointermove", ({ buttons, pointerType, movementX: x, movementY: y }) => {
    if (!buttons || pointerType === "touch") return;
    moved += Math.hypot(x, y);
    shift(-x, -y);
  });
  second.addEventListener("pointerup", ({ target, pointerType }) => {
    if (pointerType === "touch" || moved > 3) return;
    const { a, v } = target.closest("[data-v], [data-a]")?.dataset || {};
    choose(a ? { arc: Number(a) } : v ? { variable: Number(v) } : null);
  });
  second.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !$("net").contains(document.activeElement)) return;
    event.preventDefault();
    const { left, top } = second.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 400), event.clientX - left, event.clientY - top);
  }, { passive: false });
}
