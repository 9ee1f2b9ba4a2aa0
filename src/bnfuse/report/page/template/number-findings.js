// Known values of a Gaussian network, and the answers of the consensus and its inputs given them.
import { gaussian } from "./gaussian.js";
import { inputs } from "./networks.js";
import { data, variables } from "./page-data.js";
import { remembered } from "./restart.js";

export const numbers = data.numbers;
// Variables: { value, isSet } for what is known of them.
export const values = remembered("values", new Map());
const listeners = [];
const networks = new Map();
let answers = new Map();
let before = null;

export const onValues = (listener) => listeners.push(listener);

// null: it has no finding.
export function knowValue(variable, known) {
  if (known === null) values.delete(variable);
  else values.set(variable, known);
  changed();
}

export function forgetValues() {
  values.clear();
  changed();
}

function changed() {
  answers = new Map();
  for (const listener of listeners) listener();
}

function networkOf(key) {
  if (!networks.has(key)) networks.set(key, gaussian(key === "consensus" ? numbers.consensus : numbers.inputs[key]));
  return networks.get(key);
}

function answered(key) {
  if (!answers.has(key)) answers.set(key, networkOf(key).ask(values));
  return answers.get(key);
}

// The mean and standard deviation of a variable; null if the findings are impossible.
export const answerOf = (variable) => answered("consensus").answers?.get(variable) ?? null;
export function priorOf(variable) {
  before ||= networkOf("consensus").ask(new Map());
  return before.answers.get(variable);
}
export const impossibleValue = () => answered("consensus").impossible ?? null;

// The answer of an input for a variable, or the reason why there is none.
export function valueOfInput(i, variable) {
  if (!numbers.inputs[i]) return { why: "has no numbers" };
  const network = networkOf(i);
  const lacking = [variable, ...values.keys()].find((one) => !network.has(one));
  if (lacking !== undefined) return { why: `lacks ${variables[lacking]}` };
  const { answers: found, impossible } = answered(i);
  return found ? found.get(variable) : { why: `cannot have this value of ${variables[impossible]}` };
}

export const saysInputs = () => Boolean(numbers.inputs && inputs.length);

export const valueText = (variable) => {
  const { value, isSet } = values.get(variable);
  return `${isSet ? "do " : ""}${variables[variable]} = ${digits(value)}`;
};

// Four digits of a number.
export const digits = (value) => {
  const short = Number(value.toPrecision(4));
  return Math.abs(short) >= 1e6 || (short !== 0 && Math.abs(short) < 1e-3) ? short.toExponential() : String(short).replace("-", "\u2212");
};
