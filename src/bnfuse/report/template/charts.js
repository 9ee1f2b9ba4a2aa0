// Convergence and frontier.

function axisSteps(low, high, wanted) {
  const rough = (high - low) / wanted || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((part) => part * power).find((size) => size >= rough - 1e-12);
  const steps = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-6; at += step) steps.push(Number(at.toFixed(10)));
  return steps;
}

function card(title, ...content) {
  return element("div", { class: "card" }, element("h2", {}, title), ...content);
}

const line = (points, attributes) =>
  drawn("path", {
    fill: "none",
    d: points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join(""),
    ...attributes,
  });
const words = (x, y, text, attributes = {}) => {
  const node = drawn("text", { x, y, ...attributes });
  node.textContent = text;
  return node;
};

// A frame with grid and axes; returns the picture and how to turn values into places.
function frame(label, xs, low, high, right) {
  const [width, height, left, bottom, top] = [560, 270, 56, 40, 14];
  const end = width - (right ? 62 : 14);
  const [first, last] = [Math.min(...xs), Math.max(...xs)];
  const x = (
    value,
  ) => (first === last ? (left + end) / 2 : left + 14 + ((value - first) / (last - first)) * (end - left - 28));
  const y = (value) => height - bottom - ((value - low) / (high - low || 1)) * (height - bottom - top);
  const picture = drawn("svg", { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
  for (const step of axisSteps(low, high, 5)) {
    picture.append(
      drawn("path", { class: "grid", d: `M${left} ${y(step)}H${end}` }),
      words(left - 8, y(step) + 4, whole(step), { "text-anchor": "end" }),
    );
  }
  const marks = xs.length <= 12 ? xs : axisSteps(first, last, 8).filter(Number.isInteger);
  for (const mark of marks) {
    picture.append(words(x(mark), height - bottom + 18, whole(mark), { "text-anchor": "middle" }));
  }
  picture.append(drawn("path", { class: "axis", d: `M${left} ${height - bottom}H${end}` }));
  return { picture, x, y, width, height, left, end, bottom, top };
}

function drawConvergence() {
  const steps = data.history;
  if (steps.length < 2) return null;
  const best = steps.map(([step, distance]) => [step, distance]);
  const means = steps.map(([step, , mean]) => [step, mean]);
  const hasPopulation = steps.some(([, distance, mean]) => mean !== distance);
  const values = [...best, ...(hasPopulation ? means : [])].map(([, value]) => value);
  if (facts.bound !== null) values.push(facts.bound);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const spare = (most - least) * 0.08 || 0.5;
  const plot = frame(
    `Convergence: from ${number(best[0][1])} to ${number(best[best.length - 1][1])} in ${count(steps.length, "step")}`,
    steps.map(([step]) => step),
    Math.max(0, least - spare),
    most + spare,
  );
  const at = ([step, value]) => [plot.x(step), plot.y(value)];
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
    plot.picture.append(line(means.map(at), { class: "line", stroke: "var(--reversed)", "stroke-dasharray": "6 4" }));
  }
  plot.picture.append(line(best.map(at), { class: "line", stroke: "var(--kept)" }));
  plot.picture.append(
    words((plot.left + plot.end) / 2, plot.height - 4, "step of the search", { "text-anchor": "middle" }),
  );
  return card(
    "Convergence",
    plot.picture,
    element(
      "p",
      { class: "note" },
      `Mean ${METRIC} of the best network so far (solid line)${
        hasPopulation ? " and of the whole population, where a network over the limit counts for more (dashed)" : ""
      }; found in ${number(facts.seconds)} s.`,
    ),
  );
}

function drawFrontier() {
  const points = data.frontier;
  if (!points.length) return null;
  const limits = points.map((point) => point.max_clique);
  const most = Math.max(facts.distance, ...points.map((point) => point.distance));
  const powers = points.map((point) => point.tables);
  const [lowest, highest] = [Math.floor(Math.min(...powers)), Math.floor(Math.max(...powers)) + 1];
  const plot = frame(
    `Frontier: distance and cost of inference for limits ${limits[0]} to ${limits[limits.length - 1]}`,
    [...new Set([...limits, facts.limit])].sort((a, b) => a - b),
    0,
    most * 1.08 || 1,
    true,
  );
  const cost = (power) =>
    plot.height - plot.bottom - ((power - lowest) / (highest - lowest)) * (plot.height - plot.bottom - plot.top);
  const ends = points.map((point, i) => [plot.x(limits[i]), plot.y(point.distance)]);
  const bounds = points.filter((point) => point.lower_bound !== null).map((
    point,
  ) => [plot.x(point.max_clique), plot.y(point.lower_bound)]);
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
    plot.picture.append(drawn("rect", { x: x - 3.5, y: y - 3.5, width: 7, height: 7, fill: "var(--dropped)" }));
  }
  plot.picture.append(line(ends, { class: "line", stroke: "var(--kept)" }));
  for (const [x, y] of ends) plot.picture.append(drawn("circle", { cx: x, cy: y, r: 4, fill: "var(--kept)" }));
  for (let power = lowest; power <= highest; power += Math.max(1, Math.ceil((highest - lowest) / 5))) {
    plot.picture.append(
      words(plot.end + 6, cost(power) + 4, power < 7 ? whole(10 ** power) : `10^${power}`, {
        style: "fill: var(--dropped)",
      }),
    );
  }
  const chosenX = plot.x(facts.limit);
  const isLate = chosenX > (plot.left + plot.end) / 2;
  plot.picture.append(
    line([[chosenX, plot.top], [chosenX, plot.height - plot.bottom]], {
      class: "line",
      stroke: "var(--ink)",
      "stroke-dasharray": "5 4",
    }),
    drawn("circle", {
      cx: chosenX,
      cy: plot.y(facts.distance),
      r: 7,
      fill: "none",
      stroke: "var(--ink)",
      "stroke-width": 2,
    }),
    words(chosenX + (isLate ? -7 : 7), plot.height - plot.bottom - 8, `chosen limit ${facts.limit}`, {
      class: "value",
      "text-anchor": isLate ? "end" : "start",
    }),
    words((plot.left + plot.end) / 2, plot.height - 4, "limit: largest clique allowed", { "text-anchor": "middle" }),
  );
  return card(
    "Frontier",
    plot.picture,
    element(
      "p",
      { class: "note" },
      `Solid line, left axis: mean ${METRIC}${
        bounds.length ? "; shaded: where no network can be, proven" : ""
      }. Dashed line, right axis: numbers in the clique tables, the cost of exact inference${
        facts.states_known ? "" : " with two states for each variable"
      }. The dashed upright is the limit of this consensus.`,
    ),
  );
}
