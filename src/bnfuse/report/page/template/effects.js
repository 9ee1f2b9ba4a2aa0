// The effect of setting a variable on another one, compared with setting it to each of its other states: in the
// consensus, and whether the inputs agree on the sign.
import { element } from "./elements.js";
import { answerOfInput, chancesWith, chancesOf, findings } from "./evidence.js";
import { isSet } from "./findings.js";
import { inputs } from "./networks.js";
import { listed } from "./number-texts.js";
import { variables } from "./page-data.js";
import { statesOf } from "./page-tables.js";

const MOST = 4; // other states
const NONE = 1e-12; // a smaller effect is a rounding error

export function effects(variable) {
  const all = [...findings].filter(([, finding]) => isSet(finding));
  if (all.length !== 1 || !chancesOf(variable)) return [];
  const [[cause, { to }]] = all;
  const others = statesOf(cause).map((_, state) => state).filter((state) => state !== to).slice(0, MOST);
  return [
    element("div", { class: "group" }, `Effect of setting ${variables[cause]} to ${statesOf(cause)[to]}, in percentage points`),
    ...others.map((other) => element("p", { class: "effect" }, effectText(variable, cause, other))),
  ];
}

// On the state that changes most in the consensus.
export function effectOf(variable, cause, other) {
  const instead = new Map(findings).set(cause, { to: other });
  const less = (now, then) => then && [...now].map((own, state) => own - then[state]);
  const ours = less(chancesOf(variable), chancesWith(cause, { to: other })?.get(variable));
  if (!ours) return null;
  const state = ours.reduce((best, one, at) => (Math.abs(one) > Math.abs(ours[best]) + NONE ? at : best), 0);
  const theirs = inputs.map((_, i) => {
    const [now, then] = [answerOfInput(i, variable).chances, answerOfInput(i, variable, instead).chances];
    return now ? less(now, then)?.[state] : undefined;
  });
  return { state, ours: ours[state], theirs };
}

function effectText(variable, cause, other) {
  const start = `Instead of ${statesOf(cause)[other]}: `;
  const effect = effectOf(variable, cause, other);
  if (!effect) return `${start}the findings would be impossible.`;
  const { state, ours, theirs } = effect;
  const known = theirs.filter((one) => one !== undefined);
  const own = `${start}${statesOf(variable)[state]} ${points(ours)}`;
  if (!known.length) return `${own}.`;
  const seeing = (what) => inputs.filter((_, i) => theirs[i] !== undefined && sign(theirs[i]) === what).map(({ name }) => name);
  const against = sign(ours)
    ? [["the opposite", seeing(-sign(ours))], ["no effect", seeing(0)]]
    : [["an effect", [...seeing(1), ...seeing(-1)]]];
  const texts = against.filter(([, names]) => names.length).map(([what, names]) => `${listed(names)} ${names.length > 1 ? "see" : "sees"} ${what}`);
  const who = texts.join("; ") || "all agree on the sign";
  return `${own}; inputs ${points(Math.min(...known))} to ${points(Math.max(...known))}: ${who}.`;
}

const sign = (effect) => (Math.abs(effect) < NONE ? 0 : Math.sign(effect));
const points = (effect) => (sign(effect) ? `${effect > 0 ? "+" : "\u2212"}${Math.abs(100 * effect).toFixed(1)}` : "0.0");
