// The cost of another decision on a disputed pair, with the problem solved again: a sentence.
import { amount, listed } from "./number-texts.js";

const MOST_NAMED = 3;
export const DOING = { in: "Adding it", out: "Leaving it out", turned: "Reversing it" };
export const NOT_SOLVED = "not solved"; // the reason for the end, if no work was needed
const AGAIN = "with everything else solved again";

// other: an OtherDecision of disputed.py, its arcs as text; empty where nothing is known.
// isOfReverse: whether the sentence is about the arc that runs in the other direction than the one that is added.
export function solvedAgain(other, isOfReverse = false) {
  if (other.cost === null) return [];
  const doing = isOfReverse ? "Adding it reversed" : DOING[other.decision];
  if (other.cost < -1e-8) {
    return [`${doing}, ${AGAIN}, brings the network ${amount(-other.cost)} closer: this search did not find that${changes(other)}.`];
  }
  return [`${doing} costs ${price(other)}, ${AGAIN}${changes(other)}.`];
}

// Exact, or from the proven cost, rounded down, to the one found.
export function price({ cost, cost_at_least: atLeast }) {
  const most = cost > 1e-8 ? amount(cost) : "nothing";
  if (atLeast === cost || most === "nothing") return most;
  const proven = atLeast === null ? 0 : Math.floor(100 * atLeast + 1e-6) / 100;
  return proven > 0 ? `${amount(proven)} to ${most}` : `at most ${most}`;
}

function changes({ added, dropped, reversed }) {
  const all = [
    ...added.map((arc) => `${arc} is added`),
    ...dropped.map((arc) => `${arc} is dropped`),
    ...reversed.map((arc) => `${arc} is reversed`),
  ];
  if (!all.length) return "; no other arc changes";
  const more = all.length - MOST_NAMED;
  return `; with it, ${more > 0 ? `${all.slice(0, MOST_NAMED).join(", ")} and ${more} more` : listed(all)}`;
}
