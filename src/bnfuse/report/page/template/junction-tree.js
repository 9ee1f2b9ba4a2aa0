// Exact inference in a network, by a tree of cliques along an elimination order: one for each variable, with its
// neighbours when it is eliminated (bucket trees: Kask, Dechter, Larrosa and Dechter, 2005). All numbers are natural
// logarithms, so that no product of probabilities underflows, even with a thousand findings.
import { bestOf, multiply } from "./explanations.js";

const { exp, log } = Math;

// network: the sizes (numbers of states) of all variables, the scopes of its tables (parents, and the variable itself), the
// tables, the last variable of a scope varying fastest, and an elimination order of the variables that it has.
// findings: a Map from variables to {weights, isSet}: how well each state fits, 0 where it is ruled out; and whether the
// variable is set from outside, so that its own table no longer counts (Pearl's do).
export function junctionTree({ sizes, scopes, tables, order }) {
  const cliques = cliquesAlong(order, scopes);
  const place = new Map(order.map((variable, i) => [variable, i]));
  const filled = (isSet) => {
    const all = new Map(order.map((variable) => [variable, new Float64Array(cells(cliques.get(variable), sizes))]));
    // A table belongs to the clique of its first eliminated variable, which contains its whole scope.
    scopes.forEach((scope, i) => {
      if (isSet(scope[scope.length - 1])) return;
      const home = scope.reduce((first, variable) => (place.get(variable) < place.get(first) ? variable : first));
      const [table, clique] = [tables[i].map(log), all.get(home)];
      places(cliques.get(home), scope, sizes).forEach((at, cell) => (clique[cell] += table[at]));
    });
    return all;
  };
  const whole = filled(() => false);
  const weighed = (findings) => {
    const isSet = (variable) => Boolean(findings.get(variable)?.isSet);
    const isWhole = ![...findings.keys()].some(isSet);
    const all = isWhole ? new Map([...whole].map(([variable, table]) => [variable, table.slice()])) : filled(isSet);
    findings.forEach(({ weights }, variable) => weigh(all.get(variable), weights.map(log)));
    return all;
  };
  const links = order.map((variable) => linkOf(variable, cliques, sizes));
  return {
    ask: (findings) => asked(links, weighed(findings), sizes),
    best: (findings, most) => bestOf({ links, cliques, sizes }, weighed(findings), most),
  };
}

// For each variable its clique: those that are eliminated after it, the last first, and then itself.
function cliquesAlong(order, scopes) {
  const neighbours = new Map(order.map((variable) => [variable, new Set()]));
  const join = (members) => {
    for (const one of members) for (const other of members) if (one !== other) neighbours.get(one).add(other);
  };
  scopes.forEach(join);
  const place = new Map(order.map((variable, i) => [variable, i]));
  const cliques = new Map();
  for (const variable of order) {
    const others = [...neighbours.get(variable)].sort((one, other) => place.get(other) - place.get(one));
    for (const one of others) neighbours.get(one).delete(variable);
    join(others);
    cliques.set(variable, [...others, variable]);
  }
  return cliques;
}

const cells = (variables, sizes) => variables.reduce((product, variable) => product * sizes[variable], 1);

// For each cell of a clique's table, its position in a table over some of the clique's variables.
function places(clique, scope, sizes) {
  const steps = new Map();
  let step = 1;
  for (const variable of [...scope].reverse()) {
    steps.set(variable, step);
    step *= sizes[variable];
  }
  let found = Int32Array.of(0);
  for (const variable of clique) {
    const [size, own] = [sizes[variable], steps.get(variable) || 0];
    const longer = new Int32Array(found.length * size);
    for (let cell = 0; cell < longer.length; cell++) {
      longer[cell] = found[Math.floor(cell / size)] + (cell % size) * own;
    }
    found = longer;
  }
  return found;
}

// What a clique shares with the one that it sends its message to: all but its own variable. `at` is where the cells of
// that clique's table are in the message.
function linkOf(variable, cliques, sizes) {
  const shared = cliques.get(variable).slice(0, -1);
  if (!shared.length) return { variable, next: null };
  const next = shared[shared.length - 1];
  return { variable, next, length: cells(shared, sizes), at: places(cliques.get(next), shared, sizes) };
}

// The logarithm of the findings' probability, and the distribution of each variable given them; null if they cannot all
// be true.
function asked(links, tables, sizes) {
  const messages = new Map();
  let total = 0;
  for (const { variable, next, at } of links) {
    const message = summedRows(tables.get(variable), sizes[variable]);
    messages.set(variable, message);
    if (next === null) total += message[0];
    else multiply(tables.get(next), message, at);
  }
  if (total === -Infinity) return { log: total, chances: null };
  for (const { variable, next, length, at } of [...links].reverse()) {
    if (next !== null) {
      agree(tables.get(variable), sizes[variable], messages.get(variable), summedPlaces(tables.get(next), at, length));
    }
  }
  const chances = new Map();
  tables.forEach((table, variable) => chances.set(variable, distribution(table, sizes[variable])));
  return { log: total, chances };
}

// The clique's own variable varies fastest.
function weigh(table, logs) {
  for (let cell = 0; cell < table.length; cell++) table[cell] += logs[cell % logs.length];
}

function summedRows(table, size) {
  const sums = new Float64Array(table.length / size);
  for (let row = 0, start = 0; row < sums.length; row++, start += size) {
    let largest = -Infinity;
    for (let cell = start; cell < start + size; cell++) if (table[cell] > largest) largest = table[cell];
    let sum = 0;
    if (largest > -Infinity) {
      for (let cell = start; cell < start + size; cell++) sum += exp(table[cell] - largest);
    }
    sums[row] = largest > -Infinity ? largest + log(sum) : -Infinity;
  }
  return sums;
}

function summedPlaces(table, at, length) {
  const largest = new Float64Array(length).fill(-Infinity);
  for (let cell = 0; cell < table.length; cell++) {
    if (table[cell] > largest[at[cell]]) largest[at[cell]] = table[cell];
  }
  const sums = new Float64Array(length);
  for (let cell = 0; cell < table.length; cell++) {
    if (table[cell] > -Infinity) sums[at[cell]] += exp(table[cell] - largest[at[cell]]);
  }
  return sums.map((sum, i) => largest[i] + log(sum));
}

// Makes a clique agree with its neighbour on what they share: its message said one thing, all the others say `wanted`.
function agree(table, size, message, wanted) {
  for (let row = 0, cell = 0; row < message.length; row++) {
    const factor = message[row] > -Infinity ? wanted[row] - message[row] : 0; // the row is of probability 0 already
    for (const end = cell + size; cell < end; cell++) table[cell] += factor;
  }
}

function distribution(table, size) {
  let largest = -Infinity;
  for (let cell = 0; cell < table.length; cell++) if (table[cell] > largest) largest = table[cell];
  const sums = new Float64Array(size);
  for (let cell = 0; cell < table.length; cell++) sums[cell % size] += exp(table[cell] - largest);
  const whole = sums.reduce((sum, one) => sum + one, 0);
  return sums.map((one) => one / whole);
}
