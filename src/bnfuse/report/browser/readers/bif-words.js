// Names and labels in a BIF file, with or without commas and quotes between them.
import { quotedEnd } from "./bif-scanner.js";
import { SPACES, stripped, wordsOf } from "./spaces.js";
import { unescaped } from "./table-checks.js";

const DIGIT = "\\p{Nd}";
const BOUND = `[-+]?(?:${DIGIT}+(?:\\.${DIGIT}*)?(?:[eE][-+]?${DIGIT}+)?|Inf)`;
const INTERVAL = new RegExp(`[\\[(][${SPACES}]*${BOUND}[${SPACES}]*,[${SPACES}]*${BOUND}[${SPACES}]*[\\])]`, "gu");
const WORD = /["|,]|[^ \t-\r,|"]+/g;
const BETWEEN = new RegExp(`[${SPACES},|]+`);
const COMMA = "\0"; // within an interval

// The labels in a text: separated by commas if that gives the right number, otherwise words.
export function labelsIn(text, count) {
  if (!text.includes('"')) {
    let labels = text.split(",").map((one) => stripped(one));
    if (labels.length > count && /[[(]/.test(text)) {
      const whole = text.replace(INTERVAL, (interval) => interval.replaceAll(",", COMMA));
      labels = whole.split(",").map((one) => stripped(one).replaceAll(COMMA, ","));
    }
    if (labels.length === count && labels.every(Boolean)) return labels;
    return stripped(text, (one) => " \t\r\n,|".includes(one)).split(BETWEEN);
  }
  const groups = groupsIn(text);
  const joined = groups.filter(({ isOne }) => isOne).map(({ words }) => words.join(" "));
  return joined.length === groups.length && joined.length === count ? joined : groups.flatMap(({ words }) => words);
}

// The words between the commas and bars of a text, and whether they may be one name with spaces in it.
export function groupsIn(text) {
  if (!text.includes('"')) {
    return text.split(/[,|]/).map(wordsOf).filter((words) => words.length).map((words) => ({ words, isOne: true }));
  }
  const groups = [];
  let [words, hasQuoted] = [[], false];
  const close = () => {
    if (words.length) groups.push({ words, isOne: words.length === 1 || !hasQuoted });
    [words, hasQuoted] = [[], false];
  };
  WORD.lastIndex = 0;
  for (let found = WORD.exec(text); found; found = WORD.exec(text)) {
    const [word] = found;
    const end = word === '"' ? quotedEnd(text, found.index, text.length) : -1;
    if (word === "," || word === "|") close();
    else if (word !== '"') words.push(word);
    else if (end >= 0) {
      words.push(unescaped(text.slice(found.index + 1, end - 1)));
      hasQuoted = true;
      WORD.lastIndex = end;
    }
  }
  close();
  return groups;
}
