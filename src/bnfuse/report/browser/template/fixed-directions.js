// The arcs that all networks of the same Markov equivalence class have in this direction, and the reasons:
// graphs/equivalence.py explains the method.

export function fixedArcs(n, arcs) {
  const [parents, children] = [0, 1].map(() => Array.from({ length: n }, () => new Set()));
  for (const [source, target] of arcs) {
    parents[target].add(source);
    children[source].add(target);
  }
  const sorted = (set) => [...set].sort((one, other) => one - other);
  const areNear = (one, other) => parents[one].has(other) || children[one].has(other);
  const [fixedInto, fixedFrom] = [0, 1].map(() => Array.from({ length: n }, () => new Set()));

  function ruleFor(source, target) {
    const around = sorted(parents[target]);
    const apart = around.filter((one) => one !== source && !areNear(one, source));
    if (apart.length) return { rule: "v-structure", ones: apart };
    const above = sorted(fixedInto[source]).filter((one) => !areNear(one, target));
    if (above.length) return { rule: "new v-structure", ones: above };
    const between = sorted(fixedInto[target]).filter((one) => fixedFrom[source].has(one));
    if (between.length) return { rule: "cycle", ones: between };
    const common = around.filter((one) => areNear(one, source));
    for (const one of common) {
      const others = common.filter((other) =>
        other !== one && !areNear(other, one) && !(parents[source].has(one) && parents[source].has(other)));
      if (others.length) return { rule: "cycle or new v-structure", ones: [one, others[0]] };
    }
    return null;
  }

  const order = topological(n, parents, children);
  const place = new Map(order.map((v, i) => [v, i]));
  const found = new Map();
  for (const target of order) {
    for (const source of [...parents[target]].sort((one, other) => place.get(other) - place.get(one))) {
      const applied = ruleFor(source, target);
      if (!applied) continue;
      fixedInto[target].add(source);
      fixedFrom[source].add(target);
      found.set(source * n + target, explained(n, source, target, applied, found));
    }
  }
  return found;
}

function explained(n, source, target, { rule, ones }, found) {
  if (rule === "v-structure") return { rule, others: [ones[0]], v_structure: [] };
  if (rule === "cycle") return { rule, others: [ones[0]], v_structure: [] };
  if (rule === "cycle or new v-structure") return { rule, others: ones, v_structure: [] };
  const known = (one) => rootOf(n, one, source, found);
  const one = ones.find((above) => known(above).length) ?? ones[0];
  return { rule, others: [one], v_structure: known(one) };
}

// The v-structure that fixes an arc, directly or through a chain of arcs.
function rootOf(n, source, target, found) {
  const fixed = found.get(source * n + target);
  if (!fixed) return [];
  if (fixed.rule === "v-structure") return [source, target, fixed.others[0]];
  if (fixed.rule === "cycle or new v-structure") return [fixed.others[0], target, fixed.others[1]];
  return fixed.v_structure;
}

export function topological(n, parents, children) {
  const waiting = parents.map((own) => own.size);
  const order = [...waiting.keys()].filter((v) => !waiting[v]);
  for (const v of order) {
    for (const child of [...children[v]].sort((one, other) => one - other)) if (!--waiting[child]) order.push(child);
  }
  return order;
}
