// Fingers on a picture: one scrolls the page, two move the picture and zoom, a tap selects, and a long press on a box
// moves it.
import { canMove, dragBox, dropBox } from "./moved-boxes.js";
import { elementAt } from "./painted-picture.js";
import { choose } from "./stage.js";
import { shift, zoom } from "./viewport.js";

const LONG = 450; // milliseconds
const STEADY = 9; // pixels that a finger may move in a tap
const AROUND = [[0, 0], [0, -9], [0, 9], [-9, 0], [9, 0], [0, -14], [0, 14]]; // a finger is wider than small things

const thingAt = (x, y) =>
  elementAt(x, y) ?? document.elementFromPoint(x, y)?.closest("#pictures [data-v], #pictures [data-a]");
const nearest = ({ clientX: x, clientY: y }) =>
  AROUND.map(([dx, dy]) => thingAt(x + dx, y + dy)).find(Boolean);

const middle = ([{ clientX: x0, clientY: y0 }, { clientX: x1, clientY: y1 }]) => ({
  x: (x0 + x1) / 2,
  y: (y0 + y1) / 2,
  apart: Math.hypot(x1 - x0, y1 - y0),
});

export function startFingers(picture) {
  let [tap, held, pair, timer] = [null, null, null, 0];
  const on = (type, listener) => picture.addEventListener(type, listener, { passive: false });
  const letGo = () => {
    clearTimeout(timer);
    if (held) {
      held.classList.remove("held");
      dropBox(Number(held.dataset.v));
    }
    [tap, held, pair] = [null, null, null];
  };
  const hold = (node) => {
    tap = null;
    held = node;
    node.classList.add("held");
    navigator.vibrate?.(15);
  };

  on("touchstart", (event) => {
    letGo();
    if (event.touches.length === 2) {
      event.preventDefault();
      pair = middle(event.touches);
    } else if (event.touches.length === 1) {
      [tap] = event.touches;
      const node = nearest(tap);
      if (canMove() && node && node.dataset.v && node.closest("#net")) timer = setTimeout(() => hold(node), LONG);
    }
  });
  on("touchmove", (event) => {
    const [first] = event.touches;
    if (held) {
      event.preventDefault();
      dragBox(Number(held.dataset.v), first);
    } else if (pair && event.touches.length === 2) {
      event.preventDefault();
      const [now, frame] = [middle(event.touches), picture.getBoundingClientRect()];
      zoom(now.apart / pair.apart || 1, pair.x - frame.left, pair.y - frame.top);
      shift(pair.x - now.x, pair.y - now.y);
      pair = now;
    } else if (tap && Math.hypot(first.clientX - tap.clientX, first.clientY - tap.clientY) > STEADY) letGo();
  });
  on("touchend", (event) => {
    if (tap) {
      event.preventDefault(); // or a click follows, on whatever is under it by then
      const { a, v } = nearest(tap)?.dataset || {};
      choose(a ? { arc: Number(a) } : v ? { variable: Number(v) } : null);
    }
    letGo();
  });
  on("touchcancel", letGo);
  on("contextmenu", (event) => held && event.preventDefault());
}
