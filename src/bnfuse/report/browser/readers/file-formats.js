// The formats, and how a file is recognised: by the extension of its name or, failing that, by the start of its
// content.
import { readBif } from "./bif-reader.js";
import { readCsv } from "./csv-reader.js";
import { readEnsemble } from "./ensemble-reader.js";
import { SPACES } from "./spaces.js";
import { readXdsl } from "./xdsl-reader.js";
import { readXmlbif } from "./xmlbif-reader.js";

const HEAD = 1 << 16; // characters; the kind of a file is visible at its beginning
const S = `[${SPACES}]`;
const ROOT = "<(?:[?!].*?<)?"; // the first element of an XML file, after its declarations
const CSV_OPENING =
  `(?:(?:"")?[,;\\t])?(?:"?from"?${S}*[,;\\t ]${S}*"?to"?|"?source"?${S}*[,;\\t ]${S}*"?target"?|"?parent"?${S}*[,;\\t ]${S}*"?child"?)${S}*` +
  `(?:(?<=[\\r\\n])|$|[,;\\t]?${S}*"?(?:type|strength|direction|probability|count|votes|of|networks)"?(?:[,;${SPACES}]|$))`;

// Formats without `read` need the installed program. If two formats match a content, the first one wins.
const FORMATS = [
  { label: "saved consensus", endings: [], opening: '\\{"kind":"bnfuse consensus"', alsoIn: [".json"] },
  { label: "NumPy", endings: [".npy"], opening: "\ufffdNUMPY" },
  { label: "Tetrad", endings: [".tetrad"], opening: "Graph Nodes:" },
  { label: "GraphML", endings: [".graphml"], opening: `${ROOT}graphml[${SPACES}>]`, alsoIn: [".xml"] },
  { label: "DOT", endings: [".dot"], opening: `(?:strict${S}+)?(?:di)?graph(?![\\p{L}\\p{N}_])` },
  { label: "model string", endings: [".modelstring"], opening: `\\[(?![${SPACES}"{\\[])[^\\[\\]|]+(?:\\|[^\\[\\]]*)?\\]` },
  { label: "DAGitty", endings: [".dagitty"], opening: `(?:strict${S}+)?(?:p?dag|mag|pag)${S}*(?:"[^"]*"|[\\p{L}\\p{N}_.]+)?${S}*\\{` },
  { label: "UAI", endings: [".uai"], opening: `(?:BAYES|MARKOV)${S}` },
  { label: "XDSL", endings: [".xdsl"], opening: `${ROOT}smile[${SPACES}>]`, alsoIn: [".xml"], read: readXdsl },
  { label: "DSL", endings: [".dsl"], opening: `net${S}+[\\p{L}\\p{N}_]+${S}*\\{` },
  { label: "NET", endings: [".net"], opening: `(?:net|class${S}+[\\p{L}\\p{N}_]+)${S}*\\{` },
  { label: "CSV", endings: [".csv"], opening: CSV_OPENING, read: readCsv },
  { label: "pgmpy JSON", endings: [], opening: `\\{${S}*"nodes"${S}*:${S}*\\[[^\\]]*\\]${S}*,${S}*"arcs"${S}*:`, alsoIn: [".json"] },
  { label: "Gaussian JSON", endings: [], opening: `\\{${S}*"kind"${S}*:${S}*"bnfuse Gaussian`, alsoIn: [".json"] },
  {
    label: "ensemble",
    endings: [".json"],
    opening: `\\{(?!${S}*"kind"${S}*:${S}*"bnfuse ).*?"(?:variables|networks)"${S}*:`,
    read: readEnsemble,
    keepsNames: true,
  },
  { label: "XMLBIF", endings: [".xmlbif", ".bifxml", ".xml"], opening: `${ROOT}BIF[${SPACES}>]`, read: readXmlbif },
  { label: "BIF", endings: [".bif"], opening: "(?:network|variable|probability)(?![\\p{L}\\p{N}_])", read: readBif },
];

// Of the files that this page reads; each may also end in .gz.
export const ENDINGS = FORMATS.filter(({ read }) => read).reverse().flatMap(({ endings }) => endings);

export const byEnding = (ending) => FORMATS.find(({ endings }) => endings.includes(ending)) || null;

// The format whose pattern matches the start of a content, after comments.
export function detected(text) {
  const whole = text.slice(0, HEAD + 1);
  const head = (whole.startsWith("\ufeff") ? whole.slice(1) : whole).slice(0, HEAD);
  const start = behindComments(head);
  return FORMATS.find(({ opening }) => {
    const pattern = new RegExp(opening, "isuy");
    pattern.lastIndex = start;
    return pattern.test(head);
  }) || null;
}

const COMMENT = new RegExp(`[${SPACES}]+|//[^\\n]*|[%#][^\\n]*`, "y");

function behindComments(head) {
  let place = 0;
  for (;;) {
    COMMENT.lastIndex = place;
    const [found] = COMMENT.exec(head) || [];
    if (found !== undefined) place += found.length;
    else {
      const end = head.startsWith("/*", place) ? head.indexOf("*/", place + 2) : -1;
      if (end < 0) return place;
      place = end + 2;
    }
  }
}

// The ending of a file's name, before .gz, in lower case.
export function endingOf(name) {
  const plain = withoutGz(name);
  const place = plain.lastIndexOf(".");
  return place > 0 && place < plain.length - 1 ? plain.slice(place).toLowerCase() : "";
}

const withoutGz = (name) => (/.\.gz$/i.test(name) ? name.slice(0, -3) : name);

// The names of a file's networks that have none.
export function stemOf(name) {
  const ending = endingOf(name);
  const plain = withoutGz(name);
  return ending && byEnding(ending) ? plain.slice(0, -ending.length) : plain;
}
