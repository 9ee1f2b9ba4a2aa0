// The effect of dropping an arc of the consensus, and of adding another, with everything else unchanged:
// reasons/moves.py.
import { moralEdges, pairOf } from "./panel-votes.js";

const MOST_CLIQUES = 3_000_000; // variables times variables, of all the networks whose cliques are computed

export class SingleMoves {
  constructor(votes, arcs, { order, maxClique, maxTable, states }) {
    const { n } = votes;
    Object.assign(this, { votes, n, arcs, order, maxClique, maxTable, states });
    this.parents = Array.from({ length: n }, () => new Set());
    this.children = Array.from({ length: n }, () => new Set());
    for (const [source, target] of arcs) {
      this.parents[target].add(source);
      this.children[source].add(target);
    }
    this.moral = moralEdges(n, arcs);
    this.left = Math.max(40, Math.floor(MOST_CLIQUES / (n * n)));
  }

  gained(one, others) {
    return others.reduce((sum, other) => sum + this.votes.gain(one, other), 0);
  }

  shared(one, other) {
    return [...this.children[one]].filter((child) => this.children[other].has(child)).length;
  }

  areJoined(one, other) {
    return this.moral.has(pairOf(this.n, one, other));
  }

  // The other parents of the target that only this child connects to the source.
  parted(source, target) {
    return [...this.parents[target]].filter((one) =>
      one !== source && !this.children[source].has(one) && !this.children[one].has(source) && this.shared(source, one) === 1);
  }

  without(source, target) {
    const { votes } = this;
    if (votes.countsArcs) return change(votes.mean(votes.gain(source, target)));
    const parted = this.parted(source, target);
    const own = this.shared(source, target) ? 0 : votes.gain(source, target);
    const useful = parted.filter((one) => votes.gain(source, one) > 0).sort((one, other) => one - other);
    return change(votes.mean(own + this.gained(source, parted)), own, useful);
  }

  with(source, target) {
    const { votes } = this;
    const isTurned = this.parents[source].has(target);
    if (votes.countsArcs) {
      const total = votes.mean((isTurned ? votes.gain(target, source) : 0) - votes.gain(source, target));
      return { ...change(total), own: isTurned ? null : total };
    }
    const married = [...this.parents[target]].filter((one) => one !== source && !this.areJoined(source, one));
    if (isTurned) {
      const parted = this.parted(target, source);
      return { ...change(votes.mean(this.gained(target, parted) - this.gained(source, married))), own: null };
    }
    const own = this.areJoined(source, target) ? 0 : -votes.gain(source, target);
    const harmful = married.filter((one) => votes.gain(source, one) < 0).sort((one, other) => one - other);
    return change(votes.mean(own - this.gained(source, married)), own, harmful);
  }

  // Whether a path leads from the target to the source, apart from the arc that would be reversed.
  closesCycle(source, target) {
    const seen = new Set();
    const waiting = [...this.children[target]].filter((child) => child !== source);
    while (waiting.length) {
      const v = waiting.pop();
      if (v === source) return true;
      if (seen.has(v)) continue;
      seen.add(v);
      waiting.push(...this.children[v]);
    }
    return false;
  }

  // Of the network with an arc, as the elimination order of the consensus or a new one gives them: the largest clique, and the
  // largest clique table, where that is over the limit; null where they are not looked for.
  cliquesWith(source, target) {
    if (this.left-- <= 0) return { clique: null, table: null };
    const others = this.arcs.filter(([one, other]) => one !== target || other !== source);
    const edges = moralEdges(this.n, [...others, [source, target]]);
    const along = cliquesAlong(this.n, edges, this.order);
    const clique = largestOf(along);
    const most = this.maxTable ?? Infinity;
    const table = largestTable(along, this.states);
    if (clique <= this.maxClique && table <= most) return { clique, table: null };
    const fresh = cliquesAlong(this.n, edges, null);
    const least = Math.min(table, largestTable(fresh, this.states));
    return { clique: Math.min(clique, largestOf(fresh)), table: least > most ? least : null };
  }
}

const change = (total, own = total, married = []) => ({ total, own, married: own <= 0 && total > 0 ? married : [] });

// The largest clique along an elimination order; without one, always the variable with the fewest neighbours is next.
export const largestAlong = (n, edges, order) => largestOf(cliquesAlong(n, edges, order));

const largestOf = (cliques) => cliques.reduce((most, clique) => Math.max(most, clique.length), 1);

// The number of entries of a clique's table; two states if they are not known.
export const tableSize = (clique, states) => clique.reduce((product, v) => product * (states?.[v] ?? 2), 1);

export const largestTable = (cliques, states) => cliques.reduce((most, clique) => Math.max(most, tableSize(clique, states)), 1);

// A variable with those that are its neighbours when it is eliminated, for each that is not part of one before.
export function cliquesAlong(n, edges, order) {
  const near = Array.from({ length: n }, () => new Set());
  for (const edge of edges) {
    const [one, other] = [Math.floor(edge / n), edge % n];
    near[one].add(other);
    near[other].add(one);
  }
  const cliques = [];
  const left = new Set(near.keys());
  for (let i = 0; i < n; i++) {
    const v = order ? order[i] : [...left].reduce((best, one) => (near[one].size < near[best].size ? one : best));
    left.delete(v);
    const around = [...near[v]];
    const clique = [v, ...around];
    const isPart = cliques.some((known) => known.length >= clique.length && clique.every((one) => known.includes(one)));
    if (!isPart) cliques.push(clique);
    around.forEach((one, j) => {
      near[one].delete(v);
      for (let k = 0; k < j; k++) {
        near[one].add(around[k]);
        near[around[k]].add(one);
      }
    });
    near[v].clear();
  }
  return cliques;
}
