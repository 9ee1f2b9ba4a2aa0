// A layout for part of a network, in rows from above, made in the page: arcs that lead downwards in the whole also do
// so in the part.

const GAP = 30; // between two boxes of a row: arcs pass there
const CHANNEL = 58; // between two rows
const MARGIN = 14;
const TOP = 48; // for the words and buttons that stand over the picture
const WIDEST = 1300; // of a row; a wider one becomes several
const ROUNDS = 8;

// members: variables; pairs: those that are joined, as [one, other]; layout: of the whole.
export function smallLayout(members, pairs, layout) {
  const joined = new Map(members.map((v) => [v, []]));
  for (const [one, other] of pairs) {
    joined.get(one).push(other);
    joined.get(other).push(one);
  }
  const rows = split(ordered(rowsOf(members, joined, layout), joined, layout), layout);
  const x = centred(rows, joined, layout);
  const left = Math.min(...members.map((v) => x[v] - layout.widths[v] / 2)) - MARGIN;
  const y = new Array(x.length); // those that do not stand here have no place: geometry.js passes them over
  for (const v of members) x[v] = Math.round(x[v] - left);
  rows.forEach((row, i) => row.forEach((v) => (y[v] = TOP + layout.height / 2 + i * (layout.height + CHANNEL))));
  const width = Math.max(...members.map((v) => x[v] + layout.widths[v] / 2)) + MARGIN;
  const height = TOP + MARGIN + rows.length * (layout.height + CHANNEL) - CHANNEL;
  return { ...layout, x, y, size: { width: Math.ceil(width), height }, ways: [], members };
}

// As far down as the longest path from above; variables without ancestors as near as possible.
function rowsOf(members, joined, layout) {
  const before = (one, other) => layout.y[one] - layout.y[other] || layout.x[one] - layout.x[other] || one - other;
  const order = [...members].sort(before);
  const rank = new Map();
  for (const v of order) rank.set(v, Math.max(-1, ...joined.get(v).filter((one) => rank.has(one)).map((one) => rank.get(one))) + 1);
  for (const v of [...order].reverse()) {
    const isFirst = joined.get(v).every((one) => before(v, one) < 0);
    if (isFirst && joined.get(v).length) rank.set(v, Math.min(...joined.get(v).map((one) => rank.get(one))) - 1);
  }
  const rows = [];
  for (const v of order) (rows[rank.get(v)] ||= []).push(v);
  return rows.filter((row) => row);
}

// Each row by the positions of joined boxes; at first as in the whole picture.
function ordered(rows, joined, layout) {
  const x = new Array(layout.x.length);
  const spread = (row) => {
    let end = -row.reduce((sum, v) => sum + layout.widths[v] + GAP, 0) / 2;
    for (const v of row) {
      x[v] = end + (layout.widths[v] + GAP) / 2;
      end += layout.widths[v] + GAP;
    }
  };
  for (const row of rows) {
    row.sort((one, other) => layout.x[one] - layout.x[other] || one - other);
    spread(row);
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const row of round % 2 ? [...rows].reverse() : rows) {
      const wish = new Map(row.map((v) => [v, mean(joined.get(v).map((one) => x[one]), x[v])]));
      row.sort((one, other) => wish.get(one) - wish.get(other) || x[one] - x[other]);
      spread(row);
    }
  }
  return rows;
}

function split(rows, layout) {
  return rows.flatMap((row) => {
    const width = row.reduce((sum, v) => sum + layout.widths[v] + GAP, 0);
    const parts = Math.ceil(width / WIDEST);
    return Array.from({ length: parts }, (_, i) =>
      row.slice(Math.round((i * row.length) / parts), Math.round(((i + 1) * row.length) / parts))
    );
  });
}

// In their order, as near as possible to the middle of the joined boxes.
function centred(rows, joined, layout) {
  const x = new Array(layout.x.length);
  for (const row of rows) settle(row, x, () => 0, layout.widths);
  for (let round = 0; round < ROUNDS; round++) {
    for (const row of round % 2 ? [...rows].reverse() : rows) {
      settle(row, x, (v) => mean(joined.get(v).map((one) => x[one]), x[v]), layout.widths);
    }
  }
  return x;
}

// Least squares: boxes that would overlap become one block, at the mean of their wanted positions.
function settle(row, x, wish, widths) {
  const blocks = [];
  let room = 0; // from the first box of the row
  const rooms = row.map((v, i) => (room += i ? (widths[row[i - 1]] + widths[v]) / 2 + GAP : 0));
  row.forEach((v, i) => {
    let block = { sum: wish(v) - rooms[i], many: 1, first: i };
    while (blocks.length && blocks.at(-1).sum / blocks.at(-1).many >= block.sum / block.many) {
      const before = blocks.pop();
      block = { sum: before.sum + block.sum, many: before.many + block.many, first: before.first };
    }
    blocks.push(block);
  });
  for (const { sum, many, first } of blocks) {
    for (let i = first; i < first + many; i++) x[row[i]] = sum / many + rooms[i];
  }
}

const mean = (values, otherwise) =>
  values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : otherwise;
