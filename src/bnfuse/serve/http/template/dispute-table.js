// The pairs on which the inputs differ, the most contested first: their supporters, the costs of other decisions, a
// rule, a note.
import { decisionButtons, noteField } from "./arc-decisions.js";
import { noteOn, saidOf } from "./arc-notes.js";
import { bridge } from "./bridge.js";
import { $, element, note } from "./elements.js";
import { keepPlace } from "./kept-place.js";
import { codeOf, isKnown } from "./networks.js";
import { amount, count, listed } from "./number-texts.js";
import { variables } from "./page-data.js";
import { remembered } from "./restart.js";
import { showArc } from "./shown-arc.js";
import { makeTable } from "./sortable-table.js";

const FEW = 4; // names
const FEW_ROWS = 40; // each has buttons and a field
const CHOICES = [["require", "Require"], ["forbid", "Forbid"], ["free", "Free"]];
const WORDS = { require: "required", forbid: "forbidden", "forbid-direction": "forbidden in this direction", free: "" };
const place = element("div", { class: "card", id: "dispute-table" });
let parts = []; // updates the content of rows
let drawn = null;

export function startDisputes() {
  $("first").after(element(
    "section",
    { id: "disputed", "aria-labelledby": "disputed-title" },
    element("h2", { id: "disputed-title" }, "Disputed arcs"),
    place,
  ));
  tellDisputes();
}

export function tellDisputes() {
  const rows = bridge.disputes;
  if (!rows) return place.replaceChildren(note("Computing disputes\u2026"));
  for (const tell of parts) tell();
  if (drawn === rows) return;
  drawn = rows;
  parts = [];
  bridge.tellWall?.();
  if (!rows.length) return place.replaceChildren(note("The inputs agree on every arc."));
  keepShownOrder();
  const listed = inPlace(rows);
  order.isMoved = listed.some((row, i) => row !== rows[i]);
  const putBack = keepPlace(); // somebody may be writing a note
  makeTable(place, TITLE, columns(), listed, {
    few: FEW_ROWS,
    note: `${costNote(rows)} Rules and notes take effect at once.`,
  });
  place.querySelector(".table-tools h3").after(sortAgain());
  putBack();
}

// Rows stay in place, even if an answer may find others more contested; a decided one stays too.
const TITLE = "Most contested first";
const order = remembered("order of disputes", { pairs: [], rows: new Map(), isMoved: false, effects: new Map() });
const pairOf = ({ source, target }) => JSON.stringify([source, target].sort());

function inPlace(rows) {
  const now = new Map(rows.map((row) => [pairOf(row), row]));
  const isKnownPair = (pair) => JSON.parse(pair).every((name) => variables.includes(name));
  const left = order.pairs.filter((pair) => now.has(pair) || (order.effects.has(pair) && isKnownPair(pair)));
  const listed = [...left.map((pair) => now.get(pair) ?? { ...order.rows.get(pair), isSettled: true }), ...rows.filter((row) => !left.includes(pairOf(row)))];
  order.pairs = listed.map(pairOf);
  order.rows = new Map(listed.map((row) => [pairOf(row), row]));
  return listed;
}

// If they are sorted by a column, they stay as they are now.
function keepShownOrder() {
  const sorting = remembered(`table ${TITLE}`, { by: -1, direction: 1, wanted: "", kind: "" });
  if (sorting.by < 0) return;
  const byName = new Map([...order.rows].map(([pair, row]) => [named(row), pair]));
  const seen = [...document.querySelectorAll("#dispute-table tbody tr:not(.gap) td:first-child")].map((cell) => byName.get(cell.textContent)).filter(Boolean);
  order.pairs = [...seen, ...order.pairs.filter((pair) => !seen.includes(pair))];
  sorting.by = -1;
}

function sortAgain() {
  return element("button", {
    type: "button",
    "data-key": "sort again",
    hidden: !order.isMoved,
    onclick: () => {
      order.pairs = [];
      order.effects.clear();
      remembered(`table ${TITLE}`, {}).by = -1;
      drawn = null;
      tellDisputes();
    },
  }, "Sort again");
}

// The effect of a decision: whether the arc is in, and how far the consensus is from the inputs.
bridge.decided = (source, target) => {
  const pair = pairOf({ source, target });
  order.effects.set(pair, { wasIn: order.rows.get(pair)?.in, distance: bridge.distance });
};

