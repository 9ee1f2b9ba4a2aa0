// The sums over the inputs of a question: the inputs that have each arc and moral edge, and the value of each for the
// distance. question: { variables, inputs, metric, ... }; an input: { name, weight, arcs, has }, with arcs as pairs of
// numbers of variables, `has` telling for each variable whether the input has it, and a weight that is a whole number.

export const moralEdges = (n, arcs) => {
  const parents = Array.from({ length: n }, () => []);
  for (const [source, target] of arcs) parents[target].push(source);
  const edges = new Set();
  parents.forEach((own, child) => {
    own.forEach((one, i) => {
      edges.add(pairOf(n, one, child));
      for (let j = 0; j < i; j++) edges.add(pairOf(n, one, own[j]));
    });
  });
  return edges;
};

export const pairOf = (n, one, other) => Math.min(one, other) * n + Math.max(one, other);

export class PanelVotes {
  constructor({ variables, inputs, metric }) {
    this.n = variables.length;
    this.inputs = inputs;
    this.countsArcs = metric === "shd";
    this.weight = inputs.reduce((sum, { weight }) => sum + weight, 0);
    this.isWhole = inputs.every(({ has }) => has.every(Boolean));
    this.moral = inputs.map(({ arcs }) => moralEdges(this.n, arcs));
    this.codes = inputs.map(({ arcs }) => new Set(arcs.map(([source, target]) => source * this.n + target)));
    this.moralWeights = this.added(this.moral);
    this.arcWeights = this.added(this.codes);
    this.seenWeights = new Map();
  }

  added(sets) {
    const weights = new Map();
    sets.forEach((own, i) => own.forEach((one) => weights.set(one, (weights.get(one) || 0) + this.inputs[i].weight)));
    return weights;
  }

  support(source, target) {
    return this.arcWeights.get(source * this.n + target) || 0;
  }

  joined(one, other) {
    return this.moralWeights.get(pairOf(this.n, one, other)) || 0;
  }

  // The weight of those that have both variables.
  seen(one, other) {
    if (this.isWhole) return this.weight;
    const pair = pairOf(this.n, one, other);
    let weight = this.seenWeights.get(pair);
    if (weight === undefined) {
      weight = this.inputs.reduce((sum, input) => sum + (input.has[one] && input.has[other] ? input.weight : 0), 0);
      this.seenWeights.set(pair, weight);
    }
    return weight;
  }

  // How much an arc, or a moral edge, lowers the summed distance.
  gain(source, target) {
    if (this.countsArcs) return 2 * this.support(source, target) + this.support(target, source) - this.seen(source, target);
    return 2 * this.joined(source, target) - this.seen(source, target);
  }

  mean(summed) {
    return summed / this.weight;
  }

  // The distance of a network, given by its arcs, to each input: on the pairs that the input has.
  distances(arcs) {
    const own = new Set(this.countsArcs ? arcs.map(([source, target]) => source * this.n + target) : moralEdges(this.n, arcs));
    return this.inputs.map(({ has }, i) => this.differing(own, this.countsArcs ? this.codes[i] : this.moral[i], has, has));
  }

  meanDistance(arcs) {
    return this.mean(this.distances(arcs).reduce((sum, distance, i) => sum + distance * this.inputs[i].weight, 0));
  }

  // The distance between two inputs; null if they share fewer than two variables.
  between(one, other) {
    const [mine, theirs] = [this.inputs[one].has, this.inputs[other].has];
    if (mine.filter((has, v) => has && theirs[v]).length < 2) return null;
    const sets = this.countsArcs ? this.codes : this.moral;
    return this.differing(sets[one], sets[other], mine, theirs);
  }

  // The number of pairs that differ: an arc in the other direction is one difference.
  differing(one, other, mine, theirs) {
    const { n } = this;
    const isSeen = (code) => {
      const [a, b] = [Math.floor(code / n), code % n];
      return mine[a] && mine[b] && theirs[a] && theirs[b];
    };
    const pairs = new Set();
    const add = (code) => pairs.add(this.countsArcs ? pairOf(n, Math.floor(code / n), code % n) : code);
    for (const code of one) if (!other.has(code) && isSeen(code)) add(code);
    for (const code of other) if (!one.has(code) && isSeen(code)) add(code);
    return pairs.size;
  }
}
