// The selected item: the facts about an arc, or about a variable.
import { changeOf } from "./changed-command.js";
import { countedArcs, countedStatus, countedText } from "./counted-arcs.js";
import { $, element, note } from "./elements.js";
import { family } from "./families.js";
import { sentence } from "./first-screen.js";
import {
  blindTo,
  consensus,
  hasInputs,
  having,
  inputs,
  isCounted,
  isFreeIn,
  isSeenByAll,
  KIND,
  measure,
  named,
  ofInputs,
  ofMeasure,
  ownersOf,
  reversible,
  STATUS,
  statusOf,
  support,
  turned,
  unjudgedWith,
  votersOf,
  weightsOf,
} from "./networks.js";
import { numberAnswers } from "./number-answers.js";
import { count, finePercent, percent, whole } from "./number-texts.js";
import { data, INPUT, isOfResamples, variables } from "./page-data.js";
import { parentsOf, statesOf, tableOf, tables } from "./page-tables.js";
import { posteriorBars } from "./posterior-bars.js";
import { why } from "./reasons.js";
import { inWords, isStrong, threshold } from "./stability.js";
import { choose, onChoice, onView, stage } from "./stage.js";
import { goTo } from "./viewport.js";
import { mainName } from "./views.js";

const MOST_LISTED = 60;
const joined = weightsOf(data.joined);
let ending = (code) => changeOf(code, consensus.has(code));

// If arcs can be decided on, the buttons are at the end of their facts.
export const endArcsWith = (make) => (ending = make);

export function tell(what) {
  const facts = !what ? hint() : "told" in what ? countedFacts(what.told) : "arc" in what ? arcFacts(what.arc) : variableFacts(what.variable);
  $("details").replaceChildren(...facts.filter(Boolean));
}

export function tellNotFound(text) {
  $("details").replaceChildren(
    element("h3", {}, "Not found"),
    element("p", {}, `There is no variable \u201c${text}\u201d.`),
  );
}

export function startDetails() {
  onView(() => tell(stage.chosen));
  onChoice(tell);
}

const hint = () => [
  element("h2", {}, "Details"),
  note(
    `Point at an arc, or reach it with the Tab and arrow keys, to see ${
      isOfResamples ? "how stable it is" : "who has it"
    } and why it is in or out. Click a variable to see its family, its Markov blanket and its parameters.`,
  ),
];

// The arcs that a sentence under the headline counts.
function countedFacts(key) {
  const arcs = countedArcs(key);
  const left = arcs.length - MOST_LISTED;
  return [
    element("h3", {}, `${countedText(key)}.`),
    element(
      "ul",
      { class: "arc-list" },
      ...arcs.slice(0, MOST_LISTED).map((code) =>
        element("li", {}, element("button", { type: "button", onclick: () => choose({ arc: code }) }, named(code)), `: ${countedStatus(key, code)}`)
      ),
      left > 0 ? element("li", {}, `and ${whole(left)} more, in the table of arcs below`) : null,
    ),
  ];
}

function nameList(who, label = (input) => input.name) {
  return element(
    "div",
    { class: "chips" },
    ...who.slice(0, 60).map((i) => element("span", {}, label(inputs[i]))),
    who.length > 60 ? element("span", {}, `and ${who.length - 60} more`) : null,
  );
}

function arcFacts(code) {
  const status = statusOf(code);
  return [
    element("h3", {}, named(code)),
    element("span", { class: `kind ${KIND[status]}` }, STATUS[status]),
    reversible.has(code) ? element("span", { class: "kind free" }, "direction free") : null,
    ...(isOfResamples ? stability(code) : [...whoHas(code), ...whoLacks(code)]),
    ...[...sharedChild(code), ...why(code)].map((text) => element("p", {}, text)),
    status === "added" ? element("p", {}, "Fusing the inputs under one order of the variables needs it.") : null,
    ending(code),
  ];
}

function stability(code) {
  if (!votersOf(code)) return [element("p", {}, "No data have both variables, so nothing is known about the pair.")];
  const beside = `the estimated threshold is ${finePercent(threshold)}`;
  return [
    element("p", {}, sentence(inWords(code))),
    element("p", {}, isStrong(code) ? `Strong: ${beside}.` : `Not strong: ${beside}.`),
  ];
}

