// The consensus as BIF, as bif.py writes it.
import { parentsOf, statesOf, tableOf, tables } from "./page-tables.js";
import { data, variables } from "./page-data.js";

const MOST_NUMBERS = 1e6; // of tables that are only there because the format wants some
// Characters that no text file can hold, such as control characters and halves of pairs.
const ODD = /[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]/u;
const ASSUMED = ["yes", "no"];

const escaped = (text) =>
  text.replace(new RegExp(`${ODD.source}|["\\\\]`, "gu"), (one) =>
    ODD.test(one) ? `\\u${one.charCodeAt().toString(16).padStart(4, "0")}` : `\\${one}`);

const HIDING = "property"; // as a name without quotes, it would hide what follows it
// Quoted only if necessary: other programs do not support quotes.
const word = (text) =>
  /^[^\s{}()[\];,|"]+$/.test(text) && !ODD.test(text) && !/\/[/*]/.test(text) && text !== HIDING ? text : `"${escaped(text)}"`;

const labelsOf = (variable) => (tables ? statesOf(variable) : ASSUMED);
const rowsOf = (parents) => parents.reduce((rows, parent) => rows * labelsOf(parent).length, 1);

// Whether the page has what a file needs: all tables to the last digit, or none at all.
export function canWrite() {
  if (tables) return Boolean(tables.order);
  return variables.reduce((sum, _, variable) => sum + 2 * rowsOf(parentsOf(variable)), 0) <= MOST_NUMBERS;
}

export function bifText() {
  const [names, labels] = [variables.map(word), variables.map((_, variable) => labelsOf(variable).map(word))];
  const lines = ["// written by bnfuse", "network consensus {", ...data.marks.map((mark) => `  property ${mark};`), "}"];
  names.forEach((name, variable) => {
    const states = labels[variable];
    lines.push(`variable ${name} {`, `  type discrete [ ${states.length} ] { ${states.join(", ")} };`, "}");
  });
  names.forEach((name, variable) => {
    const parents = parentsOf(variable);
    const given = parents.length ? ` | ${parents.map((parent) => names[parent]).join(", ")}` : "";
    lines.push(`probability ( ${name}${given} ) {`, ...rows(variable, parents, labels), "}");
  });
  return `${lines.join("\n")}\n`;
}

function* rows(variable, parents, labels) {
  const count = labels[variable].length;
  const values = tables ? tableOf(variable) : null;
  const at = parents.map(() => 0);
  for (let row = 0; row < rowsOf(parents); row++) {
    const numbers = values ? [...values.slice(row * count, (row + 1) * count)] : Array(count).fill(1 / count);
    const start = parents.length ? `(${parents.map((parent, i) => labels[parent][at[i]]).join(", ")})` : "table";
    yield `  ${start} ${numbers.join(", ")};`;
    for (let i = parents.length - 1; i >= 0 && ++at[i] === labels[parents[i]].length; i--) at[i] = 0;
  }
}
