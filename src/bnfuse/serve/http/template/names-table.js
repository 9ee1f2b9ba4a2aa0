// Names that differ: names that may mean the same are proposed, and somebody accepts, changes or refuses them; names
// that stay different are listed.
import { $, element, fill, note } from "./elements.js";
import { count } from "./number-texts.js";
import { renew } from "./renewed.js";
import { get } from "./server.js";
import { when } from "./times.js";
import { change, onWork, work } from "./work.js";
import { tellWrong } from "./wrong.js";

const MOST_SHOWN = 100; // rows
const VARIABLES = [
  ["same", "Same in all inputs", "an input without one of them is refused"],
  ["union", "All of any input", "an input votes on the pairs of its own variables"],
  ["shared", "Those shared by all", "the others are left out"],
];
const table = { found: null, key: "", alike: new Set(), isOpen: false, closedOn: "", drafts: new Map() };
let isExpected = false; // somebody has dropped a file on this page

export const expectNames = () => (isExpected = true);

export function startNames() {
  $("naming-close").addEventListener("click", () => {
    table.closedOn = table.found?.sentence ?? "";
    leave();
  });
  $("naming-button").addEventListener("click", () => {
    table.isOpen = true;
    draw();
    $("naming").scrollIntoView({ block: "nearest" });
    $("naming-title").focus({ preventScroll: true });
  });
  onWork((now) => {
    const key = keyOf(now.question);
    if (key !== table.key) ask(key);
    else draw();
  });
}

// An edit of a drawing makes another file of it.
const counted = ({ inputs }) => inputs.filter((one) => one.on && Number(one.weight)).map(({ id, name, file }) => JSON.stringify([id, name, file]));
const keyOf = (question) => JSON.stringify([counted(question), question.names, question.labels]);

// Requested only if the inputs or the decisions on their names have changed; and not for some of the inputs among
// which nothing differed, so that switching one off and on asks nothing.
async function ask(key) {
  table.key = key;
  const { inputs, names, labels } = work.question;
  const own = counted(work.question);
  if (!names.length && !labels.length && (inputs.length < 2 || own.every((one) => table.alike.has(one)))) {
    table.found = null;
    return draw();
  }
  try {
    const found = await get("/alignment");
    if (table.key !== key) return; // another question was asked in the meantime
    table.found = found;
    const isNew = found.rows.length > 0 && found.sentence !== table.closedOn;
    if (isNew && (isExpected || !work.answer)) table.isOpen = true;
    if (found.rows.length) isExpected = false;
    if (!found.rows.length && !found.alone.length) {
      table.alike = new Set(found.decided.length ? [] : own);
      leave();
    }
    draw();
  } catch (error) {
    tellWrong($("naming-line"), error.message);
  }
}

// All is decided: the table makes room for the picture.
function leave() {
  const hadFocus = $("naming").contains(document.activeElement);
  table.isOpen = false;
  draw();
  if (hadFocus) $("naming-button").focus({ preventScroll: true });
}

function draw() {
  const { found } = table;
  const mayChange = work.role !== "read-only";
  const isAnything = Boolean(found && (found.rows.length || found.alone.length || found.decided.length)) && mayChange;
  $("naming-line").hidden = !isAnything;
  $("naming").hidden = !isAnything || !table.isOpen;
  $("naming-button").setAttribute("aria-expanded", !$("naming").hidden);
  if (!isAnything) return;
  const { rows, alone, decided, sentence } = found;
  const words = rows.length
    ? `${count(rows.length, "name")} to check.`
    : alone.length
    ? `${count(alone.length, "variable")} not in every input.`
    : `${count(decided.length, "name")} decided.`;
  fill($("naming-line").firstElementChild, words);
  if ($("naming").hidden) return;
  const said = sentence || "Nothing differs any more.";
  if ($("naming-sentence").textContent !== said) fill($("naming-sentence"), said);
  renew($("naming-rows"), ...(rows.length ? proposals(rows) : []));
  renew($("naming-alone"), ...(alone.length || work.question.variables !== "same" ? different(alone) : []));
  renew($("naming-decided"), ...(decided.length ? [decisions(decided)] : []));
}

// A change refers to what the table shows.
const decide = (changes, near) => change(changes, near, table.found.revision);
const keyOfRow = ({ id, variable, states }) => JSON.stringify([id, variable, states !== null]);

function acceptance(row) {
  const own = { id: row.id, variable: row.variable };
  const draft = (state, usual) => table.drafts.get(`${keyOfRow(row)} ${state}`) ?? usual;
  if (row.states === null) return { kind: "name", ...own, name: draft("", row.name) };
  return { kind: "states", ...own, states: Object.fromEntries(row.states.map(({ state, becomes }) => [state, draft(state, becomes)])) };
}

const refusal = ({ id, variable, states }) =>
  states === null ? { kind: "name", id, variable, name: variable } : { kind: "states", id, variable, states: {} };

function proposals(rows) {
  const sure = rows.filter((row) => !row.check);
  const tools = element("div", { class: "tools" });
  const button = (words, chosen) =>
    element("button", { type: "button", "data-key": words, onclick: () => decide(chosen.map(acceptance), tools) }, words);
  tools.append(
    ...(sure.length && sure.length < rows.length ? [button(`Accept the ${sure.length} that ${sure.length === 1 ? "is" : "are"} sure`, sure)] : []),
    ...(rows.length > 1 ? [button(`Accept all ${rows.length}`, rows)] : []),
  );
  const heads = ["Input", "Theirs", "Ours", "Confidence and reason", ""];
  const shown = rows.slice(0, MOST_SHOWN);
  return [
    tools,
    names(),
    element(
      "div",
      { class: "scroll", tabindex: 0, role: "group", "aria-label": "Proposals" },
      element(
        "table",
        {},
        element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)))),
        element("tbody", {}, ...shown.map((row, i) => rowOf(row, heads, `naming-labels-${i}`))),
      ),
    ),
    rows.length > shown.length ? note(`and ${rows.length - shown.length} more, once these are decided`) : null,
  ];
}

