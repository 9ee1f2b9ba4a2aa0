// Which part of the picture is seen: moving, zooming, going to a variable.
import { $ } from "./elements.js";
import { layout } from "./page-data.js";
import { extent } from "./places.js";
import { remembered, signal } from "./restart.js";
import { choose } from "./stage.js";

const net = $("net");
// The top left corner, and pixels for each unit.
export const seen = remembered("viewport", { x: 0, y: 0, scale: 1, isMoved: false });

export function place() {
  const box = [seen.x, seen.y, net.clientWidth / seen.scale, net.clientHeight / seen.scale];
  net.setAttribute("viewBox", box.map((value) => value.toFixed(2)).join(" "));
}

export function fit() {
  const [left, width, height] = extent();
  seen.scale = Math.min(1.4, net.clientWidth / width, net.clientHeight / height) || 1;
  seen.x = left + (width - net.clientWidth / seen.scale) / 2;
  seen.y = (height - net.clientHeight / seen.scale) / 2;
  seen.isMoved = false;
  place();
}

export function zoom(factor, x = net.clientWidth / 2, y = net.clientHeight / 2) {
  const scale = Math.max(0.02, Math.min(6, seen.scale * factor));
  seen.x += x / seen.scale - x / scale;
  seen.y += y / seen.scale - y / scale;
  seen.scale = scale;
  seen.isMoved = true;
  place();
}

export function shift(dx, dy) {
  seen.x += dx / seen.scale;
  seen.y += dy / seen.scale;
  seen.isMoved = true;
  place();
}

export function goTo(variable) {
  const scale = Math.max(seen.scale, 0.9);
  if (scale !== seen.scale || !isInSight(variable)) {
    seen.scale = scale;
    seen.x = layout.x[variable] - net.clientWidth / scale / 2;
    seen.y = layout.y[variable] - net.clientHeight / scale / 2;
    seen.isMoved = true;
    place();
  }
  choose({ variable });
}

function isInSight(variable) {
  const [x, y] = [(layout.x[variable] - seen.x) * seen.scale, (layout.y[variable] - seen.y) * seen.scale];
  return x > 40 && y > 20 && x < net.clientWidth - 40 && y < net.clientHeight - 20;
}

export function startViewport() {
  $("closer").addEventListener("click", () => zoom(1.3));
  $("farther").addEventListener("click", () => zoom(1 / 1.3));
  $("whole").addEventListener("click", fit);
  const refit = () => (seen.isMoved ? place() : fit());
  refit();
  const observer = new ResizeObserver(refit);
  observer.observe(net);
  signal.addEventListener("abort", () => observer.disconnect());
}
