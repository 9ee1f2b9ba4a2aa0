// White space as in the installed program, not as in JavaScript, which treats other characters as spaces.

export const SPACES = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const SPACE = new RegExp(`[${SPACES}]`);
const WORDS = new RegExp(`[^${SPACES}]+`, "g");

const isSpace = (character) => SPACE.test(character);

// Without white space at its ends. A pattern would scan long runs inside the text again and again.
export function stripped(text, isOut = isSpace) {
  let [start, end] = [0, text.length];
  while (start < end && isOut(text[start])) start++;
  while (end > start && isOut(text[end - 1])) end--;
  return text.slice(start, end);
}

export const wordsOf = (text) => text.match(WORDS) || [];

// The white space of ASCII alone, for words that come without a flag.
export const isAsciiSpace = (unit) => unit === 32 || (unit >= 9 && unit <= 13);