function whoHas(code) {
  if (!votersOf(code)) return [element("p", {}, "No input has both variables, so none votes on it.")];
  const back = turned(code);
  const label = (input) => (isFreeIn(input, code) ? `${input.name} (no direction)` : input.name);
  const [own, others] = [ownersOf(code), ownersOf(back)];
  const isHalf = own.some((i) => isFreeIn(inputs[i], code));
  const ways = (how, way) => sentence(`${having(way).join(" ")} it ${how}`);
  return [
    element("p", {}, support(code) ? ways("in this direction", code) : "No input has it in this direction."),
    own.length && (own.length < inputs.length || isHalf) ? nameList(own, label) : null,
    support(back) ? element("p", {}, ways("in the other direction", back)) : null,
    others.length ? nameList(others, label) : null,
    isHalf ? element("p", {}, "Without a direction, an input gives half a vote to each.") : null,
  ];
}

function whoLacks(code) {
  if (!votersOf(code) || isSeenByAll(code)) return [];
  const blind = blindTo(code);
  const verb = blind.length === 1 ? "lacks" : "lack";
  const who = hasInputs
    ? `${count(blind.length, "input")} ${verb} one of the two variables or both:`
    : `${percent(1 - votersOf(code) / data.weight)} of the ${measure} is of inputs that lack one of the two variables.`;
  return [element("p", {}, who), hasInputs ? nameList(blind) : null];
}

// For an arc of the consensus that no input has: whether the two have a child together.
function sharedChild(code) {
  if (!joined.has(code) || !votersOf(code)) return [];
  const weight = joined.get(code);
  const who = isOfResamples
    ? `${finePercent(weight / votersOf(code))} of the resamples`
    : isCounted
    ? ofInputs(weight / inputs[0].weight, code)
    : `inputs of ${ofMeasure(weight / votersOf(code), code)}`;
  return [weight ? `In ${who} the two have a child together.` : `In no ${INPUT} do the two have a child together.`];
}

function variableFacts(variable) {
  const { parents, children, neighbours, spouses } = family(variable);
  const links = (title, list) => [
    element("div", { class: "group" }, `${title} (${list.length})`),
    element(
      "div",
      { class: "chips" },
      ...list.slice(0, 80).map((v) => element("button", { type: "button", onclick: () => goTo(v) }, variables[v])),
      list.length > 80 ? element("span", {}, `and ${list.length - 80} more`) : null,
    ),
  ];
  const blanket = parents.length + children.length + neighbours.length + spouses.length;
  const lacking = inputs.map((_, i) => i).filter((i) => inputs[i].lacks.has(variable));
  const unjudged = unjudgedWith(variable);
  return [
    element("h3", {}, variables[variable]),
    ...posteriorBars(variable),
    ...numberAnswers(variable),
    note(`Markov blanket of ${count(blanket, "variable")} in ${mainName(stage.view)}`),
    ...links("Parents", parents),
    ...links("Children", children),
    ...(neighbours.length ? links("Joined without a direction", neighbours) : []),
    ...links("Other parents of its children", spouses),
    ...(lacking.length
      ? [element("div", { class: "group" }, `Inputs that lack it (${lacking.length} of ${inputs.length})`)]
      : []),
    lacking.length ? nameList(lacking) : null,
    ...(unjudged.length ? links("No input votes on its pairs with", unjudged) : []),
    ...parameterTable(variable),
  ];
}

function parameterTable(variable) {
  if (!tables) return [];
  const title = element("div", { class: "group" }, "Parameters in the consensus");
  const values = tableOf(variable);
  if (!values) {
    const size = whole(tables.sizes[variable]);
    return [title, element("p", {}, `${size} numbers: too many for this page. The network's file has them.`)];
  }
  const parents = parentsOf(variable);
  const states = statesOf(variable);
  const rows = values.length / states.length;
  const head = [
    ...parents.map((v) => element("th", { scope: "col" }, variables[v])),
    ...states.map((state) => element("th", { scope: "col", class: "number" }, state)),
  ];
  const body = [];
  for (let row = 0; row < Math.min(rows, 100); row++) {
    const chances = [...values.slice(row * states.length, (row + 1) * states.length)];
    body.push(element(
      "tr",
      {},
      ...parentStates(parents, row).map((state) => element("td", {}, state)),
      ...chances.map((chance) => element("td", { class: "number" }, chance.toFixed(3))),
    ));
  }
  const table = element(
    "table",
    { class: "chances" },
    element("thead", {}, element("tr", {}, ...head)),
    element("tbody", {}, ...body),
  );
  return [
    title,
    element("div", { class: "scroll" }, table),
    rows > 100 ? note(`the first 100 of ${whole(rows)} rows`) : null,
  ];
}

// The states of the parents in a row of a table: the last parent's vary fastest.
function parentStates(parents, row) {
  const labels = [];
  let rest = row;
  for (const parent of [...parents].reverse()) {
    const own = statesOf(parent);
    labels.unshift(own[rest % own.length]);
    rest = Math.floor(rest / own.length);
  }
  return labels;
}
