// The states of a chosen variable as bars, each a button that makes it a finding.
import { element, note, fill, setLabel } from "./elements.js";
import { canAnswer, chancesOf, findings, isImpossible, onEvidence, priorOf } from "./evidence.js";
import { kindOf, kindChoice, KINDS, likelihoodField } from "./finding-kinds.js";
import { inputAnswers } from "./input-answers.js";
import { chance, large, whole } from "./number-texts.js";
import { facts, variables } from "./page-data.js";
import { statesOf, tables } from "./page-tables.js";
import { commandLine, queryCommand } from "./query-command.js";
import { telling } from "./telling-findings.js";

const LEAST_CHANGE = 0.0005; // smaller ones are not mentioned
let update = null; // of the bars that are on the page

// The shade of a state if states are next to each other.
export const shade = (state, states) => (states > 1 ? 0.92 - (0.76 * state) / (states - 1) : 0.92).toFixed(2);

export const changeText = (change) => {
  if (Math.abs(change) < LEAST_CHANGE) return "";
  return `${change > 0 ? "+" : "\u2212"}${Math.abs(100 * change).toFixed(1)}`;
};

// How likely a state is, in words.
export function stateText(variable, state) {
  const label = statesOf(variable)[state];
  const [now, prior] = [chancesOf(variable), priorOf(variable)];
  if (!now) return label;
  const was = changeText(now[state] - prior[state]) ? ` (${chance(prior[state])} without findings)` : "";
  return `${label}: ${chance(now[state])}${was}`;
}

// The details of a chosen variable; they change in place, so that the keyboard focus stays.
export function posteriorBars(variable) {
  if (!tables) return [];
  const title = element("div", { class: "group" });
  const list = element("ul", { class: "states", "aria-label": `States of ${variables[variable]}` });
  const [about, below] = [element("div"), element("div")];
  const choice = kindChoice(variable, () => update());
  let [bars, kind] = [[], null];
  update = () => {
    if (kind !== kindOf(variable)) {
      kind = kindOf(variable);
      bars = statesOf(variable).map((_, state) => stateBar(variable, state, kind));
      list.classList.toggle("out", kind === "out");
      list.replaceChildren(...bars.map(({ item }) => item));
    }
    choice.update();
    fill(title, titleText());
    bars.forEach((bar) => bar.update());
    fill(about, ...(KINDS[kind].note ? [note(KINDS[kind].note)] : []));
    fill(below, ...(canAnswer ? [...inputAnswers(variable), ...telling(variable)] : commandInstead(variable)));
  };
  update();
  // Not read out completely on a change: the line above the picture reports it.
  return [element("div", { class: "answers", "aria-live": "off" }, title, list, choice, about, below)];
}

function titleText() {
  if (!canAnswer) return "States: choose a finding";
  if (isImpossible()) return "The findings cannot all be true";
  return findings.size ? "In the consensus, given the findings" : "In the consensus; choose a state to ask what if";
}

function stateBar(variable, state, kind) {
  const name = element("span", { class: "state" }, statesOf(variable)[state]);
  const bar = element("span", { class: "fill" });
  const mark = element("span", { class: "prior" });
  const value = element("span", { class: "value" });
  const change = element("span", { class: "change" });
  bar.style.opacity = shade(state, statesOf(variable).length);
  const { choose, isChosen } = KINDS[kind];
  const field = choose ? null : likelihoodField(variable, state);
  const parts = canAnswer ? [element("span", { class: "track" }, bar, mark), value, ...(field ? [] : [change])] : [];
  const row = choose
    ? element("button", { type: "button", onclick: () => choose(variable, state) }, name, ...parts)
    : element("label", {}, name, field, ...parts);
  return {
    item: element("li", {}, row),
    update() {
      if (choose) row.setAttribute("aria-pressed", isChosen(findings.get(variable), state));
      else field.update();
      if (!canAnswer) return;
      const [now, prior] = [chancesOf(variable), priorOf(variable)];
      bar.style.width = `${now ? 100 * now[state] : 0}%`;
      mark.style.left = `${100 * prior[state]}%`;
      mark.hidden = !findings.size;
      value.textContent = now ? chance(now[state]) : "\u2013";
      const moved = now ? changeText(now[state] - prior[state]) : "";
      change.textContent = moved;
      change.className = `change ${moved.startsWith("+") ? "up" : "down"}`;
      if (choose) setLabel(row, stateText(variable, state));
    },
  };
}

function commandInstead(variable) {
  const file = tables.file || "consensus.bif";
  const numbers = tables.sizes.reduce((sum, size) => sum + size, 0);
  return [
    note(
      `The tables of this network have ${whole(numbers)} numbers and those of its cliques ${large(facts.tables)}: too ` +
        "many for a page to answer by itself. This command does:",
    ),
    commandLine(queryCommand(file, variable)),
    tables.file ? null : note(`${file} stands for the file with the consensus.`),
  ].filter(Boolean);
}

export function startPosteriors() {
  onEvidence(() => update && update());
}
