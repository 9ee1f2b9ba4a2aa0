// A question for the kernel, as whole numbers of 32 bits: wasm/page.cpp reads them. What contradicts itself is refused, in a
// sentence that names it.
//
// A question is
//   variables    names; their order breaks ties
//   inputs       [{ name, weight, variables, arcs }]: a weight as text or number, 0 leaves it out; arcs as [from, to], by names;
//                without `variables` an input has all of them
//   limit        of the largest clique; null for 4 or, with a limit on tables, none
//   maxTable     the most numbers in a clique table, or null; then `states` has the number of states of each variable
//   metric       "smhd" or "shd"
//   directions   "majority", "seen" or "any"; null for "majority", without asking it of required arcs
//   required, forbidden    arcs as [from, to], by names; a pair is forbidden by both
//   tiers        lists of names, earliest first
//   maxParents   or null
//   seed         a whole number, as text or number
import { DEFAULT_LIMIT } from "./default-limit.js";
import { wholeWeights } from "./exact-weights.js";

const DIRECTIONS = ["any", "seen", "majority"];
const MOST_VARIABLES = 2048;
const MOST_NUMBERS = 2n ** 62n; // in a clique table: a limit above it is none

export function wordsOf(question) {
  const { variables, metric, maxTable = null, maxParents = null } = question;
  const kept = weighted(question.inputs); // first: without any of them there may be no variables either
  if (variables.length > MOST_VARIABLES) {
    const most = MOST_VARIABLES.toLocaleString("en");
    throw new Error(`the search of a page takes at most ${most} variables; for more, use the installed program`);
  }
  const index = new Map(variables.map((name, i) => [name, i]));
  const place = (name) => {
    if (!index.has(name)) throw new Error(`unknown variable ${name}`);
    return index.get(name);
  };
  const arcs = (list) => list.flatMap(([source, target]) => [place(source), place(target)]);
  const [required, forbidden] = [distinct(question.required), distinct(question.forbidden)];
  const tiers = tiersOf(question.tiers || [], variables.length, place);
  check(question, required, forbidden, tiers, place);
  const limit = question.limit ?? (maxTable === null ? DEFAULT_LIMIT : MOST_VARIABLES);
  const [most, mostParents] = [limit, maxParents ?? -1].map((value) => Math.min(value, MOST_VARIABLES)); // within 32 bits
  const words = [variables.length, most, mostParents, Number(metric === "shd")];
  words.push(DIRECTIONS.indexOf(question.directions || "majority"));
  words.push(...large(tableLimit(maxTable ?? 0)));
  words.push(...(maxTable === null ? [0] : [variables.length, ...question.states.flatMap((count) => large(count))]));
  words.push(variables.length, ...tiers);
  words.push(required.length, ...arcs(required), forbidden.length, ...arcs(forbidden));
  words.push(kept.length);
  for (const { weight, input } of kept) {
    const own = (input.variables || variables).map(place);
    words.push(...large(weight), own.length);
    for (const variable of own) words.push(variable); // too many for one call
    words.push(input.arcs.length);
    for (const [source, target] of input.arcs) words.push(place(source), place(target));
  }
  return Int32Array.from(words);
}

const distinct = (arcs) => [...new Map((arcs || []).map((arc) => [JSON.stringify(arc), arc])).values()];

const tableLimit = (numbers) => (BigInt(numbers) < MOST_NUMBERS ? numbers : MOST_NUMBERS);

export const large = (value) => {
  const whole = BigInt(value);
  return [Number(BigInt.asIntN(32, whole)), Number(BigInt.asIntN(32, whole >> 32n))];
};

function weighted(inputs) {
  const whole = wholeWeights(inputs.map(({ weight }) => weight ?? 1));
  return inputs.map((input, i) => ({ weight: whole[i], input })).filter(({ weight }) => weight > 0n);
}

// Of each variable the place of its list, or -1.
function tiersOf(lists, size, place) {
  const tiers = Array(size).fill(-1);
  lists.forEach((list, tier) => {
    for (const name of list) {
      if (tiers[place(name)] >= 0) throw new Error(`tiers: variable ${name} is listed twice`);
      tiers[place(name)] = tier;
    }
  });
  return tiers;
}

function check({ inputs, variables, limit, maxTable, maxParents, metric, directions, states }, required, forbidden, tiers, place) {
  if (metric !== "smhd" && metric !== "shd") throw new Error(`the distance must be smhd or shd here; got ${metric}`);
  if (limit != null && !(Number.isInteger(limit) && limit >= 2)) throw new Error("the limit on cliques must be a whole number, at least 2");
  if (maxParents != null && !(Number.isInteger(maxParents) && maxParents >= 0)) throw new Error("the number of parents allowed must be a whole number");
  if (maxTable != null) checkTables(maxTable, states, variables);
  const codes = new Set(forbidden.map((arc) => JSON.stringify(arc)));
  const parents = new Map();
  for (const arc of required) {
    const [source, target] = arc;
    const text = `${source} \u2192 ${target}`;
    if (source === target) throw new Error(`arc ${text}: a variable cannot be its own parent`);
    if (codes.has(JSON.stringify(arc))) throw new Error(`arc ${text} is both required and forbidden`);
    const [early, late] = [tiers[place(source)], tiers[place(target)]];
    if (late >= 0 && late < early) throw new Error(`arc ${text} is required, but goes from a later tier to an earlier one`);
    parents.set(target, [...(parents.get(target) || []), source]);
    if (directions && directions !== "any") checkDirection(arc, text, inputs, directions);
  }
  for (const [target, sources] of parents) {
    const many = sources.length;
    const theirs = `${many} required parent${many === 1 ? "" : "s"}`;
    if (maxParents != null && many > maxParents) throw new Error(`${target} has ${theirs}; at most ${maxParents} are allowed`);
    if (many + 1 > (limit ?? (maxTable == null ? DEFAULT_LIMIT : Infinity))) {
      throw new Error(`${target} and its ${theirs} are a clique over the limit`);
    }
  }
  if (hasCycle(required)) throw new Error("the required arcs form a cycle");
}

function checkTables(maxTable, states, variables) {
  if (!(BigInt(maxTable) >= 1n)) throw new Error("the limit on clique tables must be a whole number, at least 1");
  if (!states) throw new Error("a limit on clique tables needs the states of all variables, which these inputs do not define");
  const over = variables.findIndex((_, i) => BigInt(states[i]) > BigInt(maxTable));
  if (over >= 0) throw new Error(`a limit of ${maxTable} on clique tables is too small, as ${variables[over]} alone has ${states[over]} states`);
}

// A rule on directions that somebody asked for holds for required arcs too.
function checkDirection([source, target], text, inputs, directions) {
  const whole = wholeWeights(inputs.map(({ weight }) => weight ?? 1));
  let [there, back] = [0n, 0n];
  inputs.forEach(({ arcs }, i) => {
    for (const [from, to] of arcs) {
      if (from === source && to === target) there += whole[i];
      else if (from === target && to === source) back += whole[i];
    }
  });
  if (there > 0n && (directions === "seen" || there >= back)) return;
  const why = directions === "seen" ? "no input has it in that direction" : "most inputs that join the two do not have it in that direction";
  throw new Error(`arc ${text} is required, but ${why}`);
}

function hasCycle(arcs) {
  let left = arcs;
  for (let size = -1; size !== left.length;) {
    size = left.length;
    left = left.filter(([, target]) => left.some(([source]) => source === target)); // those that lead nowhere go
  }
  return left.length > 0;
}
