// The numbers of a table in an XML file.
import { counted, quoted } from "./reading-error.js";
import { firstBad, isNumber, tableSize } from "./table-checks.js";

const WORD = /[^ \t-\r,]+/g;
const MARKED_WORD = /<!-{2}[^]*?-->|<[^>]*>|([^ \t-\r<,]+)/g;

// The numbers of a table with these sizes, from the text of the element that starts at `place`.
export function numbersOf(file, variable, sizes, text, place) {
  const count = tableSize(file, variable, sizes, text.length + 1, place);
  const words = text.match(WORD) || [];
  const odd = words.findIndex((word) => !isNumber(word));
  if (odd >= 0) throw notAProbability(file, variable, words, odd, place);
  if (words.length !== count) {
    const got = words.length < count ? counted(words.length) : "more";
    throw file.error(`the table of ${quoted(variable)} needs ${counted(count)} numbers, got ${got}`, place);
  }
  const numbers = Float64Array.from(words, Number);
  const bad = firstBad(numbers);
  if (bad >= 0) throw notAProbability(file, variable, words, bad, place);
  return numbers;
}

// Where the word at this position of a table stands, unless markup hides it.
function notAProbability(file, variable, words, position, place) {
  const problem = `${quoted([...words[position].slice(0, 80)].slice(0, 40).join(""))} in the table of ${quoted(variable)} is not a probability`;
  MARKED_WORD.lastIndex = place;
  let left = position;
  for (let word = MARKED_WORD.exec(file.text); word; word = MARKED_WORD.exec(file.text)) {
    if (word[1] === undefined || left-- > 0) continue;
    return file.error(problem, word[1] === words[position] ? word.index : place);
  }
  return file.error(problem, place);
}
