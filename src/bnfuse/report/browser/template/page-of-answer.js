// The data of the report's page (page_schema.py says what each field means), made of a question and its answer.
import { barriersOf } from "./arc-barriers.js";
import { labelsOf } from "./box-labels.js";
import { fixedArcs } from "./fixed-directions.js";
import { layeredPlaces } from "./layered-places.js";
import { whole } from "./number-texts.js";
import { PanelVotes, moralEdges } from "./panel-votes.js";
import { TIERS_FILE } from "./question-options.js";
import { SingleMoves, cliquesAlong, largestAlong, largestTable, tableSize } from "./single-moves.js";
import { outliers, sentencesOf } from "./summary-sentences.js";

const VERSION = 2;
const MOST_COMPARED = 120; // inputs in the table of distances between them
const MOST_CLIQUES = 200;
const USUAL_DIRECTIONS = "majority";
const round = (value) => Math.round(value * 1e9) / 1e9;

// question: as asked-question.js makes it; answer: { arcs, order, bound, seconds, stoppedBy }; page: { files, command, version, time,
// notes, states, tables, before }, where `before` has the arcs and the places of the answer that was shown last.
export function pageOf(question, answer, page) {
  const { variables, inputs } = question;
  const n = variables.length;
  const code = ([source, target]) => source * n + target;
  const arcs = [...answer.arcs].sort((one, other) => code(one) - code(other));
  const votes = new PanelVotes(question);
  const distances = votes.distances(arcs);
  const moral = moralEdges(n, arcs);
  const cliques = cliquesAlong(n, moral, answer.order).sort((one, other) => other.length - one.length);
  const unjudged = unjudgedPairs(votes);
  const moves = new SingleMoves(votes, arcs, { ...question, order: answer.order });
  const required = requiredArcs(question);
  const whys = whyIn(n, arcs, moves);
  const found = {
    arcs,
    distances,
    distance: votes.meanDistance(arcs),
    bound: answer.bound,
    clique: cliques[0].length,
    table: question.states.includes(null) ? null : largestTable(cliques, question.states),
    required: new Set(required),
    apart: outliers(distances),
    majority: null,
  };
  found.compared = comparedWith(question, votes, found);
  const labels = labelsOf(variables);
  return {
    version: VERSION,
    variables,
    layout: page.before?.layout || layeredPlaces(labels, drawnArcs(votes, arcs)),
    consensus: steps(arcs.map(code)),
    fusion: null,
    required,
    why: whys,
    joined: arcs
      .filter(([source, target]) => !votes.support(source, target) && !votes.support(target, source))
      .map((arc) => ({ arc: code(arc), weight: votes.joined(...arc) })),
    inputs: inputs.map(({ name, weight, given, arcs: own, has }, i) => ({
      name,
      weight,
      given,
      distance: distances[i],
      apart: found.apart[i],
      arcs: steps(own.map(code)),
      free: [],
      lacks: steps(variables.map((_, v) => v).filter((v) => !has[v])),
      causal: null,
    })),
    counts: null,
    stability: null,
    weight: votes.weight,
    parts: 1,
    seen: seenPairs(votes, arcs),
    unjudged: steps(unjudged),
    reasons: whyOut(question, votes, arcs, moves),
    disputes: null,
    facts: factsOf({ question, votes, found, answer, page, cliques, unjudged, whys }),
    compared: found.compared.map(({ name, distance, clique, arcs: many }) => ({ name, distance, clique: String(clique), arcs: many })),
    between: between(votes, distances),
    history: [],
    frontier: [],
    steps_through_tables: false,
    cliques: {
      all: cliques.length,
      shown: cliques.slice(0, MOST_CLIQUES).map((own) => ({ table: large(tableSize(own, page.states)), variables: own })),
    },
    marks: ["bnfuse_made_by = consensus", ...(page.tables ? [] : ["bnfuse_states = assumed", "bnfuse_tables = uniform"])],
    tables: page.tables,
    origin: originOf(question, page),
    limits: null,
    labels,
    changed: changes(code, arcs, page.before, question),
  };
}

function steps(codes) {
  let last = 0;
  return [...codes].sort((one, other) => one - other).map((one) => {
    const step = one - last;
    last = one;
    return step;
  });
}

function requiredArcs({ variables, required }) {
  const index = new Map(variables.map((name, v) => [name, v]));
  return required.map(([source, target]) => index.get(source) * variables.length + index.get(target));
}

