// How the distance falls and the bound rises while the search goes on.
import { svgElement } from "./elements.js";
import { number } from "./number-texts.js";
import { line } from "./plot-frame.js";

const [WIDE, HIGH, EDGE] = [150, 34, 3];
const MOST_POINTS = 300;

// For one question; points are {effort, seconds, distance, bound}. Each search has its own clock and starts anew;
// earlier results are kept.
export function liveCurve() {
  let points = [];
  let earlier = 0; // seconds of the previous searches
  return {
    clear: () => {
      points = [];
      earlier = 0;
    },
    add({ effort, seconds, distance, bound }) {
      const last = points.at(-1);
      if (last && last.effort !== effort) earlier = last.seconds;
      points.push({
        effort,
        seconds: Math.max(earlier + seconds, last?.seconds ?? 0),
        distance: Math.min(distance, last?.distance ?? Infinity),
        bound: bound === null ? (last?.bound ?? null) : Math.max(bound, last?.bound ?? -Infinity),
      });
      if (points.length > MOST_POINTS) points = points.filter((_, i) => i % 2 || i === points.length - 1);
    },
    draw: () => (isFlat(points) ? null : picture(points)),
  };
}

// Nothing has changed so far.
const isFlat = ([first, ...others]) => others.every((one) => one.distance === first.distance && one.bound === (first.bound ?? one.bound));

function picture(points) {
  const values = points.flatMap(({ distance, bound }) => [distance, ...(bound === null ? [] : [bound])]);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const end = points.at(-1).seconds || 1;
  const x = (seconds) => EDGE + (seconds / end) * (WIDE - 2 * EDGE);
  const y = (value) => HIGH - EDGE - ((value - low) / (high - low || 1)) * (HIGH - 2 * EDGE);
  const steps = (field) =>
    points.filter((point) => point[field] !== null).flatMap((point, i, all) => [
      ...(i ? [[x(point.seconds), y(all[i - 1][field])]] : []),
      [x(point.seconds), y(point[field])],
    ]);
  const [first, last] = [points[0], points.at(-1)];
  const bound = last.bound === null ? "" : `; the bound is ${number(last.bound)}`;
  return svgElement(
    "svg",
    {
      viewBox: `0 0 ${WIDE} ${HIGH}`,
      class: "plot",
      role: "img",
      "aria-label": `Distance from ${number(first.distance)} to ${number(last.distance)}${bound}`,
    },
    line(steps("bound"), { class: "line", stroke: "var(--soft)", "stroke-dasharray": "2 3" }),
    line(steps("distance"), { class: "line", stroke: "var(--kept)" }),
  );
}
