// Tables over sets of variables, and exact inference with them by elimination. The last variable of a scope varies fastest.

export class TooLargeError extends Error {}

const cellsOf = (scope, sizes) => scope.reduce((product, v) => product * sizes[v], 1);

// A table with its variables in another order, or over more of them, as a list of places in the one that is given.
function placesIn(scope, wanted, sizes) {
  const steps = new Map();
  let step = 1;
  for (let i = scope.length - 1; i >= 0; i--) {
    steps.set(scope[i], step);
    step *= sizes[scope[i]];
  }
  let found = Int32Array.of(0);
  for (const v of wanted) {
    const [size, own] = [sizes[v], steps.get(v) || 0];
    const longer = new Int32Array(found.length * size);
    for (let cell = 0; cell < longer.length; cell++) longer[cell] = found[Math.floor(cell / size)] + (cell % size) * own;
    found = longer;
  }
  return found;
}

export function reordered({ scope, table }, wanted, sizes) {
  const places = placesIn(scope, wanted, sizes);
  return Float64Array.from(places, (place) => table[place]);
}

// The joint distribution of some variables in a network, given as { scopes, tables, sizes }: a Float64Array over `wanted`.
// work: { left }, cells that may still be computed.
export function jointOf({ scopes, tables, sizes }, wanted, work) {
  let factors = neededBy(wanted, scopes).map((i) => ({ scope: scopes[i], table: tables[i] }));
  const kept = new Set(wanted);
  const left = new Set(factors.flatMap(({ scope }) => scope).filter((v) => !kept.has(v)));
  while (left.size) {
    const next = cheapest(left, factors, sizes);
    left.delete(next);
    const product = multiplied(factors.filter(({ scope }) => scope.includes(next)), next, sizes, work);
    factors = [...factors.filter(({ scope }) => !scope.includes(next)), product];
  }
  return reordered(multiplied(factors, null, sizes, work, wanted), wanted, sizes);
}

// The tables of the variables and of all their ancestors: the others sum to 1.
function neededBy(wanted, scopes) {
  const of = new Map(scopes.map((scope, i) => [scope.at(-1), i]));
  const found = new Set();
  const waiting = [...wanted];
  while (waiting.length) {
    const v = waiting.pop();
    if (found.has(of.get(v))) continue;
    found.add(of.get(v));
    waiting.push(...scopes[of.get(v)]);
  }
  return [...found];
}

// The variable whose elimination makes the smallest table.
function cheapest(left, factors, sizes) {
  let [best, least] = [null, Infinity];
  for (const v of left) {
    const around = new Set(factors.filter(({ scope }) => scope.includes(v)).flatMap(({ scope }) => scope));
    const cost = cellsOf([...around], sizes);
    if (cost < least) [best, least] = [v, cost];
  }
  return best;
}

// The product of factors, with one variable summed out.
function multiplied(factors, without, sizes, work, more = []) {
  const rest = [...new Set([...factors.flatMap(({ scope }) => scope), ...more])].filter((v) => v !== without);
  const scope = without === null ? rest : [...rest, without];
  const cells = cellsOf(scope, sizes);
  work.left -= cells * (1 + factors.length);
  if (!(work.left >= 0)) throw new TooLargeError("exact inference in the inputs takes too long for a page");
  const product = new Float64Array(cells).fill(1);
  for (const factor of factors) {
    const places = placesIn(factor.scope, scope, sizes);
    for (let cell = 0; cell < cells; cell++) product[cell] *= factor.table[places[cell]];
  }
  if (without === null) return { scope, table: product };
  const size = sizes[without];
  const summed = new Float64Array(cells / size);
  for (let cell = 0; cell < cells; cell++) summed[Math.floor(cell / size)] += product[cell];
  return { scope: rest, table: summed };
}
