// How the distance falls and the bound rises while the search goes on.
import { svgElement } from "./elements.js";
import { number } from "./number-texts.js";
import { line } from "./plot-frame.js";

const [WIDE, HIGH, EDGE] = [150, 34, 3];
const MOST_POINTS = 300;

// Of one question; points are {seconds, distance, bound}.
export function liveCurve() {
  let points = [];
  return {
    clear: () => (points = []),
    add(point) {
      const last = points.at(-1);
      if (last && point.seconds < last.seconds) point = { ...point, seconds: last.seconds };
      points.push(point);
      if (points.length > MOST_POINTS) points = points.filter((_, i) => i % 2 || i === points.length - 1);
    },
    draw: () => (points.length < 2 ? null : picture(points)),
  };
}

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
