// The ways of the arcs over a layout; the same as in picture.py.

// layout: {x, y, widths} of the boxes, their height, the length of an arrow's head, the gap around boxes, and routes:
// [code, x, y, x, y, ...] for the arcs that have bends of their own.
export function arcGeometry(layout) {
  const n = layout.x.length;
  const routes = new Map(layout.routes.map(([code, ...numbers]) => [code, pairs(numbers)]));
  const boxesAt = new Map(); // by height, what the boxes there take of it
  layout.y.forEach((y, v) => {
    const half = layout.widths[v] / 2 + layout.gap;
    boxesAt.set(y, [...(boxesAt.get(y) || []), [layout.x[v] - half, layout.x[v] + half]]);
  });
  const levels = [...boxesAt.keys()].sort((one, other) => one - other);

  // Bends for an arc that has no route, past the boxes that a straight line would run behind.
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
      bends.push([free[0], y]);
    }
    return bends;
  }

  // The way of an arc, as points of cubic Bézier curves: it ends where the arrow's head begins.
  function curve(a, b) {
    const [x0, y0, x1, y1] = [layout.x[a], layout.y[a], layout.x[b], layout.y[b]];
    const half = layout.height / 2;
    if (y0 === y1) { // below both boxes
      const depth = 24 + Math.min(60, Math.abs(x1 - x0) / 8);
      const end = y1 + half + layout.head;
      return [[x0, y0 + half], [x0, y0 + half + depth], [x1, end + depth], [x1, end]];
    }
    const down = y1 > y0 ? 1 : -1;
    const bends = routes.get(a * n + b) || around(a, b);
    const aside = down === 1 ? 0 : 6;
    const leaves = x0 + aside + port((bends.length ? bends[0][0] : x1) - x0, layout.widths[a]);
    const arrives = x1 + aside + port((bends.length ? bends[bends.length - 1][0] : x0) - x1, layout.widths[b]);
    const points = [[leaves, y0 + down * half], ...bends, [arrives, y1 - down * (half + layout.head)]];
    const way = [points[0]];
    for (let i = 0; i + 1 < points.length; i++) {
      const [here, there] = [points[i], points[i + 1]];
      const straight = [0.15 * (there[0] - here[0]), 0.5 * (there[1] - here[1])];
      const leaving = i === 0 ? straight : tangent(points[i - 1], there);
      const arriving = i === points.length - 2 ? straight : tangent(here, points[i + 2]);
      way.push([here[0] + leaving[0], here[1] + leaving[1]], [there[0] - arriving[0], there[1] - arriving[1]], there);
    }
    return way;
  }

  return { around, curve };
}

// The way of an arc without a direction: on to the box, where the arrow's head would be.
export function headless(points, head) {
  const [[x0, y0], [x1, y1]] = points.slice(-2);
  const length = Math.hypot(x1 - x0, y1 - y0) || 1;
  const tip = [x1 + (head * (x1 - x0)) / length, y1 + (head * (y1 - y0)) / length];
  return [...points, [x1, y1], tip, tip];
}

// The points of a curve as an SVG path.
export function pathOf(points) {
  const [first, ...others] = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`);
  return `M${first}C${others.join(" ")}`;
}

const port = (dx, width) => Math.max(-0.32 * width, Math.min(0.32 * width, 0.16 * dx));
const tangent = (before, after) => [(after[0] - before[0]) / 24, (after[1] - before[1]) / 5];

function pairs(numbers) {
  const found = [];
  for (let i = 0; i < numbers.length; i += 2) found.push([numbers[i], numbers[i + 1]]);
  return found;
}
