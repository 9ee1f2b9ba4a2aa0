// The short sentences under the headline: each counts arcs, which the picture shows when it is pressed.
import {
  consensus,
  inputs,
  isAgainst,
  isWhole,
  reversible,
  sourceOf,
  STATUS,
  statusOf,
  support,
  targetOf,
  votersOf,
} from "./networks.js";
import { count, whole } from "./number-texts.js";
import { data, facts, INPUT, isOfResamples } from "./page-data.js";
import { isStrong, pairs } from "./stability.js";
import { viewed } from "./views.js";

const MOST = 3;
const required = new Set(data.required);
const tied = new Set([...consensus].filter((code, i) => {
  const { cost } = data.why[i];
  return cost !== null && Math.abs(cost) < 1e-8 && !required.has(code);
}));

export const farthest = inputs.findIndex(({ name }) => name === facts.apart[0]); // of those that may stand apart

// The arcs by which it and the consensus differ, between its own variables, and the kind of difference.
const differences = new Map(farthest < 0 ? [] : found());
function found() {
  const { lacks } = inputs[farthest];
  const [arcs, meaning] = viewed({ key: "difference", one: "consensus", other: String(farthest) });
  const isCounted = ([code, kind]) => kind !== "kept" && !lacks.has(sourceOf(code)) && !lacks.has(targetOf(code));
  return arcs.filter(isCounted).map(([code, kind]) => [code, meaning[kind]]);
}

const inConsensus = (isCounted) => [...consensus].filter(isCounted);
const verb = (many, one, several) => (many === 1 ? one : several);

// This number of all arcs of the consensus, as the subject of a sentence.
function ofAll(many) {
  if (many < consensus.size) return `${whole(many)} of ${count(consensus.size, "arc")}`;
  return many === 1 ? "The only arc" : `All ${whole(many)} arcs`;
}

// By its key: the arcs that a sentence counts, and its words before the count, for the count, and after it.
const SENTENCES = new Map(Object.entries({
  apart: [() => [...differences.keys()], (many) => {
    const [name, ...others] = facts.apart;
    return others.length
      ? [`${name} and ${whole(others.length)} more may stand apart: in ${name}, `, count(many, "arc"), ` ${verb(many, "differs", "differ")}`]
      : [`${name} may stand apart: `, count(many, "arc"), ` ${verb(many, "differs", "differ")}`];
  }],
  weak: [() => (isOfResamples ? inConsensus((code) => !isStrong(code)) : []), (many) => ["", ofAll(many), ` ${verb(many, "is", "are")} not strong`]],
  lacking: [
    () => (isOfResamples ? pairs().filter((code) => isStrong(code) && !consensus.has(code)) : []),
    (many) => ["", count(many, "strong arc"), ` ${verb(many, "is", "are")} not in the consensus`],
  ],
  against: [() => inConsensus(isAgainst), (many) => ["", ofAll(many), ` ${verb(many, "runs", "run")} against most or all ${INPUT}s`]],
  shared: [
    () => (inputs.length === 1 ? [] : inConsensus((code) => votersOf(code) && support(code) === votersOf(code))),
    (many) => ["", ofAll(many), ` ${verb(many, "is", "are")} in every ${INPUT}${isWhole ? "" : " that has both variables"}`],
  ],
  tied: [() => inConsensus((code) => tied.has(code)), (many) => [`Dropping ${many === 1 ? "" : "any one of "}`, count(many, "arc"), " would cost nothing"]],
  free: [() => inConsensus((code) => reversible.has(code)), (many) => [`The ${verb(many, "direction", "directions")} of `, count(many, "arc"), ` ${verb(many, "is", "are")} free`]],
}));

export const countedArcs = (key) => SENTENCES.get(key)?.[0]() ?? [];

// The first ones that have something to count: {key, parts}.
export const sentences = [...SENTENCES]
  .map(([key, [arcs, words]]) => ({ key, many: arcs().length, words }))
  .filter(({ many }) => many)
  .slice(0, MOST)
  .map(({ key, many, words }) => ({ key, parts: words(many) }));

// The text for each of the arcs that a sentence counts.
export const countedStatus = (key, code) => (key === "apart" ? differences.get(code) : STATUS[statusOf(code)]);

export const countedText = (key) => SENTENCES.get(key)[1](countedArcs(key).length).join("");
