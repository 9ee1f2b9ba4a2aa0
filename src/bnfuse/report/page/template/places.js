// The positions of the boxes: as they were laid out, or where a reader has put them. Moved boxes stay in the rows of
// the layout without overlapping, so that the paths of arcs still work.
import { arcGeometry } from "./geometry.js";
import { layout } from "./page-data.js";
import { remembered } from "./restart.js";

const GAP = 18; // between two boxes of a row
const ROOM = 300; // on either side of the picture
const SAMPLES = 12; // points of a curve that are looked at

const home = { ...layout, x: [...layout.x], y: [...layout.y] };
const rows = [...new Set(layout.y)].sort((one, other) => one - other);
const listeners = [];
let routes = null;

export const moved = remembered("moved", new Map()); // variables: their places
export const onMove = (listener) => listeners.push(listener);
export const homeOf = (variable) => [home.x[variable], home.y[variable]];
moved.forEach(set);

function set([x, y], variable) {
  [layout.x[variable], layout.y[variable]] = [x, y];
  routes = null;
}

function put(variable, place) {
  set(place, variable);
  if (String(place) === String(homeOf(variable))) moved.delete(variable);
  else moved.set(variable, place);
  for (const listener of listeners) listener(variable);
}

export function putBack() {
  for (const variable of [...moved.keys()]) put(variable, homeOf(variable));
}

// While it is dragged a box may stand anywhere in a row.
export function drag(variable, x, y) {
  const row = rows.reduce((best, one) => (Math.abs(one - y) < Math.abs(best - y) ? one : best));
  put(variable, [within(x), row]);
}

// The nearest free position in a row; false if there is none. Direction: to the left or right of the box.
export function drop(variable, x, row, direction = 0) {
  const wide = (other) => (layout.widths[variable] + layout.widths[other]) / 2 + GAP;
  const others = [...layout.x.keys()].filter((other) => other !== variable && layout.y[other] === row);
  const isFree = (place) =>
    (place - layout.x[variable]) * direction >= Math.abs(direction) &&
    others.every((other) => Math.abs(layout.x[other] - place) >= wide(other));
  const beside = others.flatMap((other) => [layout.x[other] - wide(other), layout.x[other] + wide(other)]);
  const [place] = [within(x), ...beside.map(within)].filter(isFree).sort((one, other) =>
    Math.abs(one - x) - Math.abs(other - x)
  );
  if (place === undefined) return false;
  put(variable, [place, row]);
  return true;
}

export const rowBeside = (row, step) => rows[rows.indexOf(row) + step];

// A full row grows at its ends.
const within = (x) => Math.round(Math.max(-ROOM, Math.min(layout.size.width + ROOM, x)));

// The whole picture: its origin, width and height.
export function extent() {
  const { width, height } = layout.size;
  const ends = [...moved].map(([variable, [x]]) => [x - layout.widths[variable] / 2, x + layout.widths[variable] / 2]);
  const left = Math.min(0, ...ends.map(([start]) => start));
  return [left, Math.max(width, ...ends.map(([, end]) => end)) - left, height];
}

// The present paths of arcs: as laid out, unless a moved box is at an end or in the way.
export function geometry() {
  routes ||= arcGeometry({ ...layout, ways: moved.size ? home.ways.filter(isOpen(arcGeometry(home))) : home.ways });
  return routes;
}

function isOpen(routesHome) {
  const n = layout.x.length;
  const curves = routesHome.ways(home.ways.map(({ arc }) => arc));
  return ({ arc }) =>
    !moved.has(Math.floor(arc / n)) && !moved.has(arc % n) &&
    ![...moved.keys()].some((variable) => passes(curves.get(arc), variable));
}

function passes(points, variable) {
  const wide = layout.widths[variable] / 2 + layout.clearance;
  const high = layout.height / 2;
  for (let i = 0; i + 3 < points.length; i += 3) {
    for (let step = 0; step <= SAMPLES; step++) {
      const t = step / SAMPLES;
      const [a, b, c, d] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3];
      const at = (axis) => a * points[i][axis] + b * points[i + 1][axis] + c * points[i + 2][axis] + d * points[i + 3][axis];
      if (Math.abs(at(0) - layout.x[variable]) < wide && Math.abs(at(1) - layout.y[variable]) < high) return true;
    }
  }
  return false;
}
