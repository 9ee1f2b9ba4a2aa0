// The positions of the boxes of a drawing: where somebody has put them, and otherwise where there is room.
import { smallLayout } from "./small-layout.js";

export const HEIGHT = 34;
const FONT = "13px system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif";
const LONGEST = 24; // letters of a label
const LEAST_WIDTH = 56;
const GAP = 26;
const BESIDE = 40; // between a new box and others: room for an arrow
const BELOW = 38;
const LOWER = 22; // every second box of a row, so that an arrow can pass the box between two others
const ROW = 5; // boxes next to each other, of those that have no arcs

const canvas = document.createElement("canvas").getContext("2d");
const widths = new Map();

export const labelOf = (name) => ([...name].length > LONGEST ? `${[...name].slice(0, LONGEST - 1).join("")}\u2026` : name);

export function widthOf(name) {
  if (!widths.has(name)) {
    canvas.font = FONT;
    widths.set(name, Math.max(LEAST_WIDTH, Math.ceil(canvas.measureText(labelOf(name)).width) + 24));
  }
  return widths.get(name);
}

// In rows from above, so that all arcs run downwards: a Map of names to [x, y].
export function tidied({ variables, arcs }) {
  const names = [...variables.keys()];
  const place = new Map(names.map((name, i) => [name, i]));
  const pairs = arcs.map(([a, b]) => [place.get(a), place.get(b)]);
  const joined = new Set(pairs.flat());
  const rank = ranks(names.length, pairs);
  const layout = { x: names.map((_, i) => i), y: rank, widths: names.map(widthOf), height: HEIGHT };
  const members = names.map((_, i) => i).filter((i) => joined.has(i));
  const found = new Map();
  let below = 0;
  if (members.length) {
    const { x, y, size } = smallLayout(members, pairs, layout);
    for (const i of members) found.set(names[i], [Math.round(x[i]), Math.round(y[i])]);
    below = size.height + GAP;
  }
  const loose = names.filter((name) => !joined.has(place.get(name)));
  const wide = Math.max(0, ...loose.map(widthOf)) + GAP;
  loose.forEach((name, i) => found.set(name, [Math.round((i % ROW) * wide + wide / 2), below + Math.floor(i / ROW) * (HEIGHT + GAP) + HEIGHT]));
  return found;
}

// The number of arcs on the longest path to a variable.
function ranks(many, pairs) {
  const rank = new Array(many).fill(0);
  for (let round = 0; round < many; round++) {
    let isSettled = true;
    for (const [a, b] of pairs) {
      if (rank[b] > rank[a]) continue;
      rank[b] = rank[a] + 1;
      isSettled = false;
    }
    if (isSettled) break;
  }
  return rank;
}

// A drawing with a position for everything: if nobody has moved any box, all are laid out.
export function placed(drawing) {
  const all = [...drawing.variables];
  if (!all.some(([, { x }]) => x === null)) return drawing;
  const variables = new Map(drawing.variables);
  if (all.every(([, { x }]) => x === null)) {
    for (const [name, [x, y]] of tidied(drawing)) variables.set(name, { ...variables.get(name), x, y });
  } else {
    for (const [name, own] of all) {
      if (own.x !== null) continue;
      const [x, y] = room({ variables }, name);
      variables.set(name, { ...own, x, y });
    }
  }
  return { variables, arcs: drawing.arcs };
}

// The first free position, row by row from the top left of the visible part.
export function room({ variables }, name, seen = { x: 0, y: 0, width: 640 }) {
  const taken = [...variables].filter(([one, { x }]) => one !== name && x !== null);
  const wide = widthOf(name);
  const isFree = (x, y) => taken.every(([one, own]) => Math.abs(own.x - x) >= (widthOf(one) + wide) / 2 + BESIDE || Math.abs(own.y - y) >= HEIGHT + BELOW);
  const [left, top] = [seen.x + 24 + wide / 2, seen.y + 24 + HEIGHT / 2];
  for (let row = 0; row < 400; row++) {
    for (let x = left; x === left || x + wide / 2 + 12 < seen.x + seen.width; x += 30) {
      const y = top + row * (HEIGHT + BELOW + LOWER);
      const before = taken.filter(([, own]) => Math.abs(own.y - y) <= LOWER).length;
      const lower = y + (before % 2 ? LOWER : 0);
      if (isFree(x, lower)) return [Math.round(x), Math.round(lower)];
    }
  }
  return [Math.round(left), Math.round(top)];
}
