// Notes on pairs of variables, and rules on arcs, as in the question.
import { bridge } from "./bridge.js";

const isPair = (key, source, target) => {
  const [one, other] = JSON.parse(key);
  return (one === source && other === target) || (one === target && other === source);
};

export const noteOn = (source, target) =>
  Object.entries(bridge.question.notes).find(([key]) => isPair(key, source, target))?.[1] ?? "";

const has = (arcs, source, target) => arcs.some(([one, other]) => one === source && other === target);

// "require", "forbid" (in both directions), "forbid-direction" or "free".
export function saidOf(source, target) {
  const { required, forbidden } = bridge.question;
  if (has(required, source, target)) return "require";
  if (!has(forbidden, source, target)) return "free";
  return has(forbidden, target, source) ? "forbid" : "forbid-direction";
}
