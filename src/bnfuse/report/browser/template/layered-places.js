// Where the boxes of the variables stand, in rows, arcs downwards. The report has its places from Python (drawing/layout.py); this is a
// smaller way to the same kind of picture: layers by the longest way, the order within them by medians, parts side by side.
import { textWidth } from "./box-labels.js";
import { topological } from "./fixed-directions.js";

const [HEIGHT, HEAD, CLEARANCE, CORNER, PORT_GAP] = [26, 8, 5, 8, 9]; // as in drawing/routes.py
const PADDING = 9; // between a label and the border of its box
const GAP = 18; // between two boxes of a row
const BEND = 9; // for an arc that passes a row
const CHANNEL = 46; // between two rows
const LOOSE_CHANNEL = 18; // between rows of variables without arcs
const PART_GAP = 34;
const MARGIN = 14;
const ASPECT = 1.7;
const ROUNDS = 12;
const MOST_HEADS = 12;
const MOST_BENDS = 6000;

// arcs: pairs of numbers without a cycle.
export function layeredPlaces(labels, arcs) {
  const n = labels.length;
  const widths = boxWidths(labels, arcs);
  const [parents, children] = [0, 1].map(() => Array.from({ length: n }, () => new Set()));
  for (const [source, target] of arcs) {
    parents[target].add(source);
    children[source].add(target);
  }
  const graph = { n, arcs, widths, layer: layersOf(n, parents, children) };
  const parts = partsOf(n, arcs).map((members) => laidOut(members, graph));
  const { x, row, width, rows } = packed(parts, n);
  const loose = [...Array(n).keys()].filter((v) => row[v] === undefined);
  const below = looseRows(loose, widths, width);
  below.forEach((own, i) => own.forEach(([v, at]) => ([x[v], row[v]] = [at, rows + i])));
  const y = row.map((own) => MARGIN + HEIGHT / 2 + Math.min(own, rows) * (HEIGHT + CHANNEL) + Math.max(0, own - rows) * (HEIGHT + LOOSE_CHANNEL));
  const places = x.map((one) => Math.round(one + MARGIN));
  const right = Math.max(...places.map((one, v) => one + widths[v] / 2)) + MARGIN;
  const size = { width: Math.ceil(right), height: Math.max(...y) + HEIGHT / 2 + MARGIN };
  return { x: places, y, widths, height: HEIGHT, head: HEAD, clearance: CLEARANCE, corner: CORNER, size, ways: [] };
}

// Boxes with room for their labels and, next to each other, for the arcs to them; even numbers.
function boxWidths(labels, arcs) {
  const heads = labels.map(() => 0);
  for (const [, target] of arcs) heads[target]++;
  return labels.map((label, v) =>
    2 * Math.ceil(Math.max(textWidth(label) + 2 * PADDING, 2 * CORNER + PORT_GAP * Math.min(MOST_HEADS, Math.max(0, heads[v] - 1))) / 2));
}

// As far down as the longest path from above; variables without ancestors as near to their children as possible.
function layersOf(n, parents, children) {
  const order = topological(n, parents, children);
  const layer = Array(n).fill(0);
  for (const v of order) for (const parent of parents[v]) layer[v] = Math.max(layer[v], layer[parent] + 1);
  for (const v of order.reverse()) {
    if (children[v].size && !parents[v].size) layer[v] = Math.min(...[...children[v]].map((child) => layer[child])) - 1;
  }
  return layer;
}

// The variables of each part that arcs join.
function partsOf(n, arcs) {
  const root = [...Array(n).keys()];
  const rootOf = (v) => {
    while (root[v] !== v) v = root[v] = root[root[v]];
    return v;
  };
  for (const [source, target] of arcs) root[rootOf(target)] = rootOf(source);
  const members = new Map();
  const isJoined = new Set(arcs.flat());
  for (const v of isJoined) members.set(rootOf(v), [...(members.get(rootOf(v)) || []), v]);
  return [...members.values()].map((own) => own.sort((one, other) => one - other));
}

// One part from (0, 0): items are boxes, and the positions where arcs pass rows.
function laidOut(members, { arcs, widths, layer }) {
  const first = Math.min(...members.map((v) => layer[v]));
  const items = new Map(members.map((v) => [v, { v, row: layer[v] - first, width: widths[v] + GAP, above: [], below: [], x: 0 }]));
  const all = [...items.values()];
  const link = (one, other) => {
    one.below.push(other);
    other.above.push(one);
  };
  for (const [source, target] of arcs) {
    if (!items.has(source)) continue;
    const [start, end] = [items.get(source), items.get(target)];
    let last = start;
    for (let row = start.row + 1; row < end.row && all.length < MOST_BENDS; row++) {
      const bend = { v: null, row, width: BEND, above: [], below: [], x: 0 };
      all.push(bend);
      link(last, bend);
      last = bend;
    }
    link(last, end);
  }
  const rows = [];
  for (const item of all) (rows[item.row] ||= []).push(item);
  const own = rows.filter(Boolean);
  order(own);
  settle(own);
  const left = Math.min(...all.map((item) => item.x - item.width / 2));
  for (const item of all) item.x -= left + GAP / 2;
  return { rows: own, width: Math.max(...all.map((item) => item.x + item.width / 2)) };
}

