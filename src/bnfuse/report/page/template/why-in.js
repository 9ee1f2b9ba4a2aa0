// Why an arc is in the consensus, in sentences that are exact for the metric and the weights.
import { ALONE, amount, capital, listed } from "./number-texts.js";

// why: a Why of page_schema.py, with names for numbers.
// arc and problem: as in why-out.js; isRequired: whether the constraints require the arc.
// others: what solved-again.js says of leaving it out and of reversing it, where that is known.
export const whyIn = (why, arc, problem, isRequired, others = { out: [], turned: [] }) => [
  ...(isRequired ? ["The constraints require it."] : []),
  ...(others.out.length ? others.out : [costText(why, arc, problem, isRequired)]),
  directionText(why, arc),
  ...others.turned,
].filter(Boolean);

function costText({ cost, married }, arc, problem, isRequired) {
  if (cost === null) return "The cost of leaving it out was not measured.";
  const size = Math.abs(cost);
  if (size < 1e-8) return `It ties: ${ALONE}leaving it out would not change the mean distance${tieText(arc, problem)}.`;
  const why = married.length
    ? `, as ${arc.source} would no longer share the child ${arc.target} with ${listed(married)}`
    : cost > 0 || isRequired
    ? ""
    : ": this search did not find that";
  return `${capital(ALONE)}leaving it out would ${cost < 0 ? "lower" : "raise"} the mean distance by ${amount(size)}${why}.`;
}

// Among equally close networks, the one with the arcs of at least half of the inputs is chosen.
function tieText({ forward, voters, isSeenByAll }, { isCounted, input, measure }) {
  if (!forward || 2 * forward < voters) return "";
  const both = `${isCounted ? "" : " of those"} that have both variables`;
  const whom = `${isCounted ? `${input}s` : measure}${isSeenByAll ? "" : both}`;
  return `, and at least half of the ${whom} ${isCounted || measure === "votes" ? "are" : "is"} for it in this direction`;
}

const meeting = (one, child, other) => `${one} \u2192 ${child} \u2190 ${other}`;

function directionText({ rule, others: [one, other], v_structure: known }, { source, target }) {
  const [by, round] = ["fixed by the v-structure ", ": if it were reversed, "];
  const turned = `${round}${meeting(one, source, target)} would be a new `;
  const how = {
    "free": "free: networks of the same Markov equivalence class, which imply the same independences, have it in either " +
      "direction, possibly with other arcs reversed too",
    "v-structure": by + meeting(source, target, one),
    "new v-structure": known.length ? `${by}${meeting(...known)}${turned}one` : `fixed${turned}v-structure`,
    "cycle": `fixed${round}it would close a cycle with ${source} \u2192 ${one} \u2192 ${target}, which are fixed`,
    "cycle or new v-structure": `fixed${round}there would be a cycle or the new v-structure ${meeting(one, source, other)}`,
  };
  return rule === null ? "" : `Its direction is ${how[rule]}.`; // not known for the page's own result
}

// For an arc that most inputs do not have in this direction.
export const whyAgainst = ({ forward, backward }, { isCounted, input }) =>
  backward
    ? `It runs against ${forward ? "most" : "all"}${isCounted ? "" : ", by weight,"} of the ${input}s that join the two.`
    : `No ${input} joins the two by an arc.`;
