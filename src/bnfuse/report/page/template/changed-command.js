// The command that made the consensus, changed: with or without an arc, without an input, for another limit.
import { element } from "./elements.js";
import { sourceOf, targetOf } from "./networks.js";
import { data, limit, limits, variables } from "./page-data.js";
import { commandLine } from "./query-command.js";
import { arcOptions, canNameArcs, optionWords, PLAIN_OPTIONS, plainOption, tiersOption } from "./question-options.js";
import { quoted } from "./shell-words.js";

// As written by Python's shlex.join.
const wordsOf = (command) =>
  (command.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) || []).map((word) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double)
  );

const recorded = wordsOf(data.origin.command);
const canChange = recorded[0] === "bnfuse" && ["consensus", "bootstrap"].includes(recorded[1]);

const OUTPUTS = ["-o", "--output", "--report", "--save", "--ensemble", "--tally", "--strength"];
const LONGEST = 60; // letters that a change adds to the name of a file

// With other values of some options; without those that have no value.
function withValues(words, options, valueFor) {
  const left = [];
  for (let i = 0; i < words.length; i++) {
    if (words[i] === "--") return [...left, ...words.slice(i)];
    const option = options.find((one) => words[i] === one || words[i].startsWith(one.startsWith("--") ? `${one}=` : one));
    if (!option) left.push(words[i]);
    else {
      const isApart = words[i] === option;
      const [start, own] = isApart ? [option, words[i + 1]] : /^(--[^=]*=|-.=?)(.*)$/s.exec(words[i]).slice(1);
      const value = valueFor(own);
      if (value !== null) left.push(...(isApart ? [start, value] : [start + value]));
      if (isApart) i++;
    }
  }
  return left;
}

const without = (words, options, isSuch = () => true) => withValues(words, options, (value) => (isSuch(value) ? null : value));

// Different files from those of this run, which the reader may want to keep, and has open: report-without-harbour.html.
function inNewFiles(words, ...change) {
  const plain = change.join(" ").replace(/[^\p{L}\p{M}\p{N}_]+/gu, "-").replace(/^-|-$/g, "");
  const ending = `-${[...plain].slice(0, LONGEST).join("")}`;
  return withValues(words, OUTPUTS, (file) => (file === "-" ? file : file.replace(/(?<=[^/\\])(\.[^./\\]+)?(\.gz)?$/i, `${ending}$&`)));
}

// Options come first: behind "--" they would be files.
const line = (words, name, value) => ["bnfuse", words[1], ...optionWords(name, value), ...words.slice(2)].map(quoted).join(" ");

// With the limit that is shown, if it is not the run's own.
function atLimit() {
  if (!isOtherLimit) return recorded;
  const [option, short] = data.steps_through_tables ? ["--max-table"] : ["--max-clique", "-t"];
  const words = without(recorded, [option, short].filter(Boolean));
  const wanted = String(limits.limits[limit.place]);
  return inNewFiles([...words.slice(0, 2), option, wanted, ...words.slice(2)], "limit", wanted);
}

export const isOtherLimit = Boolean(limits) && limit.place !== limits.own;

export const commandAtLimit = () => (canChange && isOtherLimit ? atLimit().map(quoted).join(" ") : null);

// To require an arc, or to forbid it; null if the command is not known or cannot name it.
export function commandWith(code, isWanted) {
  const [source, target] = [variables[sourceOf(code)], variables[targetOf(code)]];
  const isUnsayable = (name) => name.includes("->") || name !== name.trim() || (!isWanted && /--|^-|-$/.test(name));
  if (!canChange || [source, target].some(isUnsayable)) return null;
  const isPair = (text) => {
    const [one, other, more] = text.split(text.includes("->") ? "->" : "--").map((name) => name.trim());
    return more === undefined && ((one === source && other === target) || (one === target && other === source));
  };
  const renamed = inNewFiles(without(atLimit(), ["--require", "--forbid"], isPair), isWanted ? "with" : "without", source, target);
  return isWanted ? line(renamed, "--require", `${source}->${target}`) : line(renamed, "--forbid", `${source}--${target}`);
}

export function commandWithoutInput(name) {
  if (!canChange) return null;
  const words = without(atLimit(), ["--weight"], (text) => text.startsWith(`${name}=`));
  return line(inNewFiles(words, "without", name), "--weight", `${name}=0`);
}

// For the question of the page when it solved again; tiers are in a separate file.
export function commandAsked({ now, sent }) {
  if (!canChange || !data.question || !canNameArcs(now)) return null;
  const more = [];
  let words = without(recorded, ["--weight", "--require", "--forbid"]);
  const names = data.inputs.map(({ name }) => name);
  names.forEach((name, i) => {
    const weight = now.on[i] ? now.weights[i] : "0";
    if (weight !== "1") more.push(...optionWords("--weight", `${name}=${weight}`));
  });
  more.push(...arcOptions(now));
  for (const [name, options] of Object.entries(PLAIN_OPTIONS)) {
    if (now[name] === sent[name]) continue;
    words = without(words, options);
    more.push(...plainOption(name, now));
  }
  const hasTiers = JSON.stringify(now.tiers) !== JSON.stringify(sent.tiers);
  if (hasTiers) {
    words = without(words, ["--tiers"]);
    more.push(...tiersOption(now));
  }
  const renamed = inNewFiles(words, "again");
  return {
    line: ["bnfuse", renamed[1], ...more, ...renamed.slice(2)].map(quoted).join(" "),
    tiers: hasTiers && now.tiers.length ? JSON.stringify(now.tiers) : null,
  };
}

// For the details of an arc.
export function changeOf(code, isIn) {
  const command = commandWith(code, !isIn);
  return command && element("details", {}, element("summary", {}, `Run again ${isIn ? "without" : "with"} it`), commandLine(command));
}
