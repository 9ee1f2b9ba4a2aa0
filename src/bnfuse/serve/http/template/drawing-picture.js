// The picture of a drawing: boxes and arrows, which part of it is seen, what is chosen, and a cycle that was refused.
import { setLabel, svgElement } from "./elements.js";
import { HEIGHT, labelOf, widthOf } from "./drawing-places.js";

const HEAD = 9;
const MARGIN = 30;
const LARGEST = 1.25; // pixels for each unit: a small drawing is not enlarged
const ASIDE = [0, 70, -70, 140, -140, 220, -220, 320, -320]; // how far an arrow bends to avoid boxes: twice the visible offset
const STEPS = 24; // points of a curve, to find the boxes that it crosses
const KINDS = ["plain", "chosen", "wrong"];

const rectOf = (name, { x, y }) => ({ left: x - widthOf(name) / 2, right: x + widthOf(name) / 2, top: y - HEIGHT / 2, bottom: y + HEIGHT / 2 });
const isIn = ({ left, right, top, bottom }, x, y, more = 0) => x > left - more && x < right + more && y > top - more && y < bottom + more;

// An arrow from border to border, as the points of a quadratic curve; if possible, it avoids the boxes in its way.
function arrow(variables, source, target) {
  const [from, to] = [variables.get(source), variables.get(target)];
  const others = [...variables].filter(([name]) => name !== source && name !== target).map(([name, own]) => rectOf(name, own));
  const [ends, length] = [[rectOf(source, from), rectOf(target, to)], Math.hypot(to.x - from.x, to.y - from.y) || 1];
  let best = null;
  for (const aside of ASIDE) {
    const middle = [(from.x + to.x) / 2 - (aside * (to.y - from.y)) / length, (from.y + to.y) / 2 + (aside * (to.x - from.x)) / length];
    const at = (t) => [0, 1].map((i) => (1 - t) ** 2 * [from.x, from.y][i] + 2 * t * (1 - t) * middle[i] + t * t * [to.x, to.y][i]);
    const points = Array.from({ length: STEPS + 1 }, (_, i) => at(i / STEPS));
    const crossed = others.filter((box) => points.some(([x, y]) => isIn(box, x, y, 4))).length;
    if (!best || crossed < best.crossed) best = { crossed, at };
    if (!crossed) break;
  }
  return { path: cut(best.at, ends), middle: best.at(0.5) };
}

// The part of a curve between two boxes, with room for the head, as an SVG path.
function cut(at, [first, last]) {
  let [start, end] = [0, 1];
  while (start < 0.5 && isIn(first, ...at(start))) start += 0.005;
  while (end > 0.5 && isIn(last, ...at(end), HEAD)) end -= 0.005;
  const [a, b, c] = [at(start), at((start + end) / 2), at(end)];
  const bend = [0, 1].map((i) => 2 * b[i] - (a[i] + c[i]) / 2);
  const [from, over, to] = [a, bend, c].map((point) => point.map((value) => value.toFixed(1)).join(" "));
  return `M${from}Q${over} ${to}`;
}

