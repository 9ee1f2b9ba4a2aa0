// The command that made the consensus, changed: with or without an arc, without an input, for another limit.
import { element } from "./elements.js";
import { sourceOf, targetOf } from "./networks.js";
import { data, limit, limits, variables } from "./page-data.js";
import { commandLine, quoted } from "./query-command.js";

// As Python's shlex.join has written them.
const wordsOf = (command) =>
  (command.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) || []).map((word) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double)
  );

const recorded = wordsOf(data.origin.command);
const canChange = recorded[0] === "bnfuse" && ["consensus", "bootstrap"].includes(recorded[1]);

// Without an option where it has such a value.
function without(words, options, isSuch = () => true) {
  const left = [];
  for (let i = 0; i < words.length; i++) {
    if (words[i] === "--") return [...left, ...words.slice(i)];
    const option = options.find((one) => words[i] === one || words[i].startsWith(one.startsWith("--") ? `${one}=` : one));
    if (!option) left.push(words[i]);
    else {
      const isApart = words[i] === option;
      const value = isApart ? words[i + 1] : words[i].slice(option.length).replace(/^=/, "");
      const end = isApart ? i + 2 : i + 1;
      if (!isSuch(value)) left.push(...words.slice(i, end));
      i = end - 1;
    }
  }
  return left;
}

// Options come first: behind "--" they would be files.
const line = (words, option, value) =>
  ["bnfuse", words[1], ...(value.startsWith("-") ? [`${option}=${value}`] : [option, value]), ...words.slice(2)].map(quoted).join(" ");

// At the limit that is shown, where that is not the run's own.
function atLimit() {
  if (!isOtherLimit) return recorded;
  const [option, short] = data.steps_through_tables ? ["--max-table"] : ["--max-clique", "-t"];
  const words = without(recorded, [option, short].filter(Boolean));
  return [...words.slice(0, 2), option, String(limits.limits[limit.place]), ...words.slice(2)];
}

export const isOtherLimit = Boolean(limits) && limit.place !== limits.own;

export const commandAtLimit = () => (canChange && isOtherLimit ? atLimit().map(quoted).join(" ") : null);

// To have an arc, or not to; null where the command is not known or cannot name it.
export function commandWith(code, isWanted) {
  const [source, target] = [variables[sourceOf(code)], variables[targetOf(code)]];
  if (!canChange || [source, target].some((name) => name.includes("->") || name !== name.trim())) return null;
  const isSame = (text) => {
    const [one, other] = text.split("->").map((name) => name.trim());
    return (one === source && other === target) || (isWanted && one === target && other === source);
  };
  const isThis = (text) => text.split("->").map((name) => name.trim()).join("->") === `${source}->${target}`;
  const words = without(without(atLimit(), ["--require"], isSame), ["--forbid"], isThis);
  return line(words, isWanted ? "--require" : "--forbid", `${source}->${target}`);
}

export function commandWithoutInput(name) {
  if (!canChange) return null;
  return line(without(atLimit(), ["--weight"], (text) => text.startsWith(`${name}=`)), "--weight", `${name}=0`);
}

// For the details of an arc.
export function changeOf(code, isIn) {
  const command = commandWith(code, !isIn);
  return command && element("details", {}, element("summary", {}, `Run again ${isIn ? "without" : "with"} it`), commandLine(command));
}
