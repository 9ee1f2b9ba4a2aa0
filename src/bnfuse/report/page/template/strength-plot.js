// The strengths of all pairs that a resample joins, sorted, and the estimated threshold among them.
import { element, note, svgElement } from "./elements.js";
import { consensus } from "./networks.js";
import { count, finePercent, whole } from "./number-texts.js";
import { variables } from "./page-data.js";
import { frame, line, words } from "./plot-frame.js";
import { isStrong, pairs, strength, threshold } from "./stability.js";

export function drawStrengths() {
  const sorted = pairs();
  const title = element("h2", {}, "Strengths of all pairs");
  if (!sorted.length) return [title, note("No resample joins any two variables.")];
  const strong = sorted.filter(isStrong).length;
  const plot = frame(
    `Strengths of ${count(sorted.length, "pair")}, strongest first: ${whole(strong)} over the threshold of ${
      finePercent(threshold)
    }`,
    sorted.map((_, i) => i + 1),
    0,
    100,
  );
  const y = plot.y(100 * threshold);
  const isHigh = threshold > 0.9;
  plot.picture.append(
    line([[plot.left, y], [plot.end, y]], { class: "line", stroke: "var(--ink)", "stroke-dasharray": "5 4" }),
    marks(plot, sorted, false),
    marks(plot, sorted, true),
    words(plot.end, y + (isHigh ? 16 : -6), `estimated threshold ${finePercent(threshold)}`, {
      class: "value",
      "text-anchor": "end",
    }),
    words((plot.left + plot.end) / 2, plot.height - 4, "pairs of variables, strongest first", { "text-anchor": "middle" }),
  );
  const rest = (variables.length * (variables.length - 1)) / 2 - sorted.length;
  const kept = [...consensus].filter((code) => strength(code)).length;
  return [
    title,
    plot.picture,
    note(
      `Strength in\u00a0%, of each pair of variables that a resample joins: ${whole(strong)} of ${
        whole(sorted.length)
      } are strong. Dots: joined in the consensus (${whole(kept)}). Crosses: not joined in it (${
        whole(sorted.length - kept)
      }).${rest ? ` No resample joins the other ${rest === 1 ? "pair" : count(rest, "pair")}.` : ""}`,
    ),
  ];
}

// The pairs that the consensus joins, as dots, or the others, as crosses: one path, however many there are.
function marks(plot, sorted, areKept) {
  const d = sorted.map((code, i) => {
    if (consensus.has(code) !== areKept) return "";
    const [x, y] = [plot.x(i + 1).toFixed(1), plot.y(100 * strength(code)).toFixed(1)];
    return areKept ? `M${x} ${y}h0` : `M${x} ${y}m-2.5-2.5l5 5m-5 0l5-5`;
  }).join("");
  const style = areKept
    ? "stroke: var(--kept); stroke-width: 6; stroke-linecap: round"
    : "stroke: var(--dropped); stroke-width: 1.4";
  return svgElement("path", { class: areKept ? "dots" : "crosses", d, fill: "none", style });
}
