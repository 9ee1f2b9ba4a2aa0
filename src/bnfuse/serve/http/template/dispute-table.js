// The arcs on which the inputs differ, those that matter most first: who says what, a rule, a note.
import { decisionButtons, noteField } from "./arc-decisions.js";
import { noteOn, saidOf } from "./arc-notes.js";
import { bridge } from "./bridge.js";
import { $, element, note } from "./elements.js";
import { codeOf, isKnown } from "./networks.js";
import { count, listed, number } from "./number-texts.js";
import { variables } from "./page-data.js";
import { showArc } from "./shown-arc.js";
import { makeTable } from "./sortable-table.js";

const FEW = 4; // names
const FEW_ROWS = 40; // each has buttons and a field
const CHOICES = [["require", "Require"], ["forbid", "Forbid"], ["free", "Free"]];
const WORDS = { require: "required", forbid: "forbidden", "forbid-direction": "forbidden this way", free: "" };
const place = element("div", { class: "card", id: "dispute-table" });
let parts = []; // brings up to date what rows show
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
  if (!rows) return place.replaceChildren(note("Looking for them\u2026"));
  for (const tell of parts) tell();
  if (drawn === rows) return;
  drawn = rows;
  parts = [];
  if (!rows.length) return place.replaceChildren(note("The inputs differ on no arc."));
  makeTable(place, "Those that matter most first", columns(), rows, {
    few: FEW_ROWS,
    note: "Matters: how much farther from the inputs the consensus would be if this were decided the other way. A rule or a note holds at once.",
  });
}

const named = ({ source, target }) => `${source} \u2192 ${target}`;

function arcCell(row) {
  const code = codeOf(variables.indexOf(row.source), variables.indexOf(row.target));
  return isKnown(code)
    ? element("button", { type: "button", "data-key": `show ${named(row)}`, onclick: () => showArc(code) }, named(row))
    : named(row);
}

// A few by their names; of more how many they are, as the details of the arc name them.
const whoCell = (names) => (names.length <= FEW ? listed(names) : element("span", { title: listed(names) }, count(names.length, "input")));

function kept(made, node) {
  parts.push(made.tell);
  return node;
}

const columns = () => [
  { name: "Arc", of: named, show: arcCell },
  { name: "Consensus", of: (row) => (row.in ? "in" : "out") },
  { name: "Matters", of: (row) => row.cost ?? 0, show: (row) => (row.cost === null ? "" : number(row.cost)), isNumber: true },
  ...[["For", "forward"], ["Turned round", "backward"], ["Against", "neither"]].map(([name, side]) => ({
    name,
    of: (row) => listed(row.who[side]),
    show: (row) => whoCell(row.who[side]),
  })),
  {
    name: "Rule",
    of: ({ source, target }) => WORDS[saidOf(source, target)],
    show: ({ source, target }) => {
      const made = decisionButtons(source, target, CHOICES);
      return kept(made, made.group);
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
