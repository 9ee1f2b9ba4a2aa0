// The facts at the pointer, or at the element with the focus: next to it, never over it.
import { $, element } from "./elements.js";
import { chancesOf, isAsked } from "./evidence.js";
import { family } from "./families.js";
import { isolated } from "./isolates.js";
import { nodes } from "./network-picture.js";
import { named } from "./networks.js";
import { count } from "./number-texts.js";
import { variables } from "./page-data.js";
import { statesOf } from "./page-tables.js";
import { elementAt } from "./painted-picture.js";
import { stateText } from "./posterior-bars.js";
import { signal } from "./restart.js";

const MOST_STATES = 4;
const EDGE = 8;
const AWAY = 14; // from the pointer
const SAMPLES = 60; // points of an arc

const tip = element("div", { id: "tip", role: "tooltip", hidden: true });
const thingOf = (target) => target.closest?.("#pictures :is([data-a], [data-v])");
let told = null; // what it tells of

function linesOf(thing) {
  const label = thing.dataset.label || thing.getAttribute("aria-label");
  const name = isolated(thing.dataset.a ? named(Number(thing.dataset.a)) : variables[thing.dataset.v]); // as the label has it
  const more = label.slice(name.length).replace(/^[:,] /, "");
  return [name, ...(more ? [more] : []), ...(thing.dataset.v ? boxLines(Number(thing.dataset.v)) : [])];
}

function boxLines(variable) {
  if (isAsked()) {
    const states = [...statesOf(variable).keys()].sort((one, other) => chancesOf(variable)[other] - chancesOf(variable)[one]);
    const texts = states.slice(0, MOST_STATES).map((state) => stateText(variable, state));
    return [...texts, ...(states.length > MOST_STATES ? ["\u2026"] : [])];
  }
  const { parents, children, neighbours } = family(variable);
  const some = [[parents, "parent"], [children, "child"], [neighbours, "neighbour"]].filter(([all]) => all.length);
  const texts = some.map(([all, word]) => (word === "child" && all.length > 1 ? `${all.length} children` : count(all.length, word)));
  return [texts.join(", ") || "no arcs"];
}

function tell(thing, pointer) {
  if (thing !== told) {
    hide();
    told = thing;
    const [name, ...lines] = linesOf(thing);
    tip.replaceChildren(element("strong", {}, name), ...lines.map((line) => element("div", {}, line)));
    tip.hidden = false;
    if (thing.matches("#net [data-v]")) thing.setAttribute("aria-describedby", "tip"); // of arcs the details are read out
  }
  place(pointer);
}

// The first of the positions around it that covers no part of it.
function place(pointer) {
  const { width, height } = tip.getBoundingClientRect();
  const box = told.dataset.v && told.getBoundingClientRect();
  const points = box ? [] : pointsOf(told.querySelector(".line"));
  const { x, y } = pointer || (box ? middleOf(box) : points[SAMPLES / 2]);
  const [left, right, top, bottom] = box ? [box.left, box.right, box.top, box.bottom] : [x, x, y, y];
  const places = [AWAY, 4 * AWAY, 10 * AWAY].flatMap((away) => [
    [x - width / 2, top - height - away + EDGE],
    [x - width / 2, bottom + away],
    [right + away, y - height / 2],
    [left - width - away, y - height / 2],
  ]).map(([x, y]) => [inside(x, innerWidth - width), inside(y, innerHeight - height)]);
  const covered = ([at, under]) =>
    box
      ? Number(at < right && at + width > left && under < bottom && under + height > top)
      : points.filter((one) => one.x > at - 4 && one.x < at + width + 4 && one.y > under - 4 && one.y < under + height + 4).length;
  const best = places.reduce((one, other) => (covered(other) < covered(one) ? other : one));
  [tip.style.left, tip.style.top] = best.map((value) => `${value}px`);
}

const inside = (value, most) => Math.max(EDGE, Math.min(value, most - EDGE));
const middleOf = ({ left, right, top, bottom }) => ({ x: (left + right) / 2, y: (top + bottom) / 2 });

function pointsOf(path) {
  const [length, matrix] = [path.getTotalLength(), path.getScreenCTM()];
  return Array.from({ length: SAMPLES + 1 }, (_, i) => path.getPointAtLength(length * i / SAMPLES).matrixTransform(matrix));
}

function hide() {
  told?.removeAttribute("aria-describedby");
  told = null;
  tip.hidden = true;
}

export function startTooltip() {
  const pictures = $("pictures");
  pictures.append(tip);
  for (const node of nodes) node.querySelector("title")?.remove(); // one tooltip is enough
  pictures.addEventListener("pointermove", ({ target, pointerType, buttons, clientX: x, clientY: y }) => {
    const thing = thingOf(target) || (target.closest("#net") && elementAt(x, y));
    if (!thing || pointerType === "touch" || buttons) hide();
    else tell(thing, thing.dataset.a ? { x, y } : null);
  });
  pictures.addEventListener("focusin", ({ target }) => {
    const thing = thingOf(target);
    if (thing && thing.matches(":focus-visible")) tell(thing);
  });
  for (const event of ["pointerleave", "pointerdown", "focusout", "wheel", "keydown"]) {
    pictures.addEventListener(event, hide, true);
  }
  document.addEventListener("scroll", hide, { capture: true, passive: true, signal });
}
