// The paths of arcs between the boxes of a layout, which are in rows; the same as in routes.py, which gives the
// reasons.

const RELAXATIONS = 8;
const ASIDE = 5;
const clamp = (low, high, x) => Math.max(low, Math.min(high, x));

// layout: {x, y, widths} of the boxes, their height, the length of a head, what arcs keep clear of boxes and corners,
// and the ways of arcs that have one: {arc, x, y, slopes} of its knots, where x and y are steps from the knot before, and
// slopes are hundredths. The ways of a view: ways(codes) maps each arc to the points of cubic Bézier curves, which end
// where its head begins.
export function arcGeometry(layout) {
  const n = layout.x.length;
  const { head, clearance, corner } = layout;
  const half = layout.height / 2;
  const band = half + 4;
  const known = new Map(layout.ways.map((way) => [way.arc, knotsOf(way)]));
  const gaps = gapsOf(layout);
  const levels = [...gaps.keys()];
  const turned = (code) => (code % n) * n + Math.floor(code / n);
  const reach = (v) => Math.max(0, layout.widths[v] / 2 - corner);

  const edge = (knots, i, down) => {
    const [x, y, slope] = knots[i];
    const dy = down * (i === 0 ? head : i < knots.length - 1 ? band : 0);
    return [x + slope * dy, y + dy, slope];
  };

  function fitted(start, passages, end) {
    const xs = relaxed(start, passages, end);
    const ys = [start[1], ...passages.map((one) => one.y), end[1]];
    const corners = xs.map((x, i) => {
      if (i === 0 || i === xs.length - 1) return [x, ys[i], 0];
      const { left, right } = passages[i - 1];
      const room = Math.max(0, Math.min(x - left, right - x)) / band;
      const slope = (xs[i + 1] - xs[i - 1]) / (ys[i + 1] - ys[i - 1]);
      return [x, ys[i], Math.floor(100 * clamp(-room, room, slope) + 0.5) / 100];
    });
    const knots = [corners[0]];
    for (let here = 0; here < corners.length - 1;) {
      let there = corners.length - 1;
      while (!isClear(corners, passages, here, there)) there = here + Math.floor((there - here) / 2);
      knots.push(corners[there]);
      here = there;
    }
    return knots;
  }

  function isClear(corners, passages, here, there) {
    const down = corners[there][1] > corners[here][1] ? 1 : -1;
    const [start, end] = [edge(corners, here, down), edge(corners, there, -down)];
    const height = end[1] - start[1];
    const part = band / Math.abs(height);
    for (let i = here + 1; i < there; i++) {
      const middle = (corners[i][1] - start[1]) / height;
      const hull = hullOf(start, end, middle - part, middle + part);
      if (Math.min(...hull) < passages[i - 1].left || Math.max(...hull) > passages[i - 1].right) return false;
    }
    return true;
  }

  function turnedRound(way) {
    const [[x0, y0], [x1, y1]] = [way[0], way[way.length - 1]];
    const more = y1 > y0 ? head : -head;
    return [[x1, y1 + more, 0], ...way.slice(1, -1).reverse(), [x0, y0 + more, 0]];
  }

  function curve(way) {
    const points = [way[0].slice(0, 2)];
    const down = way[way.length - 1][1] > way[0][1] ? 1 : -1;
    for (let i = 0; i + 1 < way.length; i++) {
      const [[x0, y0, slope0], [x1, y1, slope1]] = [edge(way, i, down), edge(way, i + 1, -down)];
      points.push(...straight(points[points.length - 1], [x0, y0]));
      const third = (y1 - y0) / 3;
      points.push([x0 + slope0 * third, y0 + third], [x1 - slope1 * third, y1 - third], [x1, y1]);
    }
    return points;
  }

  function ways(codes) {
    const found = new Map();
    const later = new Map(); // the paths of arcs that have none in the layout
    const taken = new Map(); // for a box and its upper or lower side: where arcs meet it
    const at = (v, side) => {
      const key = 2 * v + (side > 0);
      if (!taken.has(key)) taken.set(key, []);
      return taken.get(key);
    };
    const take = (code, way) => {
      const down = way[way.length - 1][1] > way[0][1] ? 1 : -1;
      at(Math.floor(code / n), down).push(way[0][0]);
      at(code % n, -down).push(way[way.length - 1][0]);
      found.set(code, curve(way));
    };

    // At a distance of a head's width from other arcs, if possible.
    function port(v, other, side) {
      const wish = commonPort(layout.x[v], reach(v), layout.x[other], reach(other));
      const others = at(v, side);
      const places = [wish, ...others.flatMap((one) => [one - head - 1, one + head + 1])].filter((place) =>
        Math.abs(place - layout.x[v]) <= reach(v) && others.every((one) => Math.abs(place - one) >= head + 1 - 1e-6)
      );
      places.sort((one, other) => Math.abs(one - wish) - Math.abs(other - wish) || one - other);
      return places.length ? places[0] : wish;
    }

    function around(a, b) {
      const [y0, y1] = [layout.y[a], layout.y[b]];
      const down = y1 > y0 ? 1 : -1;
      const start = [port(a, b, down), y0 + down * half];
      const end = [port(b, a, -down), y1 - down * (half + head)];
      const passages = [];
      let [x, y] = start;
      for (const row of down === 1 ? levels : [...levels].reverse()) {
        if ((row - y0) * down <= 0 || (y1 - row) * down <= 0) continue;
        const there = x + (end[0] - x) * (row - y) / (end[1] - y);
        const [left, right] = nearest(gaps.get(row), there);
        [x, y] = [clamp(left, right, there), row];
        passages.push({ x, y, left, right });
      }
      return fitted(start, passages, end);
    }

    // Between two boxes of a row: over those in between.
    function over(code, a, b) {
      const top = layout.y[a] - half - head;
      const row = levels.indexOf(layout.y[a]);
      const free = row ? layout.y[a] - levels[row - 1] - layout.height - clearance : layout.y[a] - half - 2;
      const [x0, x1] = [port(a, b, -1), port(b, a, -1)];
      const up = top - Math.min(24 + Math.abs(x1 - x0) / 8, (free - head) / 0.75);
      at(a, -1).push(x0);
      at(b, -1).push(x1);
      found.set(code, [[x0, top + head], ...straight([x0, top + head], [x0, top]), [x0, up], [x1, up], [x1, top]]);
    }

    const wayBack = (code) => known.get(turned(code)) || later.get(turned(code));
    for (const code of codes) if (known.has(code)) take(code, known.get(code));
    for (const code of codes) {
      if (known.has(code)) continue;
      const [a, b] = [Math.floor(code / n), code % n];
      if (wayBack(code)) take(code, turnedRound(wayBack(code)));
      else if (layout.y[a] === layout.y[b]) over(code, a, b);
      else {
        later.set(code, around(a, b));
        take(code, later.get(code));
      }
    }
    return found;
  }

  return { ways };
}

