// An error in a file: one line that names the file, the place and the remedy, in the words of the installed program.

export class ReadingError extends Error {
  constructor(path, problem, line = null, column = null) {
    const place = [line, column].filter((one) => one !== null).map((one) => `:${one}`).join("");
    super(onOneLine(`${path}${place}: ${problem}`));
  }
}

// A problem with the content of a file, without its position.
export class ContentError extends Error {}

const LINE_ENDS = /\r\n|[\n-\r\x1c-\x1e\x85\u2028\u2029]/;

function onOneLine(message) {
  const lines = message.split(LINE_ENDS);
  if (lines.at(-1) === "") lines.pop();
  return lines.join(" ");
}

const ESCAPES = new Map([["\\", "\\\\"], ["\n", "\\n"], ["\r", "\\r"], ["\t", "\\t"]]);

function escape(character) {
  const known = ESCAPES.get(character);
  if (known) return known;
  const code = character.codePointAt(0).toString(16);
  if (code.length <= 2) return `\\x${code.padStart(2, "0")}`;
  return code.length <= 4 ? `\\u${code.padStart(4, "0")}` : `\\U${code.padStart(8, "0")}`;
}

const UNPRINTABLE = /[\\\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
const NOT_ASCII = /[\\\x00-\x1f]|[^\x00-\x7e]/gu;

// A text in quotes, with escapes for unprintable characters; at most `most` letters of it.
export function quoted(text, { most = Infinity, isAscii = false } = {}) {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inside = text.replace(isAscii ? NOT_ASCII : UNPRINTABLE, escape);
  return shortened(`${mark}${mark === "'" ? inside.replaceAll("'", "\\'") : inside}${mark}`, most);
}

export const shortened = (text, most) => (text.length <= most ? text : [...text].slice(0, most).join(""));

export const counted = (number) => number.toLocaleString("en-US");

// With at most this number of digits, as in %g.
export function rounded(number, digits) {
  const [, exponent] = number.toExponential(digits - 1).split("e");
  if (!Number.isFinite(number)) return number > 0 ? "inf" : Number.isNaN(number) ? "nan" : "-inf";
  if (exponent >= -4 && exponent < digits) return String(Number(number.toPrecision(digits)));
  const [mantissa] = number.toExponential(digits - 1).split("e");
  const sign = exponent < 0 ? "-" : "+";
  return `${Number(mantissa)}e${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

// The line and the column of a position in a text, counted from 1. A column is a character, however many units it
// takes.
export function lineAndColumn(text, place) {
  let line = 1;
  for (let end = text.indexOf("\n"); end !== -1 && end < place; end = text.indexOf("\n", end + 1)) line++;
  const start = place === 0 ? 0 : text.lastIndexOf("\n", place - 1) + 1;
  let column = 1;
  for (let i = start; i < place; i++) {
    const unit = text.charCodeAt(i);
    const isSecondHalf = unit >= 0xdc00 && unit <= 0xdfff && i > start && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800;
    if (!isSecondHalf) column++;
  }
  return [line, column];
}
