// A large picture on a canvas: the same as the SVG over it would show, by the same style sheet, many times as fast.
// Boxes and arcs are the SVG's own elements, outside the page: those that are put into it, because they are pointed at
// or have the focus, are not painted.
import { $ } from "./elements.js";
import { extent } from "./placing.js";
import { signal } from "./restart.js";
import { onSight, sight } from "./viewport.js";

const HIT = 13; // units around the middle of an arc, and at least
const FINGER = 9; // pixels
const FINE = 0.3; // pixels per unit from which heads, dashes and bars are visible
const LEGIBLE = 0.25; // from which labels are legible
const CORNER = 6;
const REST = 120; // milliseconds
const PAPER = 3600; // dots of the longer side

const net = $("net");
const canvas = $("painted");
const ink = canvas.getContext("2d");
const looks = new Map(); // the classes of an element: its styles
const layer = {}; // the styles of the masses
let scene = null;
let frame = 0;

// boxes: [{node, label, x, y, width, height, dx, dy}], where the last two are how far it stands from its place in the SVG;
// arcs: [{element, points, path, isBare, isFree}]; masses: [{element, path}], many arcs each. Or nothing: the SVG has it all.
export function paintScene(next, headLength) {
  scene = next && { ...next, headLength, arcs: next.arcs.map((arc) => ({ ...arc, ...boundsOf(arc.points) })) };
  canvas.hidden = !scene;
  layer.key = null;
  repaint();
}

export function repaint() {
  if (scene && !frame) frame = requestAnimationFrame(paint);
}

// Other colours.
export function paintAnew() {
  looks.clear();
  layer.key = null;
  repaint();
}

