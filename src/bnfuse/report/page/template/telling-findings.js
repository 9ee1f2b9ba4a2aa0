// The findings that would tell the most about a variable: the expected decrease in its entropy.
import { element, note } from "./elements.js";
import { chancesOf, chancesWith, findings, isImpossible } from "./evidence.js";
import { stateOf } from "./findings.js";
import { finePercent } from "./number-texts.js";
import { variables } from "./page-data.js";
import { goTo } from "./viewport.js";

const MOST = 5;
const NOTHING = 1e-15; // bits: smaller values are rounding errors
const panel = { isOpen: false };

const entropy = (chances) => chances.reduce((sum, own) => (own > 0 ? sum - own * Math.log2(own) : sum), 0);

// Of every variable whose state is not known: the mutual information in bits, the largest first.
export function informative(target) {
  const chances = [...chancesOf(target)];
  const given = chances.map((own, state) => own > 0 && chancesWith(target, state));
  const others = [...variables.keys()].filter((one) => one !== target && stateOf(findings.get(one)) < 0);
  const whole = entropy(chances);
  return others.map((variable) => {
    const bits = Math.min(whole, mutual(chances, given.map((all) => all && all.get(variable))));
    return { variable, bits: bits > NOTHING ? bits : 0, share: whole ? bits / whole : 0 };
  }).sort((one, other) => other.bits - one.bits);
}

// The terms are never negative, so that little information does not vanish in rounding errors.
function mutual(chances, given) {
  const size = given.find(Boolean).length;
  const marginal = Array.from({ length: size }, (_, state) =>
    chances.reduce((sum, own, at) => (own > 0 ? sum + own * given[at][state] : sum), 0));
  const term = (own, whole) => Math.max(0, (own > 0 ? own * Math.log(own / whole) : 0) - own + whole);
  const nats = chances.map((own, at) => (own > 0 ? own * given[at].reduce((sum, one, state) => sum + term(one, marginal[state]), 0) : 0));
  return nats.reduce((sum, one) => sum + one, 0) / Math.LN2;
}

export function telling(variable) {
  if (stateOf(findings.get(variable)) >= 0 || isImpossible() || chancesOf(variable).length < 2) return [];
  const words = element("div");
  const details = element("details", { class: "telling off-paper", open: panel.isOpen }, element("summary", {}, "Which finding would tell the most?"), words);
  const tell = () => words.replaceChildren(...list(variable));
  if (panel.isOpen) tell();
  details.addEventListener("toggle", () => {
    if (panel.isOpen === details.open) return;
    panel.isOpen = details.open;
    if (panel.isOpen) tell();
  });
  return [details];
}

function list(target) {
  const best = informative(target).filter(({ bits }) => bits > 0).slice(0, MOST);
  if (!best.length) return [note(`No finding would tell anything about ${variables[target]}.`)];
  const row = ({ variable, share }) => {
    const bar = element("span", { class: "fill" });
    bar.style.width = `${100 * share}%`;
    const parts = [element("span", { class: "state" }, variables[variable]), element("span", { class: "track" }, bar)];
    const value = element("span", { class: "value" }, finePercent(share));
    return element("li", {}, element("button", { type: "button", onclick: () => goTo(variable) }, ...parts, value));
  };
  return [
    element("ol", {}, ...best.map(row)),
    note(`The share of the uncertainty (entropy) about ${variables[target]} that knowing it is expected to remove.`),
  ];
}
