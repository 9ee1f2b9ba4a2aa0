// Numbers as words.

const formats = {}; // making one takes long
const withDigits = (least, most) =>
  (formats[[least, most]] ??= new Intl.NumberFormat("en", { minimumFractionDigits: least, maximumFractionDigits: most }));

export const number = (value, digits = 2) => withDigits(digits, digits).format(value);

export const whole = (value) => withDigits(0, Number.isInteger(value) ? 0 : 2).format(Number(value));

// With about two digits and a letter: 8.4M.
export const short = (value) => value.toLocaleString("en", { notation: "compact", maximumFractionDigits: 1 });

export const count = (value, noun) => `${whole(value)} ${noun}${value === 1 ? "" : "s"}`;

// Rounded, but never to 0 or 100 percent.
export function percent(share) {
  if (share > 0 && share < 0.01) return "under 1\u00a0%";
  if (share > 0.99 && share < 1) return "over 99\u00a0%";
  return `${Math.round(100 * share)}\u00a0%`;
}

// To a tenth, where it is not whole.
export function finePercent(share) {
  if (share > 0 && share < 0.001) return "under 0.1\u00a0%";
  if (share > 0.999 && share < 1) return "over 99.9\u00a0%";
  return `${Math.round(1000 * share) / 10}\u00a0%`;
}

// The gap between a distance and a proven bound, as a share of the bound; above a bound of 0, the difference itself.
// Rounded up because it is proven.
export const gapText = (distance, bound) =>
  bound > 0
    ? `${number(Math.ceil((1000 * (distance - bound)) / bound) / 10, 1)}\u00a0%`
    : number(Math.ceil(100 * (distance - bound) - 1e-6) / 100);
export const aboveBest = (distance, bound) => `at most ${gapText(distance, bound)} above the best possible`;

// Two digits after the point, or, of smaller numbers, the first that is not 0.
export const amount = (size) => (size >= 0.005 ? number(size) : size.toPrecision(1));

// Whole numbers of any size come as text, such as 1234 or 1.23e+45.
export const large = (text) => (text.includes("e") ? text.replace("e+", "\u00b710^") : whole(Number(text)));

// For the effect of one move: further consequences are ignored.
export const ALONE = "in this network, without changing anything else, ";
export const capital = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;

export const listed = (names) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;

// A probability in percent: never rounded to impossible or certain.
export function chance(probability) {
  const hundredth = 100 * probability;
  if (probability === 0 || 1 - probability < 1e-12) return `${Math.round(hundredth)}\u00a0%`;
  if (hundredth < 0.01) return "under 0.01\u00a0%";
  if (hundredth > 99.99) return "over 99.99\u00a0%";
  const isNearEnd = hundredth < 1 || hundredth > 99;
  return `${hundredth.toFixed(isNearEnd ? 2 : 1)}\u00a0%`;
}

// A probability by its natural logarithm, which may be too small for a number: 0.031, or 4.7·10^-46.
export function probability(log) {
  if (log > Math.log(0.0001)) return String(Number(Math.exp(log).toPrecision(3)));
  const tenths = log / Math.LN10;
  const power = Math.floor(tenths);
  const digits = (10 ** (tenths - power)).toFixed(1);
  return digits === "10.0" ? `1.0\u00b710^${power + 1}` : `${digits}\u00b710^${power}`;
}
