// The mean and standard deviation of each variable in its box, and the findings above the picture.
import { $, element, fill, svgElement } from "./elements.js";
import { nodes } from "./network-picture.js";
import { answerOf, digits, forgetValues, impossibleValue, knowValue, numbers, onValues, values, valueText } from "./number-findings.js";
import { targetOf } from "./networks.js";
import { variables } from "./page-data.js";
import { repaint } from "./painted-picture.js";
import { onView } from "./stage.js";

const LETTER = 6.2; // about the width of one, in bold

function draw() {
  $("net").classList.add("asked");
  nodes.forEach((node, variable) => {
    node.querySelector(".chances")?.remove();
    node.classList.toggle("found", values.has(variable));
    if (!impossibleValue()) node.append(textIn(node.querySelector("rect"), variable));
  });
  cutArcs();
  repaint();
}

function cutArcs() {
  for (const arc of $("arcs").children) arc.classList.toggle("cut", Boolean(values.get(targetOf(Number(arc.dataset.a)))?.isSet));
}

function textIn(box, variable) {
  const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(box.getAttribute(name)));
  const { mean, sd } = answerOf(variable);
  const known = values.get(variable);
  const short = digits(Number(mean.toPrecision(3)));
  const both = [short, digits(Number(sd.toPrecision(2)))];
  const whole = [both.join(" \u00b1 "), both.join("\u00b1"), short].find((one) => one.length * LETTER < width) || short;
  const text = known ? `${known.isSet ? "do" : "="} ${short}` : whole;
  const label = svgElement("text", { x: (x + width / 2).toFixed(1), y: (y + height - 4).toFixed(1) }, text);
  return svgElement("g", { class: "chances", "aria-hidden": "true" }, label);
}

function strip() {
  const impossible = impossibleValue();
  const chip = (variable) =>
    element(
      "button",
      { type: "button", class: "finding", "aria-label": `Take back ${valueText(variable)}`, onclick: () => knowValue(variable, null) },
      element("span", {}, valueText(variable)),
      " \u00d7",
    );
  const parts = values.size
    ? [
      element("span", {}, "given"),
      ...[...values.keys()].map(chip),
      impossible === null ? null : element("span", { class: "probable" }, `impossible: ${variables[impossible]} cannot have this value`),
      element("button", { type: "button", id: "clear", onclick: forgetValues }, "Clear all"),
    ]
    : ["What if? Choose a variable, then give it a value. Boxes have mean \u00b1 standard deviation."];
  $("evidence").classList.toggle("empty", !values.size);
  $("evidence").classList.toggle("impossible", impossible !== null);
  fill($("evidence"), ...parts.filter(Boolean));
  const said = values.size ? `Given ${[...values.keys()].map(valueText).join(", ")}.` : "No findings.";
  fill($("evidence-said"), said);
}

export function startNumbers() {
  if (!numbers) return;
  $("evidence").hidden = false;
  const update = () => {
    draw();
    strip();
  };
  update();
  onValues(update);
  onView(cutArcs);
}
