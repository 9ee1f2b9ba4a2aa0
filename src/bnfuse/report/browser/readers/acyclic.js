// A graph over named variables, checked: distinct names, known ends, no cycle.
import { ContentError, counted, quoted } from "./reading-error.js";

const MOST_VARIABLES = 20_000; // as in the kernel; the search of a page takes fewer: question-words.js
const SHOWN = 12; // variables of a cycle in one message

export class CycleError extends ContentError {}

export function checkNames(names) {
  if (!names.length) throw new ContentError("a network needs at least one variable");
  if (names.length > MOST_VARIABLES) {
    throw new ContentError(`${counted(names.length)} variables; bnfuse handles at most ${counted(MOST_VARIABLES)}`);
  }
  const seen = new Set();
  for (const name of names) {
    if (!name) throw new ContentError("a variable's name must be text that is not empty, got ''");
    if (seen.has(name)) throw new ContentError(`variable ${quoted(name)} is listed twice`);
    seen.add(name);
  }
}

// Pairs of names as numbers of variables, each once and sorted, as in a DAG of the installed program.
export function checkedArcs(names, pairs) {
  checkNames(names);
  const index = new Map(names.map((name, i) => [name, i]));
  const codes = new Set();
  for (const [source, target] of pairs) {
    for (const name of [source, target]) {
      if (!index.has(name)) throw new ContentError(`arc ${source} -> ${target}: unknown variable ${quoted(name)}`);
    }
    if (source === target) throw new ContentError(`arc ${source} -> ${target}: a variable cannot be its own parent`);
    codes.add(index.get(source) * names.length + index.get(target));
  }
  const arcs = [...codes].sort((one, other) => one - other).map((code) => [Math.floor(code / names.length), code % names.length]);
  const cycle = findCycle(names.length, arcs).map((v) => names[v]);
  if (cycle.length) throw new CycleError(`the arcs form a cycle: ${closed(cycle)}`);
  return arcs;
}

// Removes sinks. Every remaining variable has a child among them, so walking from child to child closes a cycle.
function findCycle(n, arcs) {
  const [parents, children] = [Array.from({ length: n }, () => []), Array.from({ length: n }, () => [])];
  for (const [source, target] of arcs) {
    parents[target].push(source);
    children[source].push(target);
  }
  const left = new Set(parents.keys());
  const outdegree = children.map((own) => own.length);
  const sinks = [...left].filter((v) => !outdegree[v]);
  while (sinks.length) {
    const v = sinks.pop();
    left.delete(v);
    for (const parent of parents[v]) if (!--outdegree[parent]) sinks.push(parent);
  }
  if (!left.size) return [];
  const next = (v) => children[v].find((child) => left.has(child));
  const walk = new Map();
  let v = left.values().next().value;
  for (; !walk.has(v); v = next(v)) walk.set(v, walk.size);
  return [...walk.keys()].slice(walk.get(v));
}

function closed(cycle) {
  const shown = [...cycle, cycle[0]];
  if (cycle.length > SHOWN) shown.splice(SHOWN - 1, shown.length - SHOWN, `(${cycle.length - SHOWN + 1} more)`);
  return shown.join(" -> ");
}
