// How likely: the rows of tables on which inputs and people differ most, and the table of a variable, to which
// everybody can add judgements.
import { bridge } from "./bridge.js";
import { $, element, note } from "./elements.js";
import { keepPlace } from "./kept-place.js";
import { chance, count, whole } from "./number-texts.js";
import { signal } from "./restart.js";
import { givenWords, isOpen, open, rowForm, rowKey } from "./row-form.js";

const FEW = 10; // disputed rows at first
let drawn = null;
let isLong = false;
const place = element("div", { class: "card", id: "row-tables" });

export function startRows() {
  $("disputed").after(element("section", { id: "likely", "aria-labelledby": "likely-title" }, element("h2", { id: "likely-title" }, "How likely"), place));
  const observer = new IntersectionObserver((entries) => {
    bridge.rows.isSeen = entries.at(-1).isIntersecting;
    bridge.askRows();
  });
  observer.observe($("likely"));
  signal.addEventListener("abort", () => observer.disconnect());
  tellRows();
}

export function tellRows() {
  const { found, problem, mayChange, mayLead, me } = bridge.rows;
  const now = JSON.stringify([found?.key, found?.revision, found?.variable, problem, mayChange, mayLead, me]);
  if (now === drawn) return;
  drawn = now;
  draw();
}

function draw() {
  const { found, problem } = bridge.rows;
  const putBack = keepPlace();
  place.replaceChildren(...(problem ? [element("p", { class: "wrong", role: "alert" }, problem)] : []), ...(found ? parts(found) : [note("Comparing the tables\u2026")]));
  putBack();
}

function parts(found) {
  if (!found.variables.length) return [note("There are no tables: no input has any, or theirs cannot be pooled. Networks with tables, or data, give them."), ...unusedList(found)];
  return [
    element("h3", {}, "Rows on which inputs and people differ most"),
    ...disputedTable(found),
    element("h3", { id: "row-choice-title" }, "Say how likely"),
    chooser(found),
    ...(found.variable ? table(found) : []),
    ...unusedList(found),
  ];
}

// Where they differ

function disputedTable({ disputed }) {
  if (!disputed.length) return [note("Everybody agrees on every row.")];
  const shown = isLong ? disputed : disputed.slice(0, FEW);
  const head = ["Row", "Range", "Consensus", "Occurs in", "People"];
  const more = disputed.length > FEW && element("button", {
    type: "button",
    "data-key": "more rows",
    onclick: () => {
      isLong = !isLong;
      draw();
    },
  }, isLong ? "Show fewer" : `Show ${disputed.length - FEW} more`);
  return [
    note("Ranked by the difference between the distributions times the probability of the row. Choose a row to see all distributions, and to add your own."),
    scrolled("Rows on which inputs and people differ most", element(
      "table",
      { class: "row-disputes" },
      element("thead", {}, element("tr", {}, ...head.map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, ...shown.map(disputedRow)),
    )),
    ...(more ? [more] : []),
  ];
}

const scrolled = (name, ...children) => element("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": name }, ...children);

function disputedRow(row) {
  const { state, low, high } = row.widest;
  return element(
    "tr",
    {},
    element("td", {}, element("button", { type: "button", "data-key": `row ${rowKey(row)}`, onclick: () => choose(row.variable, row) }, rowName(row))),
    element("td", {}, `${state}: ${chance(low)} to ${chance(high)}`),
    element("td", {}, chance(row.consensus[row.states.indexOf(state)])),
    element("td", {}, chance(row.probability)),
    element("td", {}, row.judgements.map(({ by }) => by || "facilitator").join(", ")),
  );
}

const rowName = (row) => (givenWords(row) ? `${row.variable} | ${givenWords(row)}` : row.variable);

// The table of a variable

let wanted = null; // the row to show when its table arrives

function choose(variable, row) {
  const { rows } = bridge;
  if (row && bridge.rows.mayChange) open(row);
  wanted = row ? rowKey(row) : null;
  if (rows.variable === variable && rows.found?.variable === variable) draw();
  else {
    rows.variable = variable;
    bridge.askRows();
  }
  showWanted();
}

function showWanted() {
  const found = wanted && [...place.querySelectorAll(".table-row")].find(({ dataset }) => dataset.row === wanted);
  if (!found) return;
  wanted = null;
  found.scrollIntoView({ block: "nearest" });
  found.querySelector("input, button")?.focus({ preventScroll: true });
}