export function drawingPicture(svg) {
  const arcs = svgElement("g", { class: "drawn-arcs" });
  const boxes = svgElement("g", { class: "drawn-boxes", "text-anchor": "middle" });
  const ghost = svgElement("path", { class: "drawn-ghost", "marker-end": "url(#drawn-chosen)" });
  const heads = KINDS.map((kind) =>
    svgElement("marker", { id: `drawn-${kind}`, class: `drawn-head ${kind}`, viewBox: "0 0 8 8", refX: 0.5, refY: 4, markerWidth: HEAD, markerHeight: HEAD, markerUnits: "userSpaceOnUse", orient: "auto" }, svgElement("path", { d: "M0 0L8 4L0 8z" }))
  );
  svg.append(svgElement("defs", {}, ...heads), arcs, boxes, ghost);
  const seen = { x: 0, y: 0, scale: 1, isMoved: false };
  let drawing = { variables: new Map(), arcs: [] };
  let middles = []; // of arrows, which may run around boxes
  const extents = () => [...[...drawing.variables].map(([name, own]) => rectOf(name, own)), ...middles.map(([x, y]) => ({ left: x - HEAD, right: x + HEAD, top: y - HEAD, bottom: y + HEAD }))];

  const sizeOf = () => [svg.clientWidth || 1, svg.clientHeight || 1];
  function look() {
    const [wide, high] = sizeOf();
    svg.setAttribute("viewBox", [seen.x, seen.y, wide / seen.scale, high / seen.scale].map((value) => value.toFixed(2)).join(" "));
  }
  function fit() {
    const [wide, high] = sizeOf();
    const all = extents();
    const [left, top] = [Math.min(...all.map((one) => one.left)) - MARGIN, Math.min(...all.map((one) => one.top)) - MARGIN];
    const [right, bottom] = [Math.max(...all.map((one) => one.right)) + MARGIN, Math.max(...all.map((one) => one.bottom)) + MARGIN];
    const scale = all.length ? Math.min(LARGEST, wide / (right - left), high / (bottom - top)) : 1;
    const [x, y] = all.length ? [(left + right - wide / scale) / 2, (top + bottom - high / scale) / 2] : [0, 0];
    Object.assign(seen, { scale, x, y, isMoved: false });
    look();
  }
  function zoom(factor, x, y) {
    const scale = Math.max(0.1, Math.min(4, seen.scale * factor));
    Object.assign(seen, { x: seen.x + x / seen.scale - x / scale, y: seen.y + y / seen.scale - y / scale, scale, isMoved: true });
    look();
  }
  function shift(dx, dy) {
    Object.assign(seen, { x: seen.x + dx / seen.scale, y: seen.y + dy / seen.scale, isMoved: true });
    look();
  }
  const pointOf = ({ clientX, clientY }) => {
    const { left, top } = svg.getBoundingClientRect();
    return [seen.x + (clientX - left) / seen.scale, seen.y + (clientY - top) / seen.scale];
  };
  const sight = () => {
    const [wide, high] = sizeOf();
    return { x: seen.x, y: seen.y, width: wide / seen.scale, height: high / seen.scale };
  };

  // chosen: {variable} or {arc}; from: the source of an arc that is being drawn; cycle: names.
  function draw(next, { chosen, from, cycle, focused }) {
    drawing = next;
    const wrong = new Set((cycle ?? []).slice(1).map((name, i) => JSON.stringify([cycle[i], name])));
    const isChosen = (arc) => chosen?.arc && chosen.arc[0] === arc[0] && chosen.arc[1] === arc[1];
    middles = [];
    const lines = drawing.arcs.map((arc) => {
      const kind = wrong.has(JSON.stringify(arc)) ? "wrong" : isChosen(arc) ? "chosen" : "plain";
      const { path: d, middle } = arrow(drawing.variables, ...arc);
      middles.push(middle);
      const line = svgElement("g", { class: `drawn-arc ${kind}`, "data-arc": JSON.stringify(arc) }, svgElement("path", { class: "hit", d }), svgElement("path", { class: "way", d, "marker-end": `url(#drawn-${kind})` }));
      return line;
    });
    if (wrong.size && !drawing.arcs.some(([a, b]) => a === cycle[0] && b === cycle[1])) {
      const { path: d } = arrow(drawing.variables, cycle[0], cycle[1]); // the arc that was refused
      lines.push(svgElement("g", { class: "drawn-arc wrong refused" }, svgElement("path", { class: "way", d, "marker-end": "url(#drawn-wrong)" })));
    }
    arcs.replaceChildren(...lines);
    const names = [...drawing.variables.keys()];
    const stop = names.includes(focused) ? focused : names[0];
    boxes.replaceChildren(...names.map((name) => box(name, { isChosen: chosen?.variable === name, isFrom: from === name, isStop: name === stop })));
    ghost.setAttribute("d", "");
    if (!seen.isMoved) keepInSight();
    look();
  }

  // Grows with the drawing as long as nobody has changed the view.
  function keepInSight() {
    const { x, y, width, height } = sight();
    const isOut = extents().some(({ left, right, top, bottom }) => left < x || top < y || right > x + width || bottom > y + height);
    if (isOut) fit();
  }

  function box(name, { isChosen, isFrom, isStop }) {
    const { x, y, states } = drawing.variables.get(name);
    const wide = widthOf(name);
    const node = svgElement(
      "g",
      { class: `drawn-box${isChosen ? " chosen" : ""}${isFrom ? " from" : ""}`, "data-name": name, role: "button", tabindex: isStop ? 0 : -1, "aria-pressed": isChosen },
      svgElement("rect", { x: x - wide / 2, y: y - HEIGHT / 2, width: wide, height: HEIGHT, rx: 7 }),
      svgElement("text", { x, y: y + 4.5 }, labelOf(name)),
      svgElement("title", {}, states.length ? `${name}: ${states.join(", ")}` : name),
    );
    const listed = (words, all) => (all.length ? `${words} ${all.join(", ")}` : "");
    const parents = drawing.arcs.filter(([, target]) => target === name).map(([source]) => source);
    const children = drawing.arcs.filter(([source]) => source === name).map(([, target]) => target);
    setLabel(node, [name, listed("arcs from", parents), listed("arcs to", children)].filter(Boolean).join("; "));
    return node;
  }

  // A box under the pointer, or an arrow from it to the pointer.
  function drag(name, [x, y], target) {
    const node = [...boxes.children].find((one) => one.dataset.name === name);
    const own = drawing.variables.get(name);
    node?.setAttribute("transform", target ? "" : `translate(${x - own.x} ${y - own.y})`);
    for (const one of boxes.children) one.classList.toggle("target", one.dataset.name === target);
    ghost.setAttribute("d", target ? arrow(drawing.variables, name, target).path : "");
  }

  new ResizeObserver(() => {
    if (!svg.clientWidth) return;
    if (!seen.isMoved) keepInSight();
    look();
  }).observe(svg);
  return { draw, drag, fit, look, pointOf, shift, sight, zoom, focus: (name) => [...boxes.children].find((one) => one.dataset.name === name)?.focus({ preventScroll: true }) };
}