function knotsOf(way) {
  let [x, y] = [0, 0];
  return way.slopes.map((slope, i) => [(x += way.x[i]), (y += way.y[i]), slope / 100]);
}

// For each row, from above, the space that its boxes leave free.
function gapsOf(layout) {
  const boxes = new Map();
  layout.y.forEach((y, v) => {
    const wide = layout.widths[v] / 2 + layout.clearance;
    boxes.set(y, [...(boxes.get(y) || []), [layout.x[v] - wide, layout.x[v] + wide]]);
  });
  const rows = [...boxes].sort(([one], [other]) => one - other);
  return new Map(rows.map(([y, all]) => {
    const edges = [-Infinity, ...all.sort(([one], [other]) => one - other).flat(), Infinity];
    const gaps = [];
    for (let i = 0; i < edges.length; i += 2) if (edges[i] <= edges[i + 1]) gaps.push([edges[i], edges[i + 1]]);
    return [y, gaps];
  }));
}

function nearest(gaps, x) {
  const away = ([left, right]) => Math.max(left - x, x - right, 0);
  return gaps.reduce((best, gap) => (away(gap) < away(best) ? gap : best));
}

function relaxed(start, passages, end) {
  const xs = [start[0], ...passages.map((one) => one.x), end[0]];
  const ys = [start[1], ...passages.map((one) => one.y), end[1]];
  const order = passages.map((_, i) => i + 1);
  for (let round = 0; round < RELAXATIONS; round++) {
    for (const i of order) {
      const { left, right } = passages[i - 1];
      const aside = Math.min(ASIDE, Math.max(0, (right - left) / 3));
      const part = (ys[i] - ys[i - 1]) / (ys[i + 1] - ys[i - 1]);
      xs[i] = clamp(left + aside, right - aside, xs[i - 1] + part * (xs[i + 1] - xs[i - 1]));
    }
    order.reverse();
  }
  return [start[0], ...xs.slice(1, -1).map((x) => Math.floor(x + 0.5)), end[0]];
}

// The x of the Bézier points of a part of the curve between two knots.
function hullOf([x0, y0, slope0], [x1, y1, slope1], first, second) {
  const [leaving, arriving] = [slope0 * (y1 - y0), slope1 * (y1 - y0)];
  const [square, cube] = [3 * (x1 - x0) - 2 * leaving - arriving, 2 * (x0 - x1) + leaving + arriving];
  const place = (t) => x0 + t * (leaving + t * (square + t * cube));
  const speed = (t) => leaving + t * (2 * square + 3 * t * cube);
  const third = (second - first) / 3;
  return [place(first), place(first) + third * speed(first), place(second) - third * speed(second), place(second)];
}

function commonPort(x, reach, otherX, otherReach) {
  const [left, right] = [Math.max(x - reach, otherX - otherReach), Math.min(x + reach, otherX + otherReach)];
  if (left <= right) return (left + right) / 2;
  return otherX > x ? x + reach : x - reach;
}

function straight([x0, y0], [x1, y1]) {
  const [dx, dy] = [(x1 - x0) / 3, (y1 - y0) / 3];
  return [[x0 + dx, y0 + dy], [x1 - dx, y1 - dy], [x1, y1]];
}

// The path of an arc without a direction: it continues to the box, where the arrow's head would be.
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