function effectOf(row) {
  const before = order.effects.get(pairOf(row));
  if (!before || bridge.distance === undefined) return "";
  const change = bridge.distance - before.distance;
  const size = Math.abs(change) < 1e-8 ? "same distance" : `distance ${change > 0 ? "+" : "\u2212"}${amount(Math.abs(change))}`;
  const is = row.isSettled ? "no longer disputed" : row.in === before.wasIn ? (row.in ? "still in" : "still out") : row.in ? "now in" : "now out";
  return `${is}, ${size}`;
}

function costNote(rows) {
  if (!bridge.isSolved) return "The costs of other decisions are being computed, which takes some seconds.";
  const solved = rows.filter((row) => row.alternatives.some(({ cost }) => cost !== null)).length;
  const which = solved < rows.length ? `, for the ${count(solved, "most contested pair")}` : "";
  return `Costs: how much farther from the inputs the consensus is with the opposite decision, with everything else solved again${which}; \u2264 if that is not proven.`;
}

const named = ({ source, target }) => `${source} \u2192 ${target}`;

function arcCell(row) {
  const code = codeOf(variables.indexOf(row.source), variables.indexOf(row.target));
  return isKnown(code)
    ? element("button", { type: "button", "data-key": `show ${named(row)}`, onclick: () => showArc(code) }, named(row))
    : named(row);
}

function costOf({ cost, cost_at_least: atLeast }) {
  if (cost === null) return "";
  const size = `${cost < -1e-8 ? "\u2212" : ""}${Math.abs(cost) < 1e-8 ? "0.00" : amount(Math.abs(cost))}`;
  return atLeast === cost ? size : `\u2264\u00a0${size}`;
}

// Each other decision; its cost, with a separate column for the first; and how many other arcs change with it.
const insteadOf = ({ source, alternatives }) =>
  alternatives.map((other, i) => {
    const { decision, arc, cost, added, dropped, reversed, barrier } = other;
    const what = decision === "in" && arc[0] !== source ? "in, reversed" : decision === "turned" ? "reversed" : decision;
    if (barrier !== null) return `${what}: not allowed`;
    const changed = added.length + dropped.length + reversed.length;
    return `${what}${i && cost !== null ? `: ${costOf(other)}` : ""}${changed ? `, with ${count(changed, "other arc")}` : ""}`;
  });

const changesOf = ({ added, dropped, reversed }) =>
  [["is added", added], ["is dropped", dropped], ["is reversed", reversed]].flatMap(([what, arcs]) => arcs.map((arc) => `${arc.join(" \u2192 ")} ${what}`));

const insteadCell = (row) =>
  element("span", { title: row.alternatives.flatMap(changesOf).join(", ") }, insteadOf(row).join("; "));

// A few by name; if there are more, their number, as the details of the arc name them.
const whoCell = (names) => (names.length <= FEW ? listed(names) : element("span", { title: listed(names) }, count(names.length, "input")));

function kept(made, node) {
  parts.push(made.tell);
  return node;
}

const columns = () => [
  { name: "Arc", of: named, show: arcCell },
  { name: "Consensus", of: (row) => (row.in ? "in" : "out") },
  { name: "Instead", of: (row) => insteadOf(row).join("; "), show: insteadCell },
  { name: "Costs", of: (row) => row.cost ?? "", show: (row) => costOf(row.alternatives[0]), isNumber: true },
  ...[["For", "forward"], ["Reversed", "backward"], ["Against", "neither"]].map(([name, side]) => ({
    name,
    of: (row) => listed(row.who[side]),
    show: (row) => whoCell(row.who[side]),
  })),
  {
    name: "Rule",
    of: ({ source, target }) => WORDS[saidOf(source, target)],
    show: ({ source, target }) => {
      const made = decisionButtons(source, target, CHOICES);
      const effect = effectOf({ ...order.rows.get(pairOf({ source, target })), source, target });
      return kept(made, effect ? element("div", {}, made.group, element("span", { class: "effect" }, effect)) : made.group);
    },
  },
  {
    name: "Note",
    of: ({ source, target }) => noteOn(source, target),
    show: ({ source, target }) => {
      const made = noteField(source, target, "input");
      return kept(made, made.field);
    },
  },
];