function chooser({ variables, input_cases: cases, is_from_data: isFromData }) {
  const select = element("select", { "data-key": "row variable", "aria-label": "Variable" }, element("option", { value: "" }, "choose a variable"), ...variables.map((name) => element("option", { value: name }, name)));
  select.value = bridge.rows.variable;
  select.addEventListener("change", () => choose(select.value, null));
  const worth = element("input", { type: "number", min: 0, max: 1000000, step: "any", "data-key": "input cases", "aria-label": "Number of cases that an input of weight 1 counts as" });
  worth.value = cases;
  worth.disabled = !bridge.rows.mayChange;
  worth.addEventListener("change", () => bridge.change({ kind: "set", field: "input_cases", value: Number(worth.value) }, box));
  const box = element("div", { class: "row-tools" }, element("label", {}, "Table of ", select), isFromData ? null : element("label", {}, "An input of weight 1 counts as ", worth, " cases"));
  return element("div", {}, box, isFromData ? note("The tables come from data, and people's judgements are added to it.") : note("The cases of an input are spread over the rows of a table in proportion to their probability in it. People's judgements are added to them."));
}

function table(found) {
  const rows = found.rows.map(rowCard);
  if (found.total > rows.length) rows.push(note(`The table has ${whole(found.total)} rows; these ${whole(rows.length)} differ most.`));
  queueMicrotask(showWanted);
  return rows;
}

const cell = (share) => element("td", { class: "number" }, chance(share));
const shownCases = (cases) => (cases === 0 || cases >= 10 ? whole(Math.round(cases)) : String(Number(cases.toPrecision(2))));

function rowCard(row) {
  const { mayChange, me } = bridge.rows;
  const card = element("div", { class: "table-row", "data-row": rowKey(row) });
  const said = row.judgements.map((one) => [one.by || "facilitator", row.states.map((state) => one.probabilities[state]), one.cases, one]);
  const inputs = row.inputs.map(({ name, probabilities, cases }) => [name, probabilities, cases, null]);
  const lines = [["Consensus", row.consensus, null, null], ...said, ...inputs];
  const own = row.judgements.some(({ by }) => by === me);
  card.append(
    element("h4", {}, givenWords(row) || "No parents", element("span", { class: "note" }, ` occurs in ${chance(row.probability)} of cases`)),
    scrolled(`Distributions: ${rowName(row)}`, element(
      "table",
      {},
      element("thead", {}, element("tr", {}, ...["Who", ...row.states, "Cases", ""].map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, ...lines.map(([name, shares, cases, one], i) =>
        element("tr", { class: i ? (one ? "said" : "") : "whole" }, element("th", { scope: "row", title: one?.time ?? null }, name, ...(one?.reason ? [note(one.reason)] : [])), ...shares.map(cell), element("td", { class: "number" }, cases === null ? "" : shownCases(cases)), element("td", {}, one ? withdraw(row, one, card) : ""))
      )),
    )),
    ...(!mayChange ? [] : isOpen(row) ? [rowForm(row, () => close(row))] : [
      element("button", { type: "button", "data-key": `say ${rowKey(row)}`, onclick: () => begin(row) }, own ? "Change my judgement" : "Say how likely"),
    ]),
  );
  return card;
}

function begin(row) {
  open(row);
  wanted = rowKey(row);
  draw();
  [...place.querySelectorAll(".table-row")].find(({ dataset }) => dataset.row === rowKey(row))?.querySelector("input")?.focus();
}

function close(row) {
  bridge.rows.drafts.delete(rowKey(row));
  draw();
}

// One's own or, for the facilitator, anybody's.
function withdraw(row, { variable, given, by }, near) {
  if (!bridge.rows.mayChange || (by !== bridge.rows.me && !bridge.rows.mayLead)) return "";
  return element("button", {
    type: "button",
    "data-key": `withdraw ${by} ${rowKey({ variable, given })}`,
    "aria-label": `Delete the judgement of ${by || "the facilitator"}`,
    onclick: () => {
      bridge.rows.drafts.delete(rowKey({ variable, given }));
      bridge.change({ kind: "row", variable, given, probabilities: null, by }, near);
    },
  }, "Delete");
}

// Judgements of rows that the consensus does not have now.
function unusedList({ unused }) {
  if (!unused.length) return [];
  const lines = unused.map((one) => {
    const line = element("li", {});
    const states = Object.entries(one.probabilities).map(([state, share]) => `${state} ${chance(share)}`).join(", ");
    line.append(
      element("span", {}, element("strong", {}, one.by || "facilitator"), `: ${rowName(one)}: ${states}, worth ${whole(one.cases)} cases. `, element("span", { class: "note" }, `Not used: ${one.why}.`)),
      withdraw(one, one, line) || "",
    );
    return line;
  });
  return [
    element("h3", {}, `${count(unused.length, "judgement")} not used now`),
    note("They are kept, and count again when the consensus has their rows."),
    element("ul", { class: "rows-unused" }, ...lines),
  ];
}
