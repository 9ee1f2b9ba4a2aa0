// Names in scripts that run from right to left, isolated: they cannot reorder a sentence, and arcs read from left to
// right. The rule is that of `isolated` in _texts.py. Characters of a name that would reorder the text after it become
// dots.
const [START, END] = ["\u2068", "\u2069"];
const RIGHT = "\\u0590-\\u08ff\\u200f\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}";
const CONTROLS = "\\u202a-\\u202e\\u2066-\\u2069";
const BETWEEN = "\\s'\"\\u2018-\\u201f,;:=\\|\\(\\)<>\\[\\]\\{\\}\\u2190-\\u21ff";
const LETTER = `(?:(?!--?>|---|[.!?](?:\\s|$))[^${BETWEEN}${CONTROLS}])`;
const WORD = `${LETTER}*?[${RIGHT}]${LETTER}*`;
const TURNING = new RegExp(`[${RIGHT}${CONTROLS}]`, "u");
const NAMES = new RegExp(`${START}[^${CONTROLS}]*${END}|${WORD}(?: ${WORD})*(?: \\d+(?=\\s*$| [ \\u2190-\\u21ff\\-]|['"\u2019\u201d,;:\\)]))?`, "gu");

// Pieces of a text, every second one to be isolated.
function piecesOf(text) {
  const pieces = [];
  let end = 0;
  const plain = (piece) => piece.replace(new RegExp(`[${CONTROLS}]`, "gu"), "\u00b7");
  for (const { 0: found, index } of text.matchAll(NAMES)) {
    pieces.push(plain(text.slice(end, index)), found.startsWith(START) ? found.slice(1, -1) : found);
    end = index + found.length;
  }
  return [...pieces, plain(text.slice(end))];
}

// As one text, where there is no room for elements; a text that is isolated stays so.
export function isolated(text) {
  if (!TURNING.test(text)) return text;
  return piecesOf(text).map((piece, i) => (i % 2 ? START + piece + END : piece)).join("");
}

// As what an element holds.
export function isolatedNodes(text) {
  if (!TURNING.test(text)) return [text];
  const bdi = (piece) => Object.assign(document.createElement("bdi"), { textContent: piece });
  return piecesOf(text).map((piece, i) => (i % 2 ? bdi(piece) : piece)).filter((piece) => piece !== "");
}
