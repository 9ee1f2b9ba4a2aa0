// A consensus in a few sentences, as in report/summary.py.
import { count, gapText, number, percent, whole } from "./number-texts.js";

const ERROR_RATE = 0.05; // share of panels of inputs that differ only by normal deviations
const TO_DEVIATION = 1.4826;
const FEWEST = 3; // inputs; with fewer, none can stand apart
const NAMED = 3;

const plain = (text) => text.replaceAll("\u00a0", " ");
const some = (names) => (names.length <= NAMED ? names.join(", ") : `${names.slice(0, NAMED).join(", ")} and ${names.length - NAMED} more`);

function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// The normal quantile by bisection of its distribution, whose tail is a continued fraction: exact enough for a line on a chart.
function normalQuantile(probability) {
  let [low, high] = [0, 40];
  for (let i = 0; i < 80; i++) {
    const middle = (low + high) / 2;
    if (1 - tail(middle) < probability) low = middle;
    else high = middle;
  }
  return low;
}

function tail(x) {
  if (x < 1) {
    let [term, sum] = [x, x];
    for (let i = 1; i < 60; i++) {
      term *= (-x * x) / (2 * i);
      sum += term / (2 * i + 1);
    }
    return 0.5 - sum / Math.sqrt(2 * Math.PI);
  }
  let fraction = x;
  for (let i = 60; i > 0; i--) fraction = x + i / fraction;
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI) / fraction;
}

// The inputs that may stand apart: far above the median distance, and well above all others.
export function outliers(distances) {
  if (distances.length < FEWEST) return distances.map(() => false);
  const middle = median(distances);
  const deviation = Math.max(TO_DEVIATION * median(distances.map((one) => Math.abs(one - middle))), Math.sqrt(2 * middle), 1);
  const line = middle + normalQuantile(1 - ERROR_RATE / distances.length) * deviation;
  const farthest = Math.max(...distances.filter((one) => one <= line));
  return distances.map((one) => one > line && one >= farthest + deviation);
}

// votes: PanelVotes; found: { arcs, distance, bound, distances, apart, clique, ... }
export function sentencesOf({ question, votes, found, leftOut, unjudged, whys }) {
  return {
    what: whatText(question, found, leftOut),
    without: leftOut.length ? ` (without ${some(leftOut)}: weight 0)` : "",
    quality: qualityText(question, votes, found),
    who: whoText(question, found),
    itself: itselfText(question, votes, found),
    weighting: weightingText(question),
    ties: tiesText(question, found, whys),
    coverage: coverageText(question, votes, unjudged),
    directions: directionsText(votes, found),
    freedom: null,
  };
}

function whatText(question, { arcs, clique, table }, leftOut) {
  const { variables, inputs, maxClique, isCliqueLimited, maxTable } = question;
  const limit = isCliqueLimited ? `limit ${maxClique}, ` : "";
  const tables = maxTable === null ? "" : `, largest clique table ${whole(table)} numbers (limit ${whole(maxTable)})`;
  const without = leftOut.length ? ` (without ${some(leftOut)}: weight 0)` : "";
  return (
    `${count(arcs.length, "arc")} over ${count(variables.length, "variable")} from ${count(inputs.length, "network")}${without}; ` +
    `largest clique ${clique} (${limit}treewidth ${clique - 1})${tables}`
  );
}

const isWeighted = (inputs) => inputs.some(({ weight }) => weight !== inputs[0].weight);

function qualityText({ metric, inputs }, votes, { distance, bound, majority }) {
  let text = `${isWeighted(inputs) ? "weighted mean" : "mean"} ${metric} to the inputs ${number(distance)}`;
  if (bound !== null && distance <= bound) text += ", proven optimal";
  else if (bound !== null) text += `, at most ${plain(gapText(distance, bound))} above the best possible (proven)`;
  return majority === null ? text : `${text}; majority vote ${number(majority)}`;
}

function whoText({ inputs }, { distances, apart }) {
  const others = distances.filter((_, i) => !apart[i]);
  const span = [...new Set([Math.min(...others), Math.max(...others)])].map((one) => whole(one)).join(" to ");
  const far = distances.map((_, i) => i).filter((i) => apart[i]).sort((one, other) => distances[other] - distances[one]);
  if (!far.length) {
    return distances.length === 1 ? `distance ${span} to the only input` : `no input clearly stands apart: distances ${span}`;
  }
  return `${some(far.map((i) => `${inputs[i].name} (${whole(distances[i])})`))} may stand apart: the others have distances of ${span}`;
}

