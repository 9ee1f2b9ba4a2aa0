// The labels in the boxes of the picture, with long names shortened in the middle, and their approximate widths:
// drawing/labels.py.

const SIZE = 12;
const LONGEST = 24; // letters of a label
const WIDEST = 205;
const START = 7; // letters of a name that is cut where it differs from others
const ELLIPSIS = "\u2026";
const JOINING = /^[\p{Mn}\p{Me}\p{Cf}\u{1f3fb}-\u{1f3ff}]$/u;
const WIDE = /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]$/u;
const UNPRINTABLE = /(?![\u200c\u200d ])[\p{C}\p{Z}]/gu;

function widthOf(character) {
  if (JOINING.test(character)) return 0;
  if (WIDE.test(character)) return 1.05;
  if (/^[\u{1f000}-\u{1faff}]$/u.test(character)) return 1.25;
  if ("iljI.,:;|'!() ".includes(character)) return 0.36;
  if ("mwMW@%".includes(character)) return 0.95;
  return /^\p{Lu}$/u.test(character) ? 0.7 : 0.62;
}

export const textWidth = (text) => SIZE * [...text].reduce((sum, one) => sum + widthOf(one), 0);

const visible = (name) => name.replace(UNPRINTABLE, "\u00b7");

// The characters that a reader sees.
function lettersOf(text) {
  const letters = [];
  for (const one of text) {
    if (letters.length && (JOINING.test(one) || letters.at(-1).endsWith("\u200d"))) letters[letters.length - 1] += one;
    else letters.push(one);
  }
  return letters;
}

const fits = (text) => lettersOf(text).length <= LONGEST && textWidth(text) <= WIDEST;

// Long names often differ at their ends, so both ends are kept.
function shortened(name) {
  const text = visible(name);
  if (fits(text)) return text;
  const letters = lettersOf(text.slice(0, 400) + text.slice(-400));
  let [head, tail] = ["", ""];
  while (letters.length) {
    const isHead = textWidth(head) <= textWidth(tail);
    const longer = isHead ? [head + letters[0], tail] : [head, letters.at(-1) + tail];
    if (!fits(longer.join(ELLIPSIS))) break;
    [head, tail] = longer;
    if (isHead) letters.shift();
    else letters.pop();
  }
  return `${head.trimEnd()}${ELLIPSIS}${tail.trimStart()}`;
}

// The start of a long name, and the part where it begins to differ from others.
function cutBefore(text, same) {
  const letters = lettersOf(text.slice(Math.max(0, same - 2), same + 2 * LONGEST));
  const head = text.slice(0, START).trimEnd() + ELLIPSIS;
  for (let end = letters.length; end > 0; end--) {
    const label = head + letters.slice(0, end).join("").trim() + (end < letters.length ? ELLIPSIS : "");
    if (fits(label)) return label;
  }
  return shortened(text);
}

export function labelsOf(names) {
  const labels = names.map(shortened);
  const alike = new Map();
  labels.forEach((label, i) => alike.set(label, [...(alike.get(label) || []), i]));
  for (const numbers of alike.values()) {
    if (numbers.length < 2) continue;
    const texts = numbers.map((i) => visible(names[i]));
    const shortest = Math.min(...texts.map((text) => text.length));
    let same = 0;
    while (same < shortest && texts.every((text) => text[same] === texts[0][same])) same++;
    numbers.forEach((i, place) => (labels[i] = cutBefore(texts[place], same < shortest ? same : 0)));
  }
  return labels;
}
