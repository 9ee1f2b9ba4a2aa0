// The line above the picture: the findings, their probability, and their effect; the same for screen readers.
import { $, element, fill } from "./elements.js";
import {
  bars,
  canAnswer,
  canStep,
  clearFindings,
  find,
  findings,
  findingTexts,
  impossibleOne,
  isAsked,
  isImpossible,
  logOfFindings,
  onEvidence,
  redo,
  showBars,
  undo,
} from "./evidence.js";
import { findingText, isNothing, isSet, isWeighed } from "./findings.js";
import { likeliestButton, startLikeliest } from "./likeliest-states.js";
import { listed, probability } from "./number-texts.js";
import { variables } from "./page-data.js";
import { statesOf, tables } from "./page-tables.js";
import { stateText } from "./posterior-bars.js";
import { signal } from "./restart.js";
import { chosenVariable } from "./stage.js";

const strip = $("evidence");

function chip(variable, finding) {
  const takeBack = () => {
    const at = [...findings.keys()].indexOf(variable);
    find(variable, finding);
    const left = strip.querySelectorAll(".finding");
    (left[Math.min(at, left.length - 1)] || strip).focus();
  };
  const text = findingText(variable, finding);
  return element(
    "button",
    { type: "button", class: "finding", "aria-label": `Take back ${text}`, onclick: takeBack },
    element("span", {}, text),
    " \u00d7",
  );
}

function howProbable() {
  if (!canAnswer) return "";
  if (isImpossible()) return whyImpossible();
  const all = [...findings.values()];
  // Likelihoods have no scale of their own, and what is set has no probability.
  return all.some(isWeighed) || all.every(isSet) ? "" : `probability ${probability(logOfFindings())}`;
}

function whyImpossible() {
  const [[variable, finding], place] = impossibleOne();
  const first = findingText(variable, finding);
  if (isNothing(finding)) return `impossible: every state of ${variables[variable]} is ruled out`;
  if (findings.size === 1) return "impossible: its probability is 0";
  if (place === 0) return `impossible: ${first} has probability 0`;
  const known = place === findings.size - 1 ? "the others" : "those before it";
  return `impossible together: given ${known}, ${first} has probability 0`;
}

function draw() {
  const focused = strip.contains(document.activeElement) && document.activeElement.id;
  strip.classList.toggle("empty", !findings.size);
  strip.classList.toggle("impossible", canAnswer && isImpossible());
  const parts = findings.size
    ? [
      element("span", {}, "given"),
      ...[...findings].map(([variable, finding]) => chip(variable, finding)),
      ...[howProbable()].filter(Boolean).map((text) => element("span", { class: "probable" }, text)),
      button("clear", "Clear all", clearFindings),
    ]
    : ["What if? Choose a variable, then one of its states."];
  const isPossible = canAnswer && !isImpossible();
  const more = [...stepButtons(), isPossible && likeliestButton(), isPossible && (findings.size ? barKey() : barSwitch())];
  fill(strip, ...parts, ...more.filter(Boolean));
  strip.scrollTop = strip.scrollHeight; // of many lines, to the newest finding and its consequences
  if (focused) (document.getElementById(focused) || strip).focus();
}

const button = (id, text, onclick, more = {}) => element("button", { type: "button", id, onclick, ...more }, text);

function stepButtons() {
  const [back, forth] = canStep();
  if (!back && !forth) return [];
  const step = (id, text, run, label, can) => button(id, text, run, { title: label, "aria-label": label, "aria-disabled": String(!can) });
  return [
    element(
      "span",
      { class: "steps" },
      step("undo-finding", "\u21b6", undo, "Undo the last change of findings", back),
      step("redo-finding", "\u21b7", redo, "Redo the change of findings", forth),
    ),
  ];
}

function barSwitch() {
  const box = element("input", { type: "checkbox", id: "all-boxes", onchange: () => showBars(box.checked) });
  box.checked = bars.areAlways;
  return element("label", { class: "switch" }, box, " Bars in every box");
}

// The meaning of the bars in the boxes.
const barKey = () =>
  element(
    "span",
    { class: "key" },
    element("span", { class: "now" }),
    "now",
    element("span", { class: "before" }),
    "without findings",
  );

// The text for a screen reader: the findings, and the chosen variable's answer.
function said() {
  if (!findings.size) return "No findings.";
  const probable = canAnswer ? howProbable() : "see the command";
  const given = `Given ${listed(findingTexts())}${probable && `: ${probable}`}.`;
  const variable = chosenVariable();
  if (variable === null || isKnown(variable) || !isAsked()) return given;
  const texts = statesOf(variable).slice(0, 6).map((_, state) => stateText(variable, state));
  return `${given} ${variables[variable]}: ${texts.join("; ")}.`;
}

const isKnown = (variable) => findings.has(variable) && !Array.isArray(findings.get(variable));

export function startEvidence() {
  strip.hidden = !tables;
  if (!tables) return;
  startLikeliest(strip);
  draw();
  listenToKeys();
  onEvidence(() => {
    draw();
    fill($("evidence-said"), said());
  });
}

// In a workspace, these keys undo changes of its question.
function listenToKeys() {
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.localName === "input" || $("work")) return;
    const key = event.key.toLowerCase();
    const step = key === "y" || (key === "z" && event.shiftKey) ? redo : key === "z" ? undo : null;
    if (!step) return;
    event.preventDefault();
    step();
  }, { signal });
}
