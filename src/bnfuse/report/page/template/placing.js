// The positions of the boxes of the picture: as in the layout of the page or, around one variable, in a separate one.
import { layout, variables } from "./page-data.js";
import { extent as wholeExtent } from "./places.js";

const whole = { ...layout, members: variables.map((_, v) => v) };
const listeners = [];
let current = whole;

// A layout in the form of geometry.js, with its members: the variables in the picture.
export const placing = () => current;
export const isWhole = () => current === whole;
// The whole picture: its origin, width and height.
export const extent = () => (isWhole() ? wholeExtent() : [0, current.size.width, current.size.height]);
export const onPlacing = (listener) => listeners.push(listener);

// Without a layout: everybody, as in that of the page.
export function place(next = whole) {
  if (next === current) return;
  current = next;
  for (const listener of listeners) listener();
}
