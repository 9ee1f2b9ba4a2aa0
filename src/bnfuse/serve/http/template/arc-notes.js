// Notes on pairs of variables, and rules on arcs, as in the question.
import { bridge } from "./bridge.js";
import { when } from "./times.js";

const isPair = (key, source, target) => {
  const [one, other] = JSON.parse(key);
  return (one === source && other === target) || (one === target && other === source);
};

const ofPair = (values, source, target) => Object.entries(values ?? {}).find(([key]) => isPair(key, source, target))?.[1];

export const noteOn = (source, target) => ofPair(bridge.question.notes, source, target) ?? "";

// The author of a note and its time, in words.
export function notedBy(source, target) {
  const found = ofPair(bridge.noted, source, target);
  return found ? [found.who, when(found.time)].filter(Boolean).join(", ") : "";
}

const has = (arcs, source, target) => arcs.some(([one, other]) => one === source && other === target);

// "require", "forbid" (in both directions), "forbid-direction" or "free".
export function saidOf(source, target) {
  const { required, forbidden } = bridge.question;
  if (has(required, source, target)) return "require";
  if (!has(forbidden, source, target)) return "free";
  return has(forbidden, target, source) ? "forbid" : "forbid-direction";
}
