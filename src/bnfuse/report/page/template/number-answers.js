// The details of a chosen variable of a Gaussian network: its density before and after, a field for its value, and the
// answers of the inputs.
import { element, fill, note, svgElement } from "./elements.js";
import { answerOf, digits, knowValue, numbers, onValues, priorOf, saysInputs, values, valueOfInput } from "./number-findings.js";
import { inputs } from "./networks.js";
import { variables } from "./page-data.js";

const NORMAL_95 = 1.959963984540054;
const REACH = 3.5; // standard deviations that the slider and the picture show
const SIZE = { width: 320, height: 92, base: 70 };
const POINTS = 121;

const intervalText = ({ mean, sd }) => `${digits(mean - NORMAL_95 * sd)} to ${digits(mean + NORMAL_95 * sd)}`;
const answerText = (answer) => `${digits(answer.mean)} \u00b1 ${digits(answer.sd)}, 95\u00a0% within ${intervalText(answer)}`;

let update = null; // of what is on the page

export function numberAnswers(variable) {
  if (!numbers) return [];
  const prior = priorOf(variable);
  const [about, picture, others] = [element("div"), element("div"), element("div")];
  const { field, slider, isSet, row } = controls(variable, prior);
  update = () => {
    const [now, known] = [answerOf(variable), values.get(variable)];
    if (document.activeElement !== field) field.value = known ? String(known.value) : "";
    slider.value = String(known ? known.value : now ? now.mean : prior.mean);
    isSet.checked = Boolean(known?.isSet);
    fill(about, ...told(now, prior, known));
    fill(picture, ...(now && !known ? [densities(variable, prior, now)] : []));
    fill(others, ...(saysInputs() && !known ? whatInputsSay(variable) : []));
  };
  update();
  return [element("div", { class: "answers", "aria-live": "off" }, about, picture, row, others)];
}

function told(now, prior, known) {
  if (!now) return [element("p", {}, "The findings cannot all be true.")];
  const own = known ? `Known: ${digits(known.value)}.` : `${answerText(now)}.`;
  const before = values.size ? `Without findings: ${answerText(prior)}.` : "";
  return [element("p", {}, own), ...(before ? [note(before)] : [])];
}

function controls(variable, prior) {
  const name = variables[variable];
  const reach = REACH * prior.sd || Math.abs(prior.mean) || 1;
  const field = element("input", { type: "number", step: "any", "aria-label": `Value of ${name}` });
  const range = { min: prior.mean - reach, max: prior.mean + reach, step: "any" };
  const slider = element("input", { type: "range", ...range, "aria-label": `Value of ${name}, by a slider` });
  const isSet = element("input", { type: "checkbox" });
  const know = (text) => {
    const value = Number(text);
    if (text === "") knowValue(variable, null);
    else if (Number.isFinite(value)) knowValue(variable, { value, isSet: isSet.checked });
  };
  field.addEventListener("change", () => know(field.value));
  slider.addEventListener("input", () => know(String(Number(Number(slider.value).toPrecision(4)))));
  isSet.addEventListener("change", () => values.has(variable) && know(String(values.get(variable).value)));
  const row = element(
    "div",
    { class: "number-field" },
    element("label", {}, "Value ", field),
    slider,
    element("label", {}, isSet, " set from outside (do)"),
  );
  return { field, slider, isSet, row };
}

// Both normal densities over one axis.
function densities(variable, prior, now) {
  const all = values.size ? [prior, now] : [prior];
  const low = Math.min(...all.map(({ mean, sd }) => mean - REACH * sd));
  const high = Math.max(...all.map(({ mean, sd }) => mean + REACH * sd));
  const top = Math.max(...all.map(({ sd }) => 1 / sd));
  const x = (value) => ((value - low) / (high - low || 1)) * SIZE.width;
  const y = ({ mean, sd }, value) => SIZE.base - (Math.exp(-0.5 * ((value - mean) / sd) ** 2) / sd / top) * (SIZE.base - 6);
  const curve = (one, kind) => {
    const steps = Array.from({ length: POINTS }, (_, i) => low + ((high - low) * i) / (POINTS - 1));
    const path = steps.map((value, i) => `${i ? "L" : "M"}${x(value).toFixed(1)} ${y(one, value).toFixed(1)}`).join("");
    return svgElement("path", { class: kind, d: path });
  };
  const words = (value, anchor) => svgElement("text", { x: x(value).toFixed(1), y: SIZE.height - 6, "text-anchor": anchor }, digits(value));
  const label = `Density of ${variables[variable]}: ${answerText(now)}`;
  return svgElement(
    "svg",
    { class: "density", viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, role: "img", "aria-label": label },
    svgElement("path", { class: "grid", d: `M0 ${SIZE.base}H${SIZE.width}` }),
    ...(values.size ? [curve(prior, "before")] : []),
    ...(now.sd ? [curve(now, "now")] : [svgElement("path", { class: "now", d: `M${x(now.mean).toFixed(1)} ${SIZE.base}V6` })]),
    words(low, "start"),
    words(now.mean, "middle"),
    words(high, "end"),
  );
}

function whatInputsSay(variable) {
  const said = inputs.map((input, i) => ({ name: input.name, ...valueOfInput(i, variable) }));
  const ours = answerOf(variable);
  const cells = ({ mean, sd }) => [digits(mean), digits(sd), intervalText({ mean, sd })].map((text) => element("td", { class: "number" }, text));
  const row = (one) => element("tr", {}, element("th", { scope: "row" }, one.name), ...cells(one));
  const heads = ["", "mean", "sd", "95\u00a0%"].map((text) => element("th", { scope: "col" }, text));
  const answering = said.filter(({ why }) => !why);
  const silent = said.filter(({ why }) => why).map(({ name, why }) => note(`${name} ${why}`));
  return [
    element("div", { class: "group" }, "How certain is the panel? The answers of the inputs"),
    element(
      "div",
      { class: "scroll" },
      element(
        "table",
        {},
        element("thead", {}, element("tr", {}, ...heads)),
        element("tbody", {}, ...(ours ? [row({ name: "consensus", ...ours })] : []), ...answering.map(row)),
      ),
    ),
    ...silent,
  ];
}

export const startNumberAnswers = () => onValues(() => update && update());
