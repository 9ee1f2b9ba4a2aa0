// What was chosen or pointed at: the facts of an arc, or of a variable.
import { $, element, note } from "./elements.js";
import { family } from "./families.js";
import {
  consensus,
  hasInputs,
  having,
  inputs,
  isCounted,
  KIND,
  named,
  ownersOf,
  reversible,
  sourceOf,
  STATUS,
  statusOf,
  support,
  targetOf,
  turned,
} from "./networks.js";
import { count, percent, whole } from "./number-texts.js";
import { data, variables } from "./page-data.js";
import { why } from "./reasons.js";
import { onChoice, onView, stage } from "./stage.js";
import { goTo } from "./viewport.js";
import { mainName } from "./views.js";

const required = new Set(data.required);
const joined = new Map(data.joined);

export function tell(what) {
  const facts = !what ? hint() : "arc" in what ? arcFacts(what.arc) : variableFacts(what.variable);
  $("details").replaceChildren(...facts.filter(Boolean));
}

export function tellNotFound(text) {
  $("details").replaceChildren(
    element("h3", {}, "Not found"),
    element("p", {}, `No variable is called \u201c${text}\u201d.`),
  );
}

export function startDetails() {
  onView(() => tell(stage.chosen));
  onChoice(tell);
}

const hint = () => [
  element("h2", {}, "Details"),
  note(
    "Point at an arc, or reach it with the Tab and arrow keys, to see who has it and why it is in or out. Click a " +
      "variable to see its family, its Markov blanket and its parameters.",
  ),
];

function nameList(who) {
  return element(
    "div",
    { class: "chips" },
    ...who.slice(0, 60).map((i) => element("span", {}, inputs[i].name)),
    who.length > 60 ? element("span", {}, `and ${who.length - 60} more`) : null,
  );
}

function arcFacts(code) {
  const back = turned(code);
  const status = statusOf(code);
  const [who, verb] = having(code);
  const own = ownersOf(code);
  return [
    element("h3", {}, named(code)),
    element("span", { class: `kind ${KIND[status]}` }, STATUS[status]),
    element("p", {}, support(code) ? `${who} ${verb} it this way round.` : "No input has it this way round."),
    own.length && own.length < inputs.length ? nameList(own) : null,
    ...(support(back) ? [element("p", {}, `${having(back).join(" ")} it the other way round.`)] : []),
    support(back) && hasInputs ? nameList(ownersOf(back)) : null,
    ...[...whyIn(code), ...why(code)].map((text) => element("p", {}, text)),
    status === "added" ? element("p", {}, "Fusing the inputs under one order of the variables needs it.") : null,
  ];
}

// Of an arc in the consensus: what speaks for it beside the inputs that have it.
function whyIn(code) {
  if (!consensus.has(code)) return [];
  const said = required.has(code) ? ["The constraints require it."] : [];
  if (joined.has(code)) {
    const weight = joined.get(code);
    const who = isCounted
      ? `${whole(weight / inputs[0].weight)} of ${count(inputs.length, "input")}`
      : `inputs of ${percent(weight / data.weight)} of the weight`;
    said.push(weight ? `In ${who} the two have a child together.` : "In no input do the two have a child together.");
  }
  said.push(
    reversible.has(code)
      ? "Its direction is free: networks of the same Markov equivalence class, which imply the same independences, have " +
        "it either way round."
      : "Its direction is not free: turned round, the network would imply other independences.",
  );
  return said;
}

function variableFacts(variable) {
  const { parents, children, spouses } = family(variable);
  const links = (title, list) => [
    element("div", { class: "group" }, `${title} (${list.length})`),
    element(
      "div",
      { class: "chips" },
      ...list.slice(0, 80).map((v) => element("button", { type: "button", onclick: () => goTo(v) }, variables[v])),
      list.length > 80 ? element("span", {}, `and ${list.length - 80} more`) : null,
    ),
  ];
  const blanket = parents.length + children.length + spouses.length;
  return [
    element("h3", {}, variables[variable]),
    note(`Markov blanket of ${count(blanket, "variable")} in ${mainName(stage.view)}`),
    ...links("Parents", parents),
    ...links("Children", children),
    ...links("Other parents of its children", spouses),
    ...parameterTable(variable),
  ];
}

function parameterTable(variable) {
  const tables = data.tables;
  if (!tables) return [];
  const title = element("div", { class: "group" }, "Parameters in the consensus");
  const values = tables.values[variable];
  if (!values) {
    const size = whole(tables.sizes[variable]);
    return [title, element("p", {}, `${size} numbers: too many for this page. The network's own file has them.`)];
  }
  const parents = [...consensus].filter((code) => targetOf(code) === variable).map(sourceOf).sort((a, b) => a - b);
  const states = tables.states[variable];
  const rows = values.length / states.length;
  const head = [
    ...parents.map((v) => element("th", { scope: "col" }, variables[v])),
    ...states.map((state) => element("th", { scope: "col", class: "number" }, state)),
  ];
  const body = [];
  for (let row = 0; row < Math.min(rows, 100); row++) {
    const chances = values.slice(row * states.length, (row + 1) * states.length);
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
    const own = data.tables.states[parent];
    labels.unshift(own[rest % own.length]);
    rest = Math.floor(rest / own.length);
  }
  return labels;
}
