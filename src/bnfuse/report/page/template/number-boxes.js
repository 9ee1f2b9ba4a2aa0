// The mean and standard deviation of each variable in its box, and the findings above the picture.
import { $, element, fill, svgElement } from "./elements.js";
import { nodes } from "./network-picture.js";
import { answerOf, digits, forgetValues, impossibleValue, knowValue, numbers, onValues, values, valueText } from "./number-findings.js";
import { targetOf } from "./networks.js";
import { variables } from "./page-data.js";
import { repaint } from "./painted-picture.js";
import { onView } from "./stage.js";

const LETTER = 6.6; // about the width of one, in bold
const MARGINS = 4;
const SQUEEZED = 1.2; // how much wider than its box a text may be, which is then squeezed

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
  const brief = [digits(Number(mean.toPrecision(Math.abs(mean) < 100 ? 2 : 3))), both[1]].join("\u00b1");
  const room = (width - MARGINS) / LETTER; // letters
  const whole = [both.join(" \u00b1 "), both.join("\u00b1")].find((one) => one.length <= room);
  const chosen = whole || (brief.length <= SQUEEZED * room ? brief : short);
  const text = known ? `${known.isSet ? "do" : "="} ${short}` : chosen;
  const place = { x: (x + width / 2).toFixed(1), y: (y + height - 4).toFixed(1) };
  const squeezed = text.length > room ? { textLength: width - MARGINS, lengthAdjust: "spacingAndGlyphs" } : {};
  const label = svgElement("text", { ...place, ...squeezed }, text);
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