// Each row by the medians of the positions of joined items, while that helps.
function order(rows) {
  const number = () => rows.forEach((row) => row.forEach((item, i) => (item.place = i)));
  number();
  let best = { crossings: crossingsOf(rows), rows: rows.map((row) => [...row]) };
  for (let round = 0; round < ROUNDS && best.crossings; round++) {
    const isDown = round % 2 === 0;
    for (const row of isDown ? rows : [...rows].reverse()) {
      const wish = new Map(row.map((item) => [item, median((isDown ? item.above : item.below).map(({ place }) => place), item.place)]));
      row.sort((one, other) => wish.get(one) - wish.get(other) || one.place - other.place);
      row.forEach((item, i) => (item.place = i));
    }
    const crossings = crossingsOf(rows);
    if (crossings < best.crossings) best = { crossings, rows: rows.map((row) => [...row]) };
  }
  rows.forEach((row, i) => row.splice(0, row.length, ...best.rows[i]));
  number();
}

const MOST_COUNTED = 4000; // links of two rows: of more, crossings are not counted

function crossingsOf(rows) {
  let sum = 0;
  for (const row of rows) {
    const links = row.flatMap((item) => item.below.map((other) => [item.place, other.place]));
    if (links.length > MOST_COUNTED) return Infinity;
    links.sort(([a, b], [c, d]) => a - c || b - d);
    const seen = []; // the lower ends so far, sorted
    for (const [, end] of links) {
      const at = upper(seen, end);
      sum += seen.length - at;
      seen.splice(at, 0, end);
    }
  }
  return sum;
}

function upper(sorted, value) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function median(values, otherwise) {
  if (!values.length) return otherwise;
  const sorted = values.sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

const mean = (items, otherwise) => (items.length ? items.reduce((sum, { x }) => sum + x, 0) / items.length : otherwise);

// In their order, as near as possible to the middle of the joined items.
function settle(rows) {
  for (const row of rows) place(row, () => 0);
  for (let round = 0; round < ROUNDS; round++) {
    for (const row of round % 2 ? [...rows].reverse() : rows) place(row, (item) => mean([...item.above, ...item.below], item.x));
  }
}

// Least squares: items that would overlap become one block, at the mean of their wanted positions.
function place(row, wish) {
  const blocks = [];
  let room = 0;
  const rooms = row.map((item, i) => (room += i ? (row[i - 1].width + item.width) / 2 : 0));
  row.forEach((item, i) => {
    let block = { sum: wish(item) - rooms[i], many: 1, first: i };
    while (blocks.length && blocks.at(-1).sum / blocks.at(-1).many >= block.sum / block.many) {
      const before = blocks.pop();
      block = { sum: before.sum + block.sum, many: before.many + block.many, first: before.first };
    }
    blocks.push(block);
  });
  for (const { sum, many, first } of blocks) for (let i = first; i < first + many; i++) row[i].x = sum / many + rooms[i];
}

// All parts in shelves about as wide as a screen, the tallest first.
function packed(parts, n) {
  const [x, row] = [Array(n).fill(0), Array(n).fill(undefined)];
  const area = parts.reduce((sum, part) => sum + (part.width + PART_GAP) * part.rows.length, 0) * (HEIGHT + CHANNEL);
  const wanted = Math.max(Math.sqrt(ASPECT * area), ...parts.map((part) => part.width));
  let [first, last, right, width] = [0, 0, Infinity, 0];
  for (const part of [...parts].sort((one, other) => other.rows.length - one.rows.length || other.width - one.width)) {
    if (right + PART_GAP + part.width > wanted) [first, last, right] = [last, last + part.rows.length, -PART_GAP];
    const start = right + PART_GAP;
    right = start + part.width;
    width = Math.max(width, right);
    part.rows.forEach((items, i) => items.forEach((item) => {
      if (item.v !== null) [x[item.v], row[item.v]] = [item.x + start, first + i];
    }));
  }
  return { x, row, width, rows: last };
}

// Variables without arcs: rows below the others, about as wide as a screen or wider.
function looseRows(loose, widths, width) {
  const area = loose.reduce((sum, v) => sum + widths[v] + GAP, 0) * (HEIGHT + LOOSE_CHANNEL);
  const wanted = Math.max(width, Math.sqrt(ASPECT * area));
  const rows = [];
  let end = Infinity;
  for (const v of loose) {
    if (end + widths[v] > wanted) {
      rows.push([]);
      end = 0;
    }
    rows.at(-1).push([v, end + widths[v] / 2]);
    end += widths[v] + GAP;
  }
  return rows;
}
