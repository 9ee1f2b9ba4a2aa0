// How stable arcs are among resamples: strength and direction as R's boot.strength(cpdag = FALSE) counts them.
import { consensus, isSeenByAll, shareEitherWay, support, supportEitherWay, supports, turned } from "./networks.js";
import { finePercent } from "./number-texts.js";
import { data } from "./page-data.js";

// Of the resamples, the share that joins the two variables, either way round; of these, the share that has it this way.
export const strength = shareEitherWay;
export const direction = (code) => (supportEitherWay(code) ? support(code) / supportEitherWay(code) : 0);

export const threshold = data.stability?.threshold;
export const isStrong = (code) => strength(code) > threshold || strength(code) === 1;

export function inWords(code) {
  if (!strength(code)) return "in no resample";
  const all = isSeenByAll(code) ? "the resamples" : "the resamples that have both variables";
  return `in ${finePercent(strength(code))} of ${all}, this way round in ${finePercent(direction(code))} of these`;
}

// Strongest first, then the more common way round.
export const byStrength = (a, b) => strength(b) - strength(a) || direction(b) - direction(a) || a - b;

// Each pair that a resample joins, once: as the consensus has it, or else the more common way round.
export const pairs = () =>
  [...new Set([...supports.keys()].map(wayOf))].filter(supportEitherWay).sort(byStrength);

function wayOf(code) {
  const back = turned(code);
  if (consensus.has(code) || consensus.has(back)) return consensus.has(code) ? code : back;
  return support(code) > support(back) || (support(code) === support(back) && code < back) ? code : back;
}
