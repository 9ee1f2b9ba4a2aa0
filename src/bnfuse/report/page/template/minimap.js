// The whole picture in a corner, with a frame around the visible part: press there to move it.
import { $, svgElement } from "./elements.js";
import { onMove } from "./places.js";
import { extent, onPlacing, placing } from "./placing.js";
import { isReadable, lookAt, onSight, sight } from "./viewport.js";

const WIDEST = 170; // pixels
const HIGHEST = 110;
const THINNEST = 1; // a box
const SHARE = 0.3; // of the picture, at most
const NEARLY_ALL = 0.85; // of the whole: if more is visible, the map would hide more than it helps

const map = $("minimap");

function draw() {
  const { x, y, widths, members } = placing();
  const [start, wide, high] = extent();
  const boxes = members.map((v) => `M${x[v] - widths[v] / 2} ${y[v]}h${widths[v]}`).join("");
  map.setAttribute("viewBox", `${start} 0 ${wide} ${high}`);
  map.replaceChildren(
    svgElement("path", { d: boxes }),
    svgElement("rect", { class: "seen", "vector-effect": "non-scaling-stroke" }),
  );
  follow();
}

function follow() {
  const { x, y, width, height, scale: zoom } = sight();
  const [start, wide, high] = extent();
  const [left, top] = [Math.max(start, x), Math.max(0, y)];
  const frame = {
    x: left,
    y: top,
    width: Math.max(0, Math.min(start + wide, x + width) - left),
    height: Math.max(0, Math.min(high, y + height) - top),
  };
  const isNearlyAllSeen = frame.width * frame.height > NEARLY_ALL * wide * high;
  map.toggleAttribute("hidden", isReadable() || isNearlyAllSeen);
  const scale = Math.min(Math.min(WIDEST, SHARE * width * zoom) / wide, Math.min(HIGHEST, SHARE * height * zoom) / high);
  map.firstChild.setAttribute("stroke-width", Math.max(placing().height, THINNEST / scale).toFixed(1));
  map.style.width = `${wide * scale}px`;
  map.style.height = `${high * scale}px`;
  for (const [name, value] of Object.entries(frame)) map.lastChild.setAttribute(name, value.toFixed(1));
}

function look(event) {
  if (!event.buttons) return;
  const frame = map.getBoundingClientRect();
  const [start, wide, high] = extent();
  lookAt(start + ((event.clientX - frame.left) / frame.width) * wide, ((event.clientY - frame.top) / frame.height) * high);
}

export function startMinimap() {
  onPlacing(draw);
  onMove(draw);
  onSight(follow);
  map.addEventListener("pointerdown", (event) => {
    map.setPointerCapture(event.pointerId);
    look(event);
  });
  map.addEventListener("pointermove", look);
  draw();
}
