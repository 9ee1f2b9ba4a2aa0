// How stable arcs are among resamples: strength and direction as R's boot.strength counts them, by equivalence classes.
import { consensus, isSeenByAll, shareEitherWay, support, supportEitherWay, supports, turned, weightsOf } from "./networks.js";
import { finePercent } from "./number-texts.js";
import { data } from "./page-data.js";

// Among the resamples, the share that joins the two variables, in either direction; among these, the share that has it
// in this direction, half for each direction if the equivalence class leaves it free, and the share that leaves it
// free.
export const strength = shareEitherWay;
export const hasClasses = Boolean(data.stability?.fixed);
const fixed = hasClasses ? weightsOf(data.stability.fixed) : new Map();
const fixes = (code) => fixed.get(code) || 0;
export function direction(code) {
  const joined = supportEitherWay(code);
  if (!joined) return 0;
  return hasClasses ? (joined + fixes(code) - fixes(turned(code))) / (2 * joined) : support(code) / joined;
}
export function freeShare(code) {
  const joined = supportEitherWay(code);
  return hasClasses && joined ? (joined - fixes(code) - fixes(turned(code))) / joined : 0;
}
export const isFree = (code) => freeShare(code) > 0.5;

export const threshold = data.stability?.threshold;
export const isStrong = (code) => strength(code) > threshold || strength(code) === 1;

export function inWords(code) {
  if (!strength(code)) return "in no resample";
  const all = isSeenByAll(code) ? "the resamples" : "the resamples that have both variables";
  const having = `in ${finePercent(strength(code))} of ${all}`;
  const free = finePercent(freeShare(code));
  if (isFree(code)) return `${having}, of which ${free} leave its direction free`;
  const some = freeShare(code) ? ` (${free} leave it free: half for each direction)` : "";
  return `${having}, in this direction in ${finePercent(direction(code))} of these${some}`;
}

// Strongest first, then the more common direction.
export const byStrength = (a, b) => strength(b) - strength(a) || direction(b) - direction(a) || a - b;

// Each pair that a resample joins, once: as in the consensus, or otherwise in the more common direction.
export const pairs = () =>
  [...new Set([...supports.keys()].map(wayOf))].filter(supportEitherWay).sort(byStrength);

function wayOf(code) {
  const back = turned(code);
  if (consensus.has(code) || consensus.has(back)) return consensus.has(code) ? code : back;
  return support(code) > support(back) || (support(code) === support(back) && code < back) ? code : back;
}
