// Why an arc that inputs have is not in the consensus, in sentences. Each is true of the metric and by the weights.
import { ALONE, amount, capital, large, listed, whole } from "./number-texts.js";

const MOST_NAMED = 3;

// reason: a Reason of page_schema.py, with names for numbers.
// arc: {source, target} by name, forward and backward: the weight of the inputs that have it in either direction,
//      voters: the weight of those that have both variables, isSeenByAll: whether these are all,
//      isTurned: whether the consensus has it in the other direction.
// problem: {limit, maxTable, mostParents, isCounted, input, measure, halvesTurned}: the limits, whether inputs can be
//      counted, what they are called, what counts otherwise ("weight" or "votes"), and whether to the distance an arc the
//      other direction is half as good.
// other: what solved-again.js says of having it, where that is known: then what it alone would do is not said.
export function whyOut(reason, arc, problem, other = []) {
  const barrier = barrierText(reason.barrier, arc, problem);
  if (barrier) return [barrier, ...other];
  const doing = arc.isTurned ? "Reversing it" : "Adding it";
  if (reason.closes_cycle) return [`${doing} would close a cycle with other arcs of the consensus.`, ...other];
  const said = [];
  if (reason.is_rare) said.push(`${fewHave(arc, problem, arc.backward ? eitherWay(problem) : "")}.`);
  if (reason.clique !== null && reason.clique > problem.limit) said.push(cliqueText(reason, doing, problem));
  if (reason.table) said.push(tableText(reason.table, doing, problem.maxTable));
  if (!other.length && reason.change !== null) said.push(changeText(reason, doing, arc, problem));
  return [...said, ...other];
}

function barrierText(barrier, { target }, { mostParents, input }) {
  if (barrier === "required") return "The constraints require it in the other direction.";
  if (barrier === "forbidden") return "The constraints forbid it.";
  if (barrier === "directions") return `More ${input}s have it in the other direction, and arcs were to follow the majority.`;
  if (barrier === "tiers") return "It leads from a later tier to an earlier one, which the constraints forbid.";
  if (barrier === "parents") return `${target} has as many parents as the constraints allow: ${mostParents}.`;
  return "";
}

const eitherWay = ({ halvesTurned }) =>
  halvesTurned ? ", if those that have it in the other direction count half" : ", in either direction";

function fewHave({ isSeenByAll }, { isCounted, input, measure }, how) {
  if (isCounted) return `Fewer than half of the ${input}s${isSeenByAll ? "" : " that have both variables"} have it${how}`;
  const whose = isSeenByAll ? "" : " of those that have both variables";
  if (measure === "votes") return `It has less than half of the votes${whose}${how}`;
  return isSeenByAll
    ? `Inputs of less than half of the total weight have it${how}`
    : `Inputs of less than half of the weight${whose} have it${how}`;
}

const cliqueText = ({ clique, clique_at_least: atLeast }, doing, { limit }) =>
  atLeast > limit
    ? `${doing} needs a clique of at least ${atLeast}: the limit is ${limit}.`
    : `${doing} makes a clique of ${clique}, as far as is known: the limit is ${limit}.`;

const tableText = (table, doing, limit) =>
  `${doing} makes a clique table of ${large(table)} numbers, as far as is known: the limit is ${whole(limit)}.`;

function changeText(reason, doing, arc, problem) {
  const size = amount(Math.abs(reason.change));
  const alone = `${capital(ALONE)}${doing[0].toLowerCase()}${doing.slice(1)} would`;
  if (Math.abs(reason.change) < 1e-8) return `${alone} not change the mean distance${tieText(arc, problem)}.`;
  if (reason.change > 0) return `${alone} raise the mean distance by ${size}${marriageText(reason, arc)}.`;
  const known = reason.clique === null
    ? "; the clique it would make was not computed"
    : reason.clique > problem.limit || reason.table
    ? ""
    : ": this search did not find that";
  return `${alone} lower the mean distance by ${size}${known}.`;
}

// The deciding factor if the distance does not decide: the support of the direction.
function tieText(arc, problem) {
  const { forward, backward, isTurned } = arc;
  if (!isTurned) {
    if (2 * forward >= arc.voters) return "";
    const few = fewHave(arc, problem, " in this direction");
    return `, and ${few[0].toLowerCase()}${few.slice(1)}`;
  }
  if (forward > backward) return "";
  if (forward === backward) return problem.isCounted && forward ? `, and as many ${problem.input}s have it in either direction` : "";
  return problem.isCounted
    ? `, and more ${problem.input}s have it in the other direction`
    : problem.measure === "votes"
    ? ", and it has more votes in the other direction"
    : ", and inputs of more weight have it in the other direction";
}

function marriageText({ married }, { source, target }) {
  if (!married.length) return "";
  const others = married.length > MOST_NAMED
    ? `${married.slice(0, MOST_NAMED).join(", ")} and ${married.length - MOST_NAMED} more`
    : listed(married);
  return `: ${source} would share the child ${target} with ${others}, which costs more than the arc itself gains`;
}
