// The picture of the network: its arcs and its legend. The variables are in the page from the start, and stay.

const net = $("net");
const nodes = [...net.querySelectorAll(".node")];
const routes = new Map(layout.routes.map(([code, ...numbers]) => [code, numbers]));

const boxesAt = new Map(); // by height, what the boxes there take of it
layout.y.forEach((y, v) => {
  const half = layout.widths[v] / 2 + layout.gap;
  boxesAt.set(y, [...(boxesAt.get(y) || []), [layout.x[v] - half, layout.x[v] + half]]);
});
const levels = [...boxesAt.keys()].sort((one, other) => one - other);

const port = (dx, width) => Math.max(-0.32 * width, Math.min(0.32 * width, 0.16 * dx));

// Bends for an arc that has no route, past the boxes that a straight line would run behind; as in picture.py.
function around(a, b) {
  const [x0, y0, x1, y1] = [layout.x[a], layout.y[a], layout.x[b], layout.y[b]];
  const bends = [];
  for (const y of y0 < y1 ? levels : [...levels].reverse()) {
    if (y <= Math.min(y0, y1) || y >= Math.max(y0, y1)) continue;
    const straight = x0 + (x1 - x0) * (y - y0) / (y1 - y0);
    const inside = (x) => boxesAt.get(y).some(([left, right]) => left < x && x < right);
    if (!inside(straight)) continue;
    const free = boxesAt.get(y).flat().filter((x) => !inside(x));
    free.sort((one, other) => Math.abs(one - straight) - Math.abs(other - straight) || one - other);
    bends.push(free[0], y);
  }
  return bends;
}

// The way of an arc, as in picture.py.
function curve(code) {
  const [a, b] = [sourceOf(code), targetOf(code)];
  const [x0, y0, x1, y1] = [layout.x[a], layout.y[a], layout.x[b], layout.y[b]];
  const half = layout.height / 2;
  const at = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  if (y0 === y1) {
    const depth = 24 + Math.min(60, Math.abs(x1 - x0) / 8);
    const end = y1 + half + layout.head;
    return `M${at(x0, y0 + half)}C${at(x0, y0 + half + depth)} ${at(x1, end + depth)} ${at(x1, end)}`;
  }
  const down = y1 > y0 ? 1 : -1;
  const bends = routes.get(code) || around(a, b);
  const aside = down === 1 ? 0 : 6;
  const points = [[x0 + aside + port((bends.length ? bends[0] : x1) - x0, layout.widths[a]), y0 + down * half]];
  for (let i = 0; i < bends.length; i += 2) points.push([bends[i], bends[i + 1]]);
  points.push([
    x1 + aside + port((bends.length ? bends[bends.length - 2] : x0) - x1, layout.widths[b]),
    y1 - down * (half + layout.head),
  ]);
  let way = `M${at(...points[0])}C`;
  for (let i = 0; i + 1 < points.length; i++) {
    const [here, there] = [points[i], points[i + 1]];
    const ends = [0.15 * (there[0] - here[0]), 0.5 * (there[1] - here[1])];
    const tangent = (before, after) => [(after[0] - before[0]) / 24, (after[1] - before[1]) / 5];
    const leaving = i === 0 ? ends : tangent(points[i - 1], there);
    const arriving = i === points.length - 2 ? ends : tangent(here, points[i + 2]);
    way += ` ${at(here[0] + leaving[0], here[1] + leaving[1])} ${at(there[0] - arriving[0], there[1] - arriving[1])} ${
      at(...there)
    }`;
  }
  return way;
}

const thickness = (code) => (1.2 + 3.2 * (share(code) + share(turned(code)))).toFixed(2);
let shown = []; // [code, kind] of the view
let meaning = {};
let arcNodes = new Map();
let chosen = null; // {arc: code} or {variable: number}

function drawArcs() {
  [shown, meaning] = viewed();
  shown.sort((a, b) => (a[1] === "kept") - (b[1] === "kept") || a[0] - b[0]); // what is kept lies on top
  arcNodes = new Map();
  const group = $("arcs");
  group.replaceChildren();
  const single = shown.length <= MANY_ARCS
    ? shown
    : chosen && "variable" in chosen
    ? shown.filter(([code]) => touches(code, chosen.variable)).slice(0, MANY_ARCS)
    : [];
  if (single.length < shown.length) group.append(...masses());
  single.forEach(([code, kind], i) => {
    const d = curve(code);
    const arc = drawn(
      "g",
      {
        class: `arc ${kind}`,
        "data-a": code,
        tabindex: i ? -1 : 0,
        role: "button",
        "aria-label": `${named(code)}: ${meaning[kind]}, ${having(code)}`,
      },
      drawn("path", { class: "hit", d }),
      drawn("path", { class: "line", d, "stroke-width": thickness(code), "marker-end": `url(#bnfuse-${kind})` }),
    );
    arc.querySelector(".line").style.strokeWidth = thickness(code);
    arcNodes.set(code, arc);
    group.append(arc);
  });
  drawLegend(single.length < shown.length);
  highlight();
}

// All arcs of a kind as one path of straight lines: tens of thousands of curves with dashes take a browser too long.
function masses() {
  const at = (v) => `${layout.x[v]} ${layout.y[v]}`;
  const ways = {};
  for (const [code, kind] of shown) (ways[kind] ||= []).push(`M${at(sourceOf(code))}L${at(targetOf(code))}`);
  return Object.entries(ways).map(([kind, all]) => drawn("path", { class: `line mass arc ${kind}`, d: all.join("") }));
}

const touches = (code, variable) => sourceOf(code) === variable || targetOf(code) === variable;

function drawLegend(isMerged) {
  const tally = {};
  for (const [, kind] of shown) tally[kind] = (tally[kind] || 0) + 1;
  const items = Object.keys(meaning).filter((kind) => tally[kind]).map((kind) =>
    element(
      "li",
      {},
      drawn(
        "svg",
        { viewBox: "0 0 34 10" },
        drawn("path", { class: `line ${kind}`, d: "M0 5H34", "stroke-width": 2.5 }),
      ),
      `${meaning[kind]} (${whole(tally[kind])})`,
    )
  );
  if (!shown.length) items.push(element("li", {}, "no arcs"));
  else if (isMerged) items.push(element("li", {}, "too many arcs to point at: choose a variable to see its own"));
  else items.push(element("li", { class: "hint" }, "thicker: more inputs have it"));
  $("legend").replaceChildren(...items);
}
