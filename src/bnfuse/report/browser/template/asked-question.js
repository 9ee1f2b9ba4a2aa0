// From the inputs of the page to a question with numbers for names: over which variables, with which whole weights. Its rules for arcs
// are by names.
import { rulesAmong } from "./arc-choices.js";
import { DEFAULT_LIMIT } from "./default-limit.js";

const MOST_DIGITS = 6; // after the point of a weight

// The variables that some input has, in the order of the first mention.
export const variablesOf = (inputs) => [...new Set(inputs.flatMap(({ variables }) => variables))];

// The number of states of each variable; null if no input defines it, and for all if inputs disagree: as in
// graphs/network.py.
export function stateCounts(names, inputs) {
  const known = new Map();
  const isSame = (one, other) => one.length === other.length && one.every((label) => other.includes(label));
  for (const { variables, states } of inputs) {
    for (const [v, labels] of (states || []).entries()) {
      const first = known.get(variables[v]);
      if (first && !isSame(first, labels)) return names.map(() => null);
      known.set(variables[v], labels);
    }
  }
  return names.map((name) => known.get(name)?.length ?? null);
}

// settings: as in question-fields.js. Edge lists share their variables, as an edge list does not mention variables
// without arcs.
export function questionOf(inputs, settings) {
  const on = inputs.filter((input) => input.isOn && input.weight > 0);
  const listed = variablesOf(on.filter(({ isEdgeList }) => isEdgeList));
  const having = on.map((input) => (input.isEdgeList ? listed : input.variables));
  const variables = [...new Set(having.flat())];
  const index = new Map(variables.map((name, i) => [name, i]));
  const weights = wholeWeights(on.map(({ weight }) => weight));
  return {
    ...settings,
    ...rulesAmong(variables, settings),
    ...limitsOf(settings, stateCounts(variables, on)),
    variables,
    inputs: on.map((input, i) => {
      const has = Array(variables.length).fill(false);
      for (const name of having[i]) has[index.get(name)] = true;
      const arcs = input.arcs.map((arc) => arc.map((end) => index.get(input.variables[end])));
      return { id: input.id, name: input.name, weight: weights[i], given: String(input.weight), arcs, has };
    }),
    leftOut: inputs.filter((input) => !on.includes(input)).map(({ name }) => name),
  };
}

// The most members of a clique, beside its table, and whether that is a limit of its own: as in problem/problem.py.
function limitsOf({ limit, maxTable }, states) {
  const isKnown = states.every((count) => count !== null);
  if (maxTable === null || !isKnown) return { states, maxClique: limit ?? DEFAULT_LIMIT, isCliqueLimited: true };
  const members = mostMembers(states, maxTable);
  const maxClique = Math.min(limit ?? Infinity, Math.max(2, members));
  return { states, maxClique, isCliqueLimited: maxClique < members };
}

function mostMembers(states, maxTable) {
  let size = 1;
  const over = [...states].sort((one, other) => one - other).findIndex((count) => (size *= count) > maxTable);
  return over < 0 ? states.length : over;
}

// In the same proportions, as small as they can be.
export function wholeWeights(weights) {
  const scaled = weights.map((weight) => Math.round(weight * 10 ** MOST_DIGITS));
  const shared = scaled.reduce(divisor, 0);
  return scaled.map((weight) => weight / shared);
}

function divisor(one, other) {
  while (other) [one, other] = [other, one % other];
  return one;
}

const NAMED_INPUTS = 2;
const NAMED_VARIABLES = 3;

// The variables that inputs lack, in sentences; null if every input has all.
export function lackingText({ variables, inputs }) {
  const lacking = inputs.map(({ name, has }) => [name, variables.filter((_, v) => !has[v])]).filter(([, names]) => names.length);
  if (!lacking.length) return null;
  const some = (names) => names.slice(0, NAMED_VARIABLES).join(", ") + (names.length > NAMED_VARIABLES ? ` and ${names.length - NAMED_VARIABLES} more` : "");
  const said = lacking.slice(0, NAMED_INPUTS).map(([name, names]) => `${name} lacks ${some(names)}`);
  const more = lacking.length - NAMED_INPUTS;
  if (more > 0) said.push(`${more} more ${more === 1 ? "input lacks" : "inputs lack"} some`);
  return (
    `The inputs have different variables: ${said.join("; ")}. Each votes on the pairs of its own variables. ` +
    "If the same variable has different names, spell it alike in the files; bnfuse align, of the installed program, proposes names."
  );
}