// The suggestions of the fields.
const names = () => element("datalist", { id: "naming-known" }, ...work.variables.map((value) => element("option", { value })));

function rowOf(row, heads, list) {
  const line = element("tr");
  const what = row.states === null ? row.variable : `the states of ${row.variable}`;
  const buttons = element(
    "div",
    { class: "decisions" },
    element("button", { type: "button", "data-key": `accept ${keyOfRow(row)}`, "aria-label": `Accept: ${what} in ${row.input}`, onclick: () => decide(acceptance(row), line) }, "Accept"),
    element("button", { type: "button", "data-key": `keep ${keyOfRow(row)}`, "aria-label": `Keep ${what} in ${row.input}`, onclick: () => decide(refusal(row), line) }, "Keep theirs"),
  );
  const cells = [
    row.input,
    row.states === null ? row.variable : `${row.variable}: ${row.states.map(({ state }) => state).join(", ")}`,
    row.states === null ? field(row, "", row.name, `Name of ${row.variable} in ${row.input}`) : stateFields(row, list),
    element("span", {}, sureness(row), element("span", { class: "why" }, row.why)),
    buttons,
  ];
  line.append(...cells.map((cell, i) => element("td", { "data-head": heads[i] }, cell)));
  return line;
}

const sureness = ({ check, confidence }) => (!check ? "sure" : confidence ? `check: ${Math.round(100 * confidence)} %` : "check: no match");

// Typed text stays, even if others decide on other rows in the meantime.
function field(row, state, usual, label, list = "naming-known") {
  const place = `${keyOfRow(row)} ${state}`;
  const input = element("input", { type: "text", maxlength: 200, spellcheck: "false", autocomplete: "off", list, "aria-label": label, "data-key": place });
  input.value = table.drafts.get(place) ?? usual;
  input.addEventListener("input", () => table.drafts.set(place, input.value));
  input.addEventListener("keydown", ({ key }) => key === "Enter" && input.closest("tr")?.querySelector("button").click());
  return input;
}

function stateFields(row, list) {
  return element(
    "div",
    { class: "states" },
    element("datalist", { id: list }, ...row.labels.map((value) => element("option", { value }))),
    ...row.states.flatMap(({ state, becomes }) => [
      element("span", {}, `${state} \u2192`),
      field(row, state, becomes, `Name of the state ${state} of ${row.variable} in ${row.input}`, list),
    ]),
  );
}

// Variables that not all inputs have; somebody may know that one of them is the same as another.
function different(alone) {
  const list = element("ul", {}, ...alone.slice(0, MOST_SHOWN).map(aloneRow));
  const chosen = element("fieldset", {}, element("legend", {}, "Variables of the consensus"));
  chosen.append(...VARIABLES.map(([value, words, why]) => {
    const radio = element("input", { type: "radio", name: "naming-variables", value, "data-key": `variables ${value}` });
    radio.checked = work.question.variables === value;
    radio.addEventListener("change", () => change({ kind: "set", field: "variables", value }, chosen));
    return element("label", {}, radio, ` ${words}: `, element("span", { class: "note" }, why));
  }));
  return [
    element("h3", {}, alone.length ? "Names that stay different" : "Variables"),
    alone.length ? list : null,
    alone.length > MOST_SHOWN ? note(`and ${alone.length - MOST_SHOWN} more`) : null,
    chosen,
  ];
}

function aloneRow({ variable, why, inputs }) {
  const row = { id: "", variable, states: null };
  const own = field(row, "alone", "", `Another name for ${variable}`);
  own.setAttribute("placeholder", "is the same as \u2026");
  const line = element("li", {}, element("span", { class: "who" }, element("strong", {}, variable), ` ${why}`), own);
  const rename = () => {
    const name = own.value.trim();
    if (name) decide(inputs.map((one) => ({ kind: "name", ...one, name })), line);
  };
  own.addEventListener("keydown", ({ key }) => key === "Enter" && rename());
  line.append(element("button", { type: "button", "data-key": `rename ${variable}`, "aria-label": `Rename ${variable}`, onclick: rename }, "Rename"));
  return line;
}

function decisions(decided) {
  const was = $("naming-decided").querySelector("details")?.open ?? false;
  const details = element("details", {}, element("summary", {}, `Decided: ${decided.length}`), element("ul", {}, ...decided.map(decidedRow)));
  details.open = was;
  return details;
}

function decidedRow(one) {
  const { id, input, variable, name, states, who, time } = one;
  const isKept = states === null ? name === variable : states.every(({ state, becomes }) => state === becomes);
  const becomes = states === null ? name : states.map(({ state, becomes: label }) => `${state} \u2192 ${label}`).join(", ");
  const what = states === null ? variable : `the states of ${variable}`;
  const words = isKept ? `keeps ${what}` : states === null ? `${variable} \u2192 ${becomes}` : `${variable}: ${becomes}`;
  const line = element("li", {}, element("span", { class: "who" }, element("strong", {}, input), ` ${words}`), element("span", { class: "note" }, [who, time && when(time)].filter(Boolean).join(", ")));
  const back = states === null ? { kind: "name", id, variable, name: null } : { kind: "states", id, variable, states: null };
  line.append(element("button", { type: "button", "data-key": `back ${keyOfRow({ id, variable, states })}`, "aria-label": `Decide again on ${what} in ${input}`, onclick: () => decide(back, line) }, "Decide again"));
  return line;
}
