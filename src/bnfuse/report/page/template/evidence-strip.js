// The line over the picture: what is known, how probable that is, and what it changes; the same for screen readers.
import { $, element, fill } from "./elements.js";
import {
  canAnswer,
  clearFindings,
  find,
  findings,
  findingText,
  findingTexts,
  impossiblePlace,
  isImpossible,
  logOfFindings,
  onEvidence,
} from "./evidence.js";
import { listed, probability } from "./number-texts.js";
import { variables } from "./page-data.js";
import { statesOf, tables } from "./page-tables.js";
import { stateText } from "./posterior-bars.js";
import { chosenVariable } from "./stage.js";

const strip = $("evidence");

function chip(variable, state) {
  const takeBack = () => {
    const at = [...findings.keys()].indexOf(variable);
    find(variable, state);
    const left = strip.querySelectorAll(".finding");
    (left[Math.min(at, left.length - 1)] || strip).focus();
  };
  const text = findingText(variable, state);
  return element(
    "button",
    { type: "button", class: "finding", "aria-label": `Take back ${text}`, onclick: takeBack },
    element("span", {}, text),
    " \u00d7",
  );
}

function howProbable() {
  if (!canAnswer) return "";
  if (!isImpossible()) return `probability ${probability(logOfFindings())}`;
  if (findings.size === 1) return "impossible: its probability is 0";
  const place = impossiblePlace();
  const first = findingTexts()[place];
  if (place === 0) return `impossible: ${first} has probability 0`;
  const known = place === findings.size - 1 ? "the others" : "those before it";
  return `impossible together: given ${known}, ${first} has probability 0`;
}

function draw() {
  strip.classList.toggle("empty", !findings.size);
  strip.classList.toggle("impossible", canAnswer && isImpossible());
  if (!findings.size) {
    strip.replaceChildren("What if? Choose a variable, then one of its states.");
    return;
  }
  const clear = () => {
    clearFindings();
    strip.focus();
  };
  const parts = [
    element("span", {}, "given"),
    ...[...findings].map(([variable, state]) => chip(variable, state)),
    element("span", { class: "probable" }, howProbable()),
    element("button", { type: "button", id: "clear", onclick: clear }, "Clear all"),
    canAnswer && !isImpossible() ? barKey() : null,
  ];
  fill(strip, ...parts.filter(Boolean));
  strip.scrollTop = strip.scrollHeight; // of many lines, to the newest finding and what follows from it
}

// What the bars in the boxes mean.
const barKey = () =>
  element(
    "span",
    { class: "key" },
    element("span", { class: "now" }),
    "now",
    element("span", { class: "before" }),
    "without findings",
  );

// What a screen reader says: the findings, and the chosen variable's answer.
function said() {
  if (!findings.size) return "No findings.";
  const given = `Given ${listed(findingTexts())}: ${howProbable() || "see the command"}.`;
  const variable = chosenVariable();
  if (variable === null || findings.has(variable) || !canAnswer || isImpossible()) return given;
  const texts = statesOf(variable).slice(0, 6).map((_, state) => stateText(variable, state));
  return `${given} ${variables[variable]}: ${texts.join("; ")}.`;
}

export function startEvidence() {
  strip.hidden = !tables;
  if (!tables) return;
  draw();
  onEvidence(() => {
    draw();
    fill($("evidence-said"), said());
  });
}
