// How the search came closer, step by step.
import { note } from "./elements.js";
import { count, number } from "./number-texts.js";
import { data, facts, METRIC } from "./page-data.js";
import { card, frame, line, words } from "./plot-frame.js";

export function drawConvergence() {
  const steps = data.history;
  const hasPopulation = steps.some(({ distance, mean }) => mean !== distance);
  if (!hasPopulation && steps.every(({ distance }) => distance === steps[0].distance)) return null; // nothing to see
  const values = steps.flatMap(({ distance, mean }) => (hasPopulation ? [distance, mean] : [distance]));
  if (facts.bound !== null) values.push(facts.bound);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const spare = (most - least) * 0.08 || 0.5;
  const plot = frame(
    `Convergence: from ${number(steps[0].distance)} to ${number(steps.at(-1).distance)} in ${count(steps.length, "step")}`,
    steps.map(({ step }) => step),
    Math.max(0, least - spare),
    most + spare,
  );
  const through = (value) => steps.map((one) => [plot.x(one.step), plot.y(value(one))]);
  if (facts.bound !== null) {
    plot.picture.append(
      line([[plot.left, plot.y(facts.bound)], [plot.end, plot.y(facts.bound)]], {
        class: "line",
        stroke: "var(--soft)",
        "stroke-dasharray": "2 4",
      }),
      words(plot.end, plot.y(facts.bound) - 6, "proven bound", { "text-anchor": "end" }),
    );
  }
  if (hasPopulation) {
    plot.picture.append(line(through(({ mean }) => mean), { class: "line", stroke: "var(--reversed)", "stroke-dasharray": "6 4" }));
  }
  plot.picture.append(line(through(({ distance }) => distance), { class: "line", stroke: "var(--kept)" }));
  plot.picture.append(
    words((plot.left + plot.end) / 2, plot.height - 4, "step of the search", { "text-anchor": "middle" }),
  );
  return card(
    "Convergence",
    plot.picture,
    note(
      `Mean ${METRIC} of the best network so far (solid line)${
        hasPopulation ? " and of the whole population, where a network over the limit counts for more (dashed)" : ""
      }; found in ${number(facts.seconds)}\u00a0s.`,
    ),
  );
}
