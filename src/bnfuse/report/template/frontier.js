// The best networks for other limits: distance, bound, and what inference costs.
import { note, svgElement } from "./elements.js";
import { short, whole } from "./number-texts.js";
import { data, facts, METRIC } from "./page-data.js";
import { card, frame, line, words } from "./plot-frame.js";

export function drawFrontier() {
  const points = data.frontier;
  if (!points.length) return null;
  const byTables = new Set(points.map((point) => point.max_table)).size > 1 && facts.max_table !== null;
  const placeOf = (one, clique) => (byTables ? Math.log10(one.max_table) : clique);
  const shown = (place) => (byTables ? short(10 ** place) : whole(place));
  const limits = points.map((point) => placeOf(point, point.max_clique));
  const chosen = placeOf(facts, facts.limit);
  const most = Math.max(facts.distance, ...points.map((point) => point.distance));
  const powers = points.map((point) => point.tables);
  const [lowest, highest] = [Math.floor(Math.min(...powers)), Math.floor(Math.max(...powers)) + 1];
  const plot = frame(
    `Frontier: distance and cost of inference for limits ${shown(limits[0])} to ${
      shown(limits[limits.length - 1])
    }`,
    [...new Set([...limits, chosen])].sort((a, b) => a - b),
    0,
    most * 1.08 || 1,
    true,
    shown,
  );
  const cost = (power) =>
    plot.height - plot.bottom - ((power - lowest) / (highest - lowest)) * (plot.height - plot.bottom - plot.top);
  const ends = points.map((point, i) => [plot.x(limits[i]), plot.y(point.distance)]);
  const bounds = points.filter((point) => point.lower_bound !== null)
    .map((point) => [plot.x(placeOf(point, point.max_clique)), plot.y(point.lower_bound)]);
  if (bounds.length) {
    const floor = plot.height - plot.bottom;
    plot.picture.append(
      line([[bounds[0][0], floor], ...bounds, [bounds[bounds.length - 1][0], floor]], {
        style: "fill: var(--kept); fill-opacity: 0.14",
      }),
      line(bounds, { class: "line", stroke: "var(--kept)", "stroke-dasharray": "2 3" }),
    );
  }
  const costs = points.map((_, i) => [plot.x(limits[i]), cost(powers[i])]);
  plot.picture.append(line(costs, { class: "line", stroke: "var(--dropped)", "stroke-dasharray": "6 4" }));
  for (const [x, y] of costs) {
    plot.picture.append(svgElement("rect", { x: x - 3.5, y: y - 3.5, width: 7, height: 7, fill: "var(--dropped)" }));
  }
  plot.picture.append(line(ends, { class: "line", stroke: "var(--kept)" }));
  for (const [x, y] of ends) plot.picture.append(svgElement("circle", { cx: x, cy: y, r: 4, fill: "var(--kept)" }));
  for (let power = lowest; power <= highest; power += Math.max(1, Math.ceil((highest - lowest) / 5))) {
    plot.picture.append(
      words(plot.end + 6, cost(power) + 4, power < 7 ? whole(10 ** power) : `10^${power}`, {
        style: "fill: var(--dropped)",
      }),
    );
  }
  const chosenX = plot.x(chosen);
  const isLate = chosenX > (plot.left + plot.end) / 2;
  plot.picture.append(
    line([[chosenX, plot.top], [chosenX, plot.height - plot.bottom]], {
      class: "line",
      stroke: "var(--ink)",
      "stroke-dasharray": "5 4",
    }),
    svgElement("circle", {
      cx: chosenX,
      cy: plot.y(facts.distance),
      r: 7,
      fill: "none",
      stroke: "var(--ink)",
      "stroke-width": 2,
    }),
    words(chosenX + (isLate ? -7 : 7), plot.height - plot.bottom - 8, `chosen limit ${shown(chosen)}`, {
      class: "value",
      "text-anchor": isLate ? "end" : "start",
    }),
    words(
      (plot.left + plot.end) / 2,
      plot.height - 4,
      byTables ? "limit: numbers in the largest clique table allowed" : "limit: largest clique allowed",
      { "text-anchor": "middle" },
    ),
  );
  return card(
    "Frontier",
    plot.picture,
    note(
      `Solid line, left axis: mean ${METRIC}${
        bounds.length ? "; shaded: where no network can be, proven" : ""
      }. Dashed line, right axis: numbers in the clique tables, the cost of exact inference${
        facts.states_known ? "" : " with two states for each variable"
      }. The dashed upright is the limit of this consensus.`,
    ),
  );
}