// The consensus, and the arcs that at least half of the inputs have besides, if they make no cycle.
function drawnArcs(votes, arcs) {
  const { n } = votes;
  const children = Array.from({ length: n }, () => new Set());
  const drawn = [];
  const reaches = (from, to) => {
    const [seen, waiting] = [new Set(), [from]];
    while (waiting.length) {
      const v = waiting.pop();
      if (v === to) return true;
      if (!seen.has(v)) waiting.push(...children[v]);
      seen.add(v);
    }
    return false;
  };
  const add = ([source, target]) => {
    if (children[target].has(source) || children[source].has(target)) return;
    const isUpwards = reaches(target, source);
    const [one, other] = isUpwards ? [target, source] : [source, target];
    children[one].add(other);
    drawn.push([one, other]);
  };
  arcs.forEach(add);
  for (const [arc, weight] of votes.arcWeights) {
    const [source, target] = [Math.floor(arc / n), arc % n];
    if (2 * weight >= votes.seen(source, target)) add([source, target]);
  }
  return drawn;
}

function whyIn(n, arcs, moves) {
  const fixed = fixedArcs(n, arcs);
  return arcs.map(([source, target]) => {
    const { total, married } = moves.without(source, target);
    const { rule, others, v_structure } = fixed.get(source * n + target) || { rule: "free", others: [], v_structure: [] };
    return { cost: round(total), rule, others, v_structure: rule === "new v-structure" ? v_structure : [], married };
  });
}

// By the arcs that inputs have but the consensus lacks, and by the reversals of its arcs that no input has.
function whyOut(question, votes, arcs, moves) {
  const { n } = votes;
  const barrierTo = barriersOf({ ...question, directions: question.directions ?? USUAL_DIRECTIONS }, votes, arcs);
  const own = new Set(arcs.map(([source, target]) => source * n + target));
  const all = [...votes.arcWeights.keys()].filter((code) => !own.has(code));
  for (const [source, target] of arcs) {
    if (!votes.support(source, target) && !votes.support(target, source)) all.push(target * n + source);
  }
  const weightOf = (code) => votes.arcWeights.get(code) || 0;
  const reasons = all.map((code) => {
    const [source, target] = [Math.floor(code / n), code % n];
    const closesCycle = moves.closesCycle(source, target);
    const change = closesCycle ? null : moves.with(source, target);
    return { code, source, target, closesCycle, change, barrier: barrierTo(source, target) };
  });
  const isHopeful = ({ change }) => (change && change.total <= 0 ? 0 : 1);
  reasons.sort((one, other) => isHopeful(one) - isHopeful(other) || weightOf(other.code) - weightOf(one.code));
  return Object.fromEntries(reasons.map(({ code, source, target, closesCycle, change, barrier }) => {
    const { clique, table } = closesCycle || (change && change.total > 0) ? UNKNOWN : moves.cliquesWith(source, target);
    return [code, {
      change: change && round(change.total),
      is_rare: Boolean(change && change.own !== null && change.own > 0),
      closes_cycle: closesCycle,
      barrier,
      clique,
      clique_at_least: clique === null ? null : clique > question.maxClique ? 1 : clique,
      table: table && large(table),
      married: change?.married ?? [],
    }];
  }));
}

const UNKNOWN = { clique: null, table: null };

function comparedWith({ variables, inputs }, votes, { arcs, distance, clique }) {
  const n = variables.length;
  const row = (name, own, more = {}) => ({
    name,
    distance: votes.meanDistance(own),
    clique: largestAlong(n, moralEdges(n, own), null),
    arcs: own.length,
    ...more,
  });
  const wholeOnes = inputs.filter(({ has }) => has.every(Boolean)).slice(0, MOST_COMPARED);
  return [{ name: "consensus", distance, clique, arcs: arcs.length }, ...wholeOnes.map((input) => row(input.name, input.arcs)), row("no arcs", [])];
}

function unjudgedPairs(votes) {
  if (votes.isWhole) return [];
  const { n } = votes;
  const pairs = [];
  for (let one = 0; one < n; one++) for (let other = one + 1; other < n; other++) if (!votes.seen(one, other)) pairs.push(one * n + other);
  return pairs;
}

// For the joined pairs, source before target: the weight of the inputs that have both, if not all have.
function seenPairs(votes, arcs) {
  if (votes.isWhole) return [];
  const { n } = votes;
  const pairs = new Set(arcs.map(([source, target]) => Math.min(source, target) * n + Math.max(source, target)));
  for (const code of votes.arcWeights.keys()) {
    const [source, target] = [Math.floor(code / n), code % n];
    pairs.add(Math.min(source, target) * n + Math.max(source, target));
  }
  return [...pairs]
    .map((arc) => ({ arc, weight: votes.seen(Math.floor(arc / n), arc % n) }))
    .filter(({ weight }) => weight < votes.weight);
}