function boundsOf(points) {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

// The style of an element, by its classes and those of the picture.
function lookOf(element, parts) {
  const key = `${net.getAttribute("class")}|${element.getAttribute("class")}`;
  if (!looks.has(key)) {
    const copy = net.appendChild(element.cloneNode(true));
    const styles = { opacity: Number(getComputedStyle(copy).opacity) };
    for (const [name, selector] of Object.entries(parts)) {
      const part = selector ? copy.querySelector(selector) : copy;
      if (part) styles[name] = styleOf(getComputedStyle(part));
    }
    copy.remove();
    looks.set(key, styles);
  }
  return looks.get(key);
}

const styleOf = (style) => ({
  fill: style.fill,
  stroke: style.stroke,
  alpha: Number(style.strokeOpacity),
  width: parseFloat(style.strokeWidth),
  dashes: style.strokeDasharray === "none" ? [] : style.strokeDasharray.split(/[ ,]+/).map(parseFloat),
  font: `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`,
  rise: style.transform === "none" ? 0 : new DOMMatrix(style.transform).f,
});

function paint() {
  frame = 0;
  if (scene) paintPart(sight(), devicePixelRatio || 1, (element) => !element.isConnected);
}

// On paper, the canvas replaces the SVG, with the whole picture, in light colours.
export function paintForPaper() {
  if (!scene) return;
  const root = document.documentElement;
  const { theme } = root.dataset;
  root.dataset.theme = "light";
  looks.clear();
  layer.key = null;
  const [left, width, height] = extent();
  paintPart({ x: left, y: 0, width, height, scale: Math.min(1, PAPER / Math.max(width, height)) }, 1, () => true);
  if (theme) root.dataset.theme = theme;
  else delete root.dataset.theme;
  looks.clear();
  layer.key = null;
}

function paintPart({ x, y, scale, width, height }, density, isPainted) {
  const [wide, high] = [width, height].map((length) => Math.round(length * scale * density));
  if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
  ink.setTransform(1, 0, 0, 1, 0, 0);
  ink.clearRect(0, 0, wide, high);
  ink.setTransform(scale * density, 0, 0, scale * density, -x * scale * density, -y * scale * density);
  const isFine = scale >= FINE;
  if (scene.masses.length) paintMasses(x, y, scale * density);
  for (const arc of scene.arcs) {
    const isSeen = arc.right > x - HIT && arc.left < x + width + HIT && arc.bottom > y - HIT && arc.top < y + height + HIT;
    if (isSeen && isPainted(arc.element)) paintArc(arc, isFine);
  }
  ink.textAlign = "center";
  for (const box of scene.boxes) {
    const isSeen = Math.abs(box.x - x - width / 2) < (width + box.width) / 2 + 3 &&
      Math.abs(box.y - y - height / 2) < (height + box.height) / 2 + 3;
    if (isSeen && isPainted(box.node)) paintBox(box, isFine, scale >= LEGIBLE);
  }
  ink.globalAlpha = 1;
}

function stroke(path, { stroke, width, dashes }, isFine) {
  ink.strokeStyle = stroke;
  ink.lineWidth = width;
  ink.setLineDash(isFine ? dashes : []);
  ink.stroke(path);
}

// Tens of thousands of lines take longer than a frame: while the picture moves, those painted before move along, and the others
// follow when it rests.
function paintMasses(x, y, dots) {
  const key = [net.getAttribute("class"), dots, canvas.width, canvas.height].join();
  const isMoved = layer.key === key && (layer.x !== x || layer.y !== y);
  if (layer.key !== key || layer.isLate) {
    const own = new OffscreenCanvas(canvas.width, canvas.height);
    const pen = own.getContext("2d");
    pen.setTransform(ink.getTransform());
    for (const { element, path } of scene.masses) {
      const { opacity, line } = lookOf(element, { line: null });
      Object.assign(pen, { globalAlpha: opacity * line.alpha, strokeStyle: line.stroke, lineWidth: line.width });
      pen.stroke(path);
    }
    Object.assign(layer, { key, own, x, y, isLate: false });
  } else if (isMoved) {
    clearTimeout(layer.timer);
    layer.timer = setTimeout(() => {
      layer.isLate = true;
      repaint();
    }, REST);
  }
  ink.save();
  ink.setTransform(1, 0, 0, 1, 0, 0);
  ink.drawImage(layer.own, (layer.x - x) * dots, (layer.y - y) * dots);
  ink.restore();
}

function paintArc({ element, path, points, isBare, isFree }, isFine) {
  const { opacity, line, hit } = lookOf(element, { line: ".line", hit: ".hit" });
  ink.globalAlpha = opacity;
  if (hit.stroke !== TRANSPARENT) stroke(path, hit, true);
  stroke(path, { ...line, width: parseFloat(element.lastChild.style.strokeWidth) }, isFine);
  if (isFine && !isBare) paintHead(points, line.stroke, isFree);
}

const TRANSPARENT = "rgba(0, 0, 0, 0)";
const HEAD = new Path2D("M0 0L8 4L0 8z"); // as picture.py has them
const HOLLOW = new Path2D("M.5 .8L7 4L.5 7.2z");

function paintHead(points, colour, isFree) {
  const [[x0, y0], [x1, y1]] = points.slice(-2);
  ink.save();
  ink.translate(x1, y1);
  ink.rotate(Math.atan2(y1 - y0, x1 - x0));
  ink.scale(scene.headLength / 8, scene.headLength / 8);
  ink.translate(-0.5, -4);
  ink.fillStyle = isFree ? insideOfHollow() : colour;
  ink.fill(isFree ? HOLLOW : HEAD);
  if (isFree) stroke(HOLLOW, { stroke: colour, width: 1, dashes: [] });
  ink.restore();
}

function insideOfHollow() {
  if (!looks.has(HOLLOW)) looks.set(HOLLOW, getComputedStyle($("bnfuse-kept-free").firstChild).fill);
  return looks.get(HOLLOW);
}

const BOX = { rect: "rect", text: "text", bar: ".chances rect", found: ".chances text" };

function paintBox({ node, label, x, y, width, height, dx, dy }, isFine, isLegible) {
  const { opacity, rect, text, bar, found } = lookOf(node, BOX);
  ink.globalAlpha = opacity;
  ink.fillStyle = rect.fill;
  const frame = new Path2D();
  frame.roundRect(x - width / 2, y - height / 2, width, height, CORNER);
  ink.fill(frame);
  stroke(frame, rect, isFine);
  if (!isLegible) return;
  write(label, x, y + 4 + text.rise, text);
  const chances = isFine && node.querySelector(".chances");
  if (!chances) return;
  for (const part of chances.children) {
    const at = (name) => Number(part.getAttribute(name));
    if (part.localName === "text") write(part.textContent, at("x") + dx, at("y") + dy, found);
    else {
      ink.globalAlpha = opacity * at("fill-opacity");
      ink.fillStyle = bar.fill;
      ink.fillRect(at("x") + dx, at("y") + dy, at("width"), at("height"));
    }
  }
}

function write(text, x, y, { fill, font }) {
  ink.fillStyle = fill;
  ink.font = font;
  ink.fillText(text, x, y);
}

// The box, or otherwise the arc, at a position of the window: its element.
export function elementAt(clientX, clientY) {
  if (!scene) return null;
  const frame = net.getBoundingClientRect();
  const { x: left, y: top, scale } = sight();
  const [x, y] = [left + (clientX - frame.left) / scale, top + (clientY - frame.top) / scale];
  const isAtBox = (box) => Math.abs(x - box.x) <= box.width / 2 && Math.abs(y - box.y) <= box.height / 2;
  const box = scene.boxes.findLast(isAtBox);
  if (box) return box.node;
  ink.setTransform(1, 0, 0, 1, 0, 0);
  ink.setLineDash([]);
  ink.lineWidth = Math.max(HIT, FINGER / scale);
  const reach = ink.lineWidth / 2;
  const isAtArc = ({ left, right, top, bottom, path }) =>
    x > left - reach && x < right + reach && y > top - reach && y < bottom + reach && ink.isPointInStroke(path, x, y);
  return scene.arcs.findLast(isAtArc)?.element ?? null;
}

export function startPaint() {
  onSight(repaint);
  for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
    matchMedia(query).addEventListener("change", paintAnew, { signal });
  }
  $("theme").addEventListener("click", paintAnew, { signal }); // after it has changed the colours
}
