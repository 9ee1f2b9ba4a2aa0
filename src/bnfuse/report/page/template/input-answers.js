// The answers of all inputs for a variable, compared with the consensus.
import { element, note } from "./elements.js";
import { effects } from "./effects.js";
import { answerOfInput, chancesOf, findings } from "./evidence.js";
import { stateOf } from "./findings.js";
import { hasInputs, inputs } from "./networks.js";
import { chance, listed, whole } from "./number-texts.js";
import { data } from "./page-data.js";
import { statesOf, tables } from "./page-tables.js";
import { commandLine, queryCommand } from "./query-command.js";

export function inputAnswers(variable) {
  if (!hasInputs || stateOf(findings.get(variable)) >= 0) return [];
  const title = element("div", { class: "group" }, "How certain is the panel? The answers of the inputs");
  if (!tables.inputs) return [title, ...leftOut(variable)];
  const ours = chancesOf(variable);
  const theirs = inputs.map((input, i) => ({ name: input.name, ...answerOfInput(i, variable) }));
  for (const one of theirs) one.gap = one.chances && ours ? Math.max(...differences(one.chances, ours)) : -1;
  theirs.sort((one, other) => other.gap - one.gap);
  const parts = [farthest(variable, ours, theirs), answerTable(variable, ours, theirs), ...silent(theirs), ...effects(variable)];
  return [title, ...parts.filter(Boolean)];
}

const differences = (chances, ours) => chances.map((own, state) => Math.abs(own - ours[state]));

// For the input that differs most, the state on which it does; and the range of all.
function farthest(variable, ours, theirs) {
  const { name, chances, gap } = theirs[0];
  if (gap < 0.005) return null;
  const apart = differences(chances, ours);
  const states = statesOf(variable).map((_, state) => state);
  // If it differs equally on two states, the rarer one is more informative.
  const closest = (one, other) => (Math.abs(apart[one] - apart[other]) < 1e-9 ? ours[one] - ours[other] : apart[other] - apart[one]);
  const state = states.sort(closest)[0];
  const label = statesOf(variable)[state];
  const [least, most] = rangeOf(theirs, state);
  return element(
    "p",
    {},
    `${name} differs most: ${label} ${chance(chances[state])}, in the consensus ${chance(ours[state])}. ` +
      `The inputs range from ${chance(least)} to ${chance(most)}.`,
  );
}

function rangeOf(theirs, state) {
  const all = theirs.filter(({ chances }) => chances).map(({ chances }) => chances[state]);
  return [Math.min(...all), Math.max(...all)];
}

function answerTable(variable, ours, theirs) {
  const row = (name, chances, kind) =>
    element(
      "tr",
      { class: kind },
      element("th", { scope: "row" }, name),
      ...[...chances].map((own) => element("td", { class: "number" }, chance(own))),
    );
  const rows = theirs.filter(({ chances }) => chances).map(({ name, chances }) => row(name, chances, ""));
  if (!ours && !rows.length) return null;
  const ranges = statesOf(variable).map((_, state) => rangeOf(theirs, state));
  const range = rows.length > 1 ? ["lowest input", "highest input"].map((name, i) => row(name, ranges.map((range) => range[i]), "range")) : [];
  const head = statesOf(variable).map((label) => element("th", { scope: "col", class: "number" }, label));
  return element(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "The answers of the inputs" },
    element(
      "table",
      { class: "chances" },
      element("thead", {}, element("tr", {}, element("td"), ...head)),
      element("tbody", {}, ...(ours ? [row("consensus", ours, "strong")] : []), ...range, ...rows),
    ),
  );
}

// The inputs without an answer, and the reasons; those with the same reason together.
function silent(theirs) {
  const reasons = new Map();
  for (const { name, why } of theirs) if (why) reasons.set(why, [...(reasons.get(why) || []), name]);
  return [...reasons].map(([why, names]) => note(`No answer of ${listed(names)}: ${why}.`));
}

function leftOut(variable) {
  if (!tables.inputs_size) return [note("Not known: the report was made without the inputs' own tables.")];
  const files = data.origin.files;
  const words = `Their tables have ${whole(tables.inputs_size)} numbers together: too many for this page.`;
  if (files.length !== inputs.length) return [note(words)];
  return [note(`${words} Each of them can be asked separately:`), commandLine(queryCommand(files[0].path, variable))];
}