function itselfText({ inputs, variables }, votes, { arcs }) {
  const own = new Set(arcs.map(([source, target]) => source * variables.length + target));
  const isSame = (_, i) =>
    inputs[i].has.every(Boolean) && votes.codes[i].size === own.size && [...own].every((code) => votes.codes[i].has(code));
  const same = inputs.filter(isSame).map(({ name }) => name);
  if (!same.length) return null;
  if (same.length < inputs.length) return `the consensus is one of the inputs, arc for arc: ${some(same)}`;
  return same.length > 1 ? "all inputs are this network" : "the consensus is the input itself, arc for arc";
}

// Rounded as in Python: a half to the even number.
function share(part) {
  const hundredth = 100 * part;
  const isHalf = Math.abs(hundredth - Math.floor(hundredth) - 0.5) < 1e-9;
  return isHalf ? `${2 * Math.round(hundredth / 2)} %` : plain(percent(part));
}

function weightingText({ inputs }) {
  if (!isWeighted(inputs)) return null;
  const total = inputs.reduce((sum, { weight }) => sum + weight, 0);
  const shares = inputs.map(({ weight }) => weight / total);
  const [most, least] = [Math.max(...shares), Math.min(...shares)];
  const given = `weights were given (${inputs.map(({ name, given: text }) => `${name}=${text}`).slice(0, 8).join(", ")}${inputs.length > 8 ? ` and ${inputs.length - 8} more` : ""})`;
  if (shares.filter((one) => one === most).length > 1) return `${given}: the inputs count for ${share(least)} to ${share(most)} of the total each`;
  const others = shares.filter((one) => one < most);
  const span = Math.max(...others) === least ? share(least) : `${share(least)} to ${share(Math.max(...others))}`;
  const rest = others.length > 1 ? `the others for ${span} each` : `the other for ${span}`;
  return `${given}: ${inputs[shares.indexOf(most)].name} counts for ${share(most)} of the total, ${rest}`;
}

function tiesText({ variables }, { arcs, distance, compared, required }, whys) {
  const same = compared.slice(1).filter((one) => one.distance === distance).map((one, i) => (one.isVote ? "the majority vote" : one.name));
  const isFree = ([source, target]) => !required.has(source * variables.length + target);
  const tied = arcs.filter((arc, i) => isFree(arc) && whys[i].cost !== null && Math.abs(whys[i].cost) < 1e-12);
  const said = [];
  if (same.length) said.push(`equally close: ${some(same)}`);
  if (tied.length) {
    const [[source, target]] = tied;
    const which = tied.length > 1 ? `any one of ${whole(tied.length)} arcs` : `the arc from ${variables[source]} to ${variables[target]}`;
    said.push(`dropping ${which} gives an equally close network`);
  }
  return said.join("; ") || null;
}

function coverageText({ variables, inputs }, votes, unjudged) {
  if (votes.isWhole) return null;
  const n = variables.length;
  const pairs = count((n * (n - 1)) / 2, "pair");
  const sizes = inputs.map(({ has }) => has.filter(Boolean).length);
  const [fewest, most] = [Math.min(...sizes), Math.max(...sizes)];
  const having = fewest === most ? fewest : `${fewest} to ${most}`;
  const text = unjudged
    ? `of ${pairs} of variables, ${whole(unjudged)} ${unjudged === 1 ? "is" : "are"} in no input together: no input has a vote on them`
    : `all ${pairs} of variables are in some input together`;
  return `the inputs have ${having} of the ${whole(n)} variables${sizes.length > 1 ? " each" : ""}; ${text}`;
}

function directionsText(votes, { arcs }) {
  if (!arcs.length) return null;
  const unseen = arcs.filter(([source, target]) => !votes.support(source, target)).length;
  const outvoted = arcs.filter(([source, target]) => {
    const own = votes.support(source, target);
    return own && own < votes.support(target, source);
  }).length;
  const ofAll = `of ${count(arcs.length, "arc")}`;
  const runs = (many) => (many === 1 ? "runs" : "run");
  const majority = "against the majority of the inputs that join the two";
  if (!unseen && !outvoted) return `no arc runs ${majority}`;
  if (!unseen) return `${whole(outvoted)} ${ofAll} ${runs(outvoted)} ${majority}`;
  const text = `${whole(unseen)} ${ofAll} ${runs(unseen)} in a direction that no input has`;
  return outvoted ? `${text}, ${whole(outvoted)} more ${majority}` : text;
}

