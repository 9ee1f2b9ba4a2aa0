// From the inputs of the page to a question with numbers for names: over which variables, with which whole weights.

const MOST_DIGITS = 6; // after the point of a weight

// The variables that some input has, in the order of the first mention. Edge lists share theirs: a list of arcs mentions no variable
// that has none.
export function questionOf(inputs, { maxClique, metric, directions }) {
  const on = inputs.filter((input) => input.isOn && input.weight > 0);
  const listed = [...new Set(on.filter(({ isEdgeList }) => isEdgeList).flatMap(({ variables }) => variables))];
  const having = on.map((input) => (input.isEdgeList ? listed : input.variables));
  const variables = [...new Set(having.flat())];
  const index = new Map(variables.map((name, i) => [name, i]));
  const weights = wholeWeights(on.map(({ weight }) => weight));
  return {
    variables,
    maxClique,
    metric,
    directions,
    inputs: on.map((input, i) => {
      const has = Array(variables.length).fill(false);
      for (const name of having[i]) has[index.get(name)] = true;
      const arcs = input.arcs.map((arc) => arc.map((end) => index.get(input.variables[end])));
      return { id: input.id, name: input.name, weight: weights[i], given: String(input.weight), arcs, has };
    }),
    leftOut: inputs.filter((input) => !on.includes(input)).map(({ name }) => name),
  };
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

// Which inputs lack which variables, in sentences; null if every input has all.
export function lackingText({ variables, inputs }) {
  const lacking = inputs.map(({ name, has }) => [name, variables.filter((_, v) => !has[v])]).filter(([, names]) => names.length);
  if (!lacking.length) return null;
  const some = (names) => names.slice(0, NAMED_VARIABLES).join(", ") + (names.length > NAMED_VARIABLES ? ` and ${names.length - NAMED_VARIABLES} more` : "");
  const said = lacking.slice(0, NAMED_INPUTS).map(([name, names]) => `${name} lacks ${some(names)}`);
  const more = lacking.length - NAMED_INPUTS;
  if (more > 0) said.push(`${more} more ${more === 1 ? "input lacks" : "inputs lack"} some`);
  return (
    `The inputs have different variables: ${said.join("; ")}. Each votes on the pairs of which it has both. ` +
    "If the same variable has different names, spell it alike in the files; bnfuse align, of the installed program, proposes names."
  );
}
