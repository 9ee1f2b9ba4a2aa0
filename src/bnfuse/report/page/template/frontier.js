// The best networks for other limits: distance, bound, and the cost of inference.
import { element, note, svgElement } from "./elements.js";
import { showLimit } from "./limit-choice.js";
import { short, whole } from "./number-texts.js";
import { data, facts, limits, METRIC } from "./page-data.js";
import { card, frame, line, words } from "./plot-frame.js";

export function drawFrontier() {
  const points = data.frontier;
  if (!points.length) return null;
  const axis = axisOf(points);
  const most = Math.max(facts.distance, ...points.map((point) => point.distance));
  const [first, last] = [axis.limits[0], axis.limits[axis.limits.length - 1]];
  const plot = frame(
    `Frontier: distance and cost of inference for limits ${axis.shown(first)} to ${axis.shown(last)}`,
    [...new Set([...axis.limits, ...(axis.chosen === null ? [] : [axis.chosen])])].sort((a, b) => a - b),
    0,
    most * 1.08 || 1,
    true,
    axis.shown,
  );
  const hasBounds = points.every((point) => point.lower_bound !== null);
  if (hasBounds) drawBounds(plot, axis, points);
  drawCosts(plot, axis, points);
  const ends = points.map((point, i) => [plot.x(axis.limits[i]), plot.y(point.distance)]);
  plot.picture.append(line(axis.isGapless ? ends : stepsAfter(ends), { class: "line", stroke: "var(--kept)" }));
  for (const [x, y] of ends) plot.picture.append(svgElement("circle", { cx: x, cy: y, r: 4, fill: "var(--kept)" }));
  if (axis.chosen !== null) drawChosen(plot, axis);
  if (limits) listenToClicks(plot, axis);
  plot.picture.append(words((plot.left + plot.end) / 2, plot.height - 4, axis.title, { "text-anchor": "middle" }));
  const how = limits && element("p", { class: "note off-paper" }, "Click a limit, or move the slider at the top, to see its network.");
  return card("Frontier", plot.picture, ...[note(explanation(hasBounds, axis.chosen !== null)), how].filter(Boolean));
}

// The positions of the limits: those on clique tables by their powers of ten, or those on cliques. The consensus has a
// position among them if its own limit is of that kind.
function axisOf(points) {
  if (!data.steps_through_tables) {
    return {
      isGapless: true,
      limits: points.map((point) => point.max_clique),
      chosen: facts.is_clique_limited ? facts.limit : null,
      placeOf: (value) => value,
      shown: whole,
      title: "limit: largest clique allowed",
    };
  }
  return {
    isGapless: false,
    limits: points.map((point) => Math.log10(point.max_table)),
    chosen: facts.max_table === null ? null : Math.log10(facts.max_table),
    placeOf: Math.log10,
    shown: (place) => short(10 ** place),
    title: "limit: numbers in the largest clique table allowed",
  };
}

// A click chooses the nearest limit whose network the page has.
function listenToClicks({ picture, x }, axis) {
  picture.classList.add("is-choice");
  const places = limits.limits.map((value) => (value === null ? Infinity : x(axis.placeOf(value))));
  picture.addEventListener("click", (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
    const away = places.map((place) => Math.abs(place - at.x));
    showLimit(away.indexOf(Math.min(...away)), "charts");
  });
}

// Between two limits on tables there are others. For these, the network for the smaller limit is known to fit, and the
// bound for the larger one to hold.
const stepsAfter = (places) =>
  places.flatMap(([x, y], i) => (i + 1 < places.length ? [[x, y], [places[i + 1][0], y]] : [[x, y]]));
const stepsBefore = (places) => places.flatMap(([x, y], i) => (i ? [[places[i - 1][0], y], [x, y]] : [[x, y]]));

function drawBounds(plot, axis, points) {
  const places = points.map((point, i) => [plot.x(axis.limits[i]), plot.y(point.lower_bound)]);
  const bounds = axis.isGapless ? places : stepsBefore(places);
  const floor = plot.height - plot.bottom;
  plot.picture.append(
    line([[bounds[0][0], floor], ...bounds, [bounds[bounds.length - 1][0], floor]], {
      style: "fill: var(--kept); fill-opacity: 0.14",
    }),
    line(bounds, { class: "line", stroke: "var(--kept)", "stroke-dasharray": "2 3" }),
  );
}

function drawCosts(plot, axis, points) {
  const powers = points.map((point) => point.tables);
  const [lowest, highest] = [Math.floor(Math.min(...powers)), Math.floor(Math.max(...powers)) + 1];
  const y = (power) =>
    plot.height - plot.bottom - ((power - lowest) / (highest - lowest)) * (plot.height - plot.bottom - plot.top);
  const costs = powers.map((power, i) => [plot.x(axis.limits[i]), y(power)]);
  plot.picture.append(
    line(axis.isGapless ? costs : stepsAfter(costs), {
      class: "line",
      stroke: "var(--dropped)",
      "stroke-dasharray": "6 4",
    }),
  );
  for (const [x, at] of costs) {
    plot.picture.append(svgElement("rect", { x: x - 3.5, y: at - 3.5, width: 7, height: 7, fill: "var(--dropped)" }));
  }
  for (let power = lowest; power <= highest; power += Math.max(1, Math.ceil((highest - lowest) / 5))) {
    const text = power < 7 ? whole(10 ** power) : `10^${power}`;
    plot.picture.append(words(plot.end + 6, y(power) + 4, text, { style: "fill: var(--dropped)" }));
  }
}

function drawChosen(plot, axis) {
  const x = plot.x(axis.chosen);
  const isLate = x > (plot.left + plot.end) / 2;
  plot.picture.append(
    line([[x, plot.top], [x, plot.height - plot.bottom]], {
      class: "line",
      stroke: "var(--ink)",
      "stroke-dasharray": "5 4",
    }),
    svgElement("circle", {
      cx: x,
      cy: plot.y(facts.distance),
      r: 7,
      fill: "none",
      stroke: "var(--ink)",
      "stroke-width": 2,
    }),
    words(x + (isLate ? -7 : 7), plot.height - plot.bottom - 8, `chosen limit ${axis.shown(axis.chosen)}`, {
      class: "value",
      "text-anchor": isLate ? "end" : "start",
    }),
  );
}

const explanation = (hasBounds, hasChosen) =>
  `Solid line, left axis: mean ${METRIC}${hasBounds ? "; shaded: proven that no network is there" : ""}. ` +
  "Dashed line, right axis: numbers in the clique tables, the cost of exact inference" +
  `${facts.states_known ? "" : " with two states for each variable"}.` +
  `${hasChosen ? " The dashed upright is the limit of this consensus." : ""}`;
