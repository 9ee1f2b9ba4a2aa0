// A drawing as a value: `variables` maps names to {states, x, y}, and `arcs` are pairs of names. Edits are those of the API.

export const EMPTY = { variables: new Map(), arcs: [] };

// In the form of the question, or in the server's form for an input: variables by name, or in a list.
export function drawingOf({ variables, arcs }) {
  const listed = Array.isArray(variables) ? variables.map((one) => [one.name, one]) : Object.entries(variables);
  return { variables: new Map(listed.map(([name, { states, x, y }]) => [name, { states, x, y }])), arcs: arcs.map(([a, b]) => [a, b]) };
}

const isPair = ([a, b], one, other) => (a === one && b === other) || (a === other && b === one);

const DONE = {
  variable({ variables, arcs }, { variable, states, at }) {
    const before = variables.get(variable) ?? { states: [], x: null, y: null };
    const own = { ...before, ...(states ? { states } : {}), ...(at ? { x: at[0], y: at[1] } : {}) };
    return { variables: new Map(variables).set(variable, own), arcs };
  },
  rename({ variables, arcs }, { variable, name }) {
    if (!variables.has(variable) || variables.has(name)) return { variables, arcs };
    const now = (one) => (one === variable ? name : one);
    return { variables: new Map([...variables].map(([one, own]) => [now(one), own])), arcs: arcs.map((arc) => arc.map(now)) };
  },
  remove({ variables, arcs }, { variable }) {
    return { variables: new Map([...variables].filter(([one]) => one !== variable)), arcs: arcs.filter((arc) => !arc.includes(variable)) };
  },
  arc({ variables, arcs }, { source, target }) {
    if (!variables.has(source) || !variables.has(target)) return { variables, arcs };
    return { variables, arcs: [...arcs.filter((arc) => !isPair(arc, source, target)), [source, target]] };
  },
  "no-arc": ({ variables, arcs }, { source, target }) => ({ variables, arcs: arcs.filter((arc) => !isPair(arc, source, target)) }),
};

// Parts that somebody else has removed in the meantime are not edited: the server reports this when the edits are
// saved.
export const edited = (drawing, edits) => edits.reduce((before, edit) => DONE[edit.edit](before, edit), drawing);

// The same edits without moves that a later move of the same box supersedes.
export function compacted({ variables }, edits) {
  const renamed = new Set(edits.flatMap(({ edit, variable, name }) => (edit === "rename" || edit === "remove" ? [variable, name] : [])));
  const last = new Map();
  const isMove = ({ edit, variable, states }) => edit === "variable" && !states && variables.has(variable) && !renamed.has(variable);
  edits.forEach((one, i) => isMove(one) && last.set(one.variable, i));
  return edits.filter((one, i) => !isMove(one) || last.get(one.variable) === i);
}

export const arcBetween = ({ arcs }, one, other) => arcs.find((arc) => isPair(arc, one, other));

// The path from one variable to another along the arcs, as names; null if there is none. The arc between the two is
// ignored.
export function wayBetween({ arcs }, from, to) {
  const before = new Map([[from, null]]);
  const open = [from];
  for (const name of open) {
    for (const [source, target] of arcs) {
      if (source !== name || before.has(target) || isPair([source, target], from, to)) continue;
      before.set(target, name);
      open.push(target);
    }
  }
  if (!before.has(to)) return null;
  const way = [to];
  while (way[0] !== from) way.unshift(before.get(way[0]));
  return way;
}

// The cycle that an arc would close, from its source back to it; null if there is none.
export function cycleWith(drawing, source, target) {
  const way = wayBetween(drawing, target, source);
  return way && [source, ...way];
}

// Edits without those that set one of some items, named as on the server.
export function withoutItems(edits, items) {
  const keys = items.map((item) => JSON.parse(item));
  const isTouched = ({ edit, variable, name, source, target }) => keys.some(([kind, , ...names]) =>
    kind === "drawn arc" ? source !== undefined && names.includes(source) && names.includes(target) : names.includes(variable) || (edit === "rename" && names.includes(name)) || names.includes(source) || names.includes(target)
  );
  return edits.filter((edit) => !isTouched(edit));
}
