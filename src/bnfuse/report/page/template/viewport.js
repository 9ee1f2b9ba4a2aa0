// The visible part of the picture: moving, zooming, going to a variable.
import { $ } from "./elements.js";
import { consensus, contestedPairs, sourceOf, targetOf } from "./networks.js";
import { extent, isWhole, onPlacing, placing } from "./placing.js";
import { remembered, signal } from "./restart.js";
import { choose, show, stage } from "./stage.js";

const LABEL = 12; // units, of the letters in boxes
const READABLE = 11; // pixels
const LARGEST_FAR = 4; // on a wall, which is read from afar
const SHARE = 0.8; // of the picture's width and height, within which two boxes are in sight together
const MOST_TRIED = 1000; // places
const LARGEST = 1.4; // a small network is not enlarged to the width of a screen

const net = $("net");
const listeners = [];
// The top left corner, and pixels for each unit; how: "first" and "whole" follow the size of the window, "moved" does not.
const seen = remembered("viewport", { x: 0, y: 0, scale: 1, how: "first" });
let frame = [0, 0]; // of the picture, in pixels: reading it from the page each time is slow
const wide = () => frame[0];
const high = () => frame[1];
const before = remembered("viewport of the whole", {}); // while a neighbourhood is shown

export const sight = () => ({ ...seen, width: wide() / seen.scale, height: high() / seen.scale });
export const onSight = (listener) => listeners.push(listener);

function place() {
  const { x, y, width, height } = sight();
  net.setAttribute("viewBox", [x, y, width, height].map((value) => value.toFixed(2)).join(" "));
  for (const listener of listeners) listener();
}

function wholeScale() {
  const [, width, height] = extent();
  const largest = document.body.classList.contains("wall") ? LARGEST_FAR : LARGEST;
  return Math.min(largest, wide() / width, high() / height) || 1;
}

// Whether labels are legible when the whole picture is visible.
export const isReadable = () => wholeScale() * LABEL >= READABLE;

function centre(x, y, scale, how) {
  Object.assign(seen, { scale, how, x: x - wide() / scale / 2, y: y - high() / scale / 2 });
  place();
}

export function fit() {
  const [left, width, height] = extent();
  centre(left + width / 2, height / 2, wholeScale(), "whole");
}

// The whole picture if its labels are legible, otherwise the part with most contested pairs or, if there are none, the
// one with most boxes; for a neighbourhood, its middle.
export function fitReadable() {
  const scale = READABLE / LABEL;
  if (isReadable()) fit();
  else if (stage.view.around) centreAt(stage.view.around.variable, scale);
  else centreWithin(...(fullestOf(pairsInSight(scale), scale) ?? fullestOf(boxesWithArcs(), scale) ?? [0, 0]), scale);
  seen.how = "first";
}

// A variable in the middle, unless it is at the edge of the picture.
const centreAt = (variable, scale) => centreWithin(placing().x[variable], placing().y[variable], scale);

function centreWithin(x, y, scale) {
  const [left, width, height] = extent();
  const within = (at, seen, all) => (all < seen ? all / 2 : Math.max(seen / 2, Math.min(all - seen / 2, at)));
  centre(left + within(x - left, wide() / scale, width), within(y, high() / scale, height), scale, "moved");
}

// Where the inputs disagree: the middles of contested pairs whose boxes can be seen together.
function pairsInSight(scale) {
  const { x, y } = placing();
  const places = [];
  for (const code of contestedPairs()) {
    const [one, other] = [sourceOf(code), targetOf(code)];
    const isNear = Math.abs(x[one] - x[other]) < SHARE * wide() / scale && Math.abs(y[one] - y[other]) < SHARE * high() / scale;
    if (isNear) places.push([(x[one] + x[other]) / 2, (y[one] + y[other]) / 2]);
  }
  return places;
}

function boxesWithArcs() {
  const { x, y } = placing();
  const ends = new Set([...consensus].flatMap((code) => [sourceOf(code), targetOf(code)]));
  return [...ends].map((v) => [x[v], y[v]]);
}

// The position around which most of these positions are visible; of very many, some are tried.
function fullestOf(places, scale) {
  const [aside, up] = [SHARE * wide() / scale / 2, SHARE * high() / scale / 2];
  const near = ([x, y]) => places.filter((place) => Math.abs(place[0] - x) < aside && Math.abs(place[1] - y) < up).length;
  const some = places.filter((_, i) => i % Math.ceil(places.length / MOST_TRIED) === 0);
  const many = some.map(near);
  return some[many.indexOf(many.reduce((most, one) => Math.max(most, one), 0))];
}

const bounded = (scale) => Math.max(0.02, Math.min(6, scale));

export function zoom(factor, x = wide() / 2, y = high() / 2) {
  const scale = bounded(seen.scale * factor);
  seen.x += x / seen.scale - x / scale;
  seen.y += y / seen.scale - y / scale;
  seen.scale = scale;
  seen.how = "moved";
  place();
}

export function shift(dx, dy) {
  seen.x += dx / seen.scale;
  seen.y += dy / seen.scale;
  seen.how = "moved";
  place();
}

export const lookAt = (x, y, width = wide() / seen.scale) => centre(x, y, bounded(wide() / width), "moved");

// Moves only as far as is needed to show a variable well.
export function bringInSight(variable, least = 0) {
  const scale = Math.max(seen.scale, least);
  if (scale !== seen.scale || !isInSight(variable)) centreAt(variable, scale);
}

// A variable outside the neighbourhood becomes the middle of the next one.
export function goTo(variable) {
  if (!placing().members.includes(variable)) show({ around: { ...stage.view.around, variable } });
  bringInSight(variable, READABLE / LABEL);
  choose({ variable });
}

function isInSight(variable) {
  const [x, y] = [(placing().x[variable] - seen.x) * seen.scale, (placing().y[variable] - seen.y) * seen.scale];
  return x > 40 && y > 20 && x < wide() - 40 && y < high() - 20;
}

function refit() {
  if (!net.clientWidth) return; // on paper, a canvas replaces it
  frame = [net.clientWidth, net.clientHeight];
  if (seen.how === "moved") place();
  else if (seen.how === "whole") fit();
  else fitReadable();
}

// Into a neighbourhood, and back to the previous view of the whole.
function follow() {
  if (!isWhole()) {
    if (!("scale" in before)) Object.assign(before, seen);
    fitReadable();
  } else if ("scale" in before) {
    Object.assign(seen, before);
    delete before.scale;
    refit();
  }
}

export function startViewport() {
  $("closer").addEventListener("click", () => zoom(1.3));
  $("farther").addEventListener("click", () => zoom(1 / 1.3));
  $("whole").addEventListener("click", fit);
  refit();
  onPlacing(follow);
  const observer = new ResizeObserver(refit);
  observer.observe(net);
  signal.addEventListener("abort", () => observer.disconnect());
}
