// A plot: its frame with grid and axes, lines and words.
import { element, svgElement } from "./elements.js";
import { whole } from "./number-texts.js";

export function axisSteps(low, high, wanted) {
  const rough = (high - low) / wanted || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((part) => part * power).find((size) => size >= rough - 1e-12);
  const steps = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-6; at += step) steps.push(Number(at.toFixed(10)));
  return steps;
}

export function card(title, ...content) {
  return element("div", { class: "card" }, element("h2", {}, title), ...content);
}

export const line = (points, attributes) =>
  svgElement("path", {
    fill: "none",
    d: points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join(""),
    ...attributes,
  });
export const words = (x, y, text, attributes = {}) => svgElement("text", { x, y, ...attributes }, text);

// A frame with grid and axes; returns the picture and how to turn values into places.
export function frame(label, xs, low, high, right, shown = whole) {
  const [width, height, left, bottom, top] = [560, 270, 56, 40, 14];
  const end = width - (right ? 62 : 14);
  const [first, last] = [Math.min(...xs), Math.max(...xs)];
  const x = (value) =>
    first === last ? (left + end) / 2 : left + 14 + ((value - first) / (last - first)) * (end - left - 28);
  const y = (value) => height - bottom - ((value - low) / (high - low || 1)) * (height - bottom - top);
  const viewBox = `0 0 ${width} ${height}`;
  const picture = svgElement("svg", { class: "plot", viewBox, role: "img", "aria-label": label });
  for (const step of axisSteps(low, high, 5)) {
    picture.append(
      svgElement("path", { class: "grid", d: `M${left} ${y(step)}H${end}` }),
      words(left - 8, y(step) + 4, whole(step), { "text-anchor": "end" }),
    );
  }
  const marks = xs.length <= 12 ? xs : axisSteps(first, last, 8).filter(Number.isInteger);
  for (const mark of marks) {
    picture.append(words(x(mark), height - bottom + 18, shown(mark), { "text-anchor": "middle" }));
  }
  picture.append(svgElement("path", { class: "axis", d: `M${left} ${height - bottom}H${end}` }));
  return { picture, x, y, width, height, left, end, bottom, top };
}
