// Weights as people write them, "2", "0.25" or "1/3", as whole numbers in the same proportions: as in weights.py.

const LARGEST_TOTAL = 2n ** 31n; // that the kernel counts exactly
const MOST_DIGITS = 9; // after the point

const divisor = (a, b) => (b ? divisor(b, a % b) : a);

// [numerator, denominator]; an error gives the reason.
function fractionOf(text) {
  const written = String(text).trim();
  const parts = /^(\d{1,15})(?:\.(\d*))?$|^(\d{1,15})\/(\d{1,15})$/.exec(written);
  if (!parts || (parts[3] !== undefined && !BigInt(parts[4]))) {
    throw new Error(`a weight must be a number of at least 0; got ${written.slice(0, 60) || "nothing"}`);
  }
  if (parts[3] !== undefined) return reduced(BigInt(parts[3]), BigInt(parts[4]));
  const digits = (parts[2] || "").replace(/0+$/, "");
  if (digits.length > MOST_DIGITS) throw new Error(`a weight may have at most ${MOST_DIGITS} digits after the point; got ${written}`);
  return reduced(BigInt(parts[1] + digits), 10n ** BigInt(digits.length));
}

function reduced(numerator, denominator) {
  const shared = divisor(numerator, denominator);
  return [numerator / shared, denominator / shared];
}

export function checkWeight(text) {
  fractionOf(text);
}

// Whole numbers (BigInt), some of them above 0.
export function wholeWeights(texts) {
  const exact = texts.map(fractionOf);
  const scale = exact.reduce((all, [, one]) => (all / divisor(all, one)) * one, 1n);
  const whole = exact.map(([numerator, denominator]) => numerator * (scale / denominator));
  const shared = whole.reduce(divisor, 0n);
  if (!shared) throw new Error("at least one weight must be above 0");
  const total = whole.reduce((sum, one) => sum + one, 0n) / shared;
  if (total > LARGEST_TOTAL) {
    throw new Error("the weights have too many different digits to be counted exactly; round them to fewer digits");
  }
  return whole.map((one) => one / shared);
}