function factsOf({ question, votes, found, answer, page, cliques, unjudged, whys }) {
  const { distance, bound, clique, apart, distances, arcs } = found;
  const far = distances.map((_, i) => i).filter((i) => apart[i]).sort((one, other) => distances[other] - distances[one]);
  return {
    ...sentencesOf({ question, votes, found, leftOut: page.leftOut, unjudged: unjudged.length, whys }),
    apart: far.map((i) => question.inputs[i].name),
    metric: question.metric,
    target: "inputs",
    method: "direct",
    distance,
    bound,
    gap: bound === null ? null : distance <= bound ? 0 : bound > 0 ? (distance - bound) / bound : null,
    proof: null,
    clique,
    limit: question.maxClique,
    is_clique_limited: question.isCliqueLimited,
    largest_table: found.table && large(found.table),
    max_table: question.maxTable,
    most_parents: question.maxParents,
    arcs: arcs.length,
    majority: null,
    tables: large(cliques.reduce((sum, own) => sum + tableSize(own, page.states), 0)),
    states_known: page.states !== null,
    seconds: answer.seconds,
    stopped_by: answer.stoppedBy,
    notes: page.notes,
  };
}

const large = (size) => (size < 1e15 ? String(size) : size.toExponential(2));

// Distances between inputs, similar ones adjacent: average linkage, the group that joins later first.
function between(votes, distances) {
  const chosen = distances.map((_, i) => i).sort((one, other) => distances[other] - distances[one] || one - other).slice(0, MOST_COMPARED)
    .sort((one, other) => one - other);
  if (chosen.length < 2) return null;
  const values = chosen.map((one) => chosen.map((other) => (one === other ? 0 : votes.between(one, other))));
  const order = grouped(values);
  return { inputs: order.map((i) => chosen[i]), values: order.map((i) => order.map((j) => values[i][j])) };
}

function grouped(values) {
  const most = Math.max(...values.flat().map((value) => value ?? 0));
  let rows = values.map((row, i) => row.map((value, j) => (i === j ? Infinity : value ?? most)));
  const groups = values.map((_, i) => [i]);
  while (groups.length > 1) {
    let [a, b, least] = [0, 1, Infinity];
    rows.forEach((row, i) => row.forEach((value, j) => i < j && value < least && ([a, b, least] = [i, j, value])));
    const sizes = [groups[a].length, groups[b].length];
    const joined = rows[a].map((value, i) => (sizes[0] * value + sizes[1] * rows[b][i]) / (sizes[0] + sizes[1]));
    groups[a] = sizes[0] < sizes[1] ? [...groups[a], ...groups[b]] : [...groups[b], ...groups[a]];
    joined.forEach((value, i) => (rows[a][i] = rows[i][a] = i === a ? Infinity : value));
    groups.splice(b, 1);
    rows = rows.filter((_, i) => i !== b).map((row) => row.filter((_, j) => j !== b));
  }
  return groups[0];
}

function originOf(question, { files, command, version, time }) {
  const { metric, maxClique, isCliqueLimited, maxTable, maxParents, required, forbidden, tiers, directions } = question;
  const arcs = (list) => list.map((ends) => ends.join(" \u2192 ")).join(", ") || null;
  return {
    files,
    command,
    version,
    time,
    options: {
      method: "direct",
      metric,
      target: "inputs",
      "largest clique allowed": isCliqueLimited ? maxClique : null,
      "numbers in a clique table allowed": maxTable && whole(maxTable),
      seed: 0,
      "required arcs": arcs(required),
      "forbidden arcs": arcs(forbidden),
      [TIERS_FILE]: tiers.length ? JSON.stringify(tiers) : null,
      "most parents": maxParents,
      directions: directions ?? USUAL_DIRECTIONS,
    },
  };
}

// The changes since the previous answer: arcs that were added, dropped or reversed.
function changes(code, arcs, before, { variables }) {
  if (!before?.arcs) return null;
  const [own, last] = [new Set(arcs.map(code)), new Set(before.arcs.map(code))];
  const turned = (one) => (one % variables.length) * variables.length + Math.floor(one / variables.length);
  return {
    came: [...own].filter((one) => !last.has(one) && !last.has(turned(one))),
    went: [...last].filter((one) => !own.has(one) && !own.has(turned(one))),
    turned: [...own].filter((one) => !last.has(one) && last.has(turned(one))),
  };
}
