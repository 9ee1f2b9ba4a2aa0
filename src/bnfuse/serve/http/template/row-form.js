// A judgement of the probabilities of a variable's states in one row: numbers that sum to 1, and the number of cases
// that they count as.
import { bridge } from "./bridge.js";
import { element, fill, note } from "./elements.js";
import { chance, whole } from "./number-texts.js";

const USUAL_CASES = 20;
const LARGEST = 1e9;

export const rowKey = ({ variable, given }) => JSON.stringify([variable, Object.entries(given).sort()]);
export const givenWords = ({ given }) => Object.entries(given).map(([name, state]) => `${name} = ${state}`).join(", ");

const listOf = (row, said) => row.states.map((state) => said.probabilities[state] ?? 0);
const mine = (row) => row.judgements.find(({ by }) => by === bridge.rows.me);

// A draft of a judgement; kept until it is sent or cancelled.
function draftOf(row) {
  const { drafts } = bridge.rows;
  const own = mine(row);
  if (!drafts.has(rowKey(row))) {
    drafts.set(rowKey(row), {
      shares: own ? listOf(row, own) : [...row.consensus],
      cases: own ? own.cases : USUAL_CASES,
      reason: own ? own.reason : "",
      on: bridge.revision(),
    });
  }
  return drafts.get(rowKey(row));
}

export const isOpen = (row) => bridge.rows.drafts.has(rowKey(row));
export const open = (row) => void draftOf(row);

// One share changes, and the others keep their proportions, so that all sum to 1.
export function moved(shares, place, share) {
  const rest = shares.reduce((sum, own, i) => (i === place ? sum : sum + own), 0);
  return shares.map((own, i) => (i === place ? share : rest > 0 ? (own / rest) * (1 - share) : (1 - share) / (shares.length - 1)));
}

// The row as it would be: all contributions by their cases.
function pooled(row, draft) {
  const said = [
    ...row.inputs.map(({ probabilities, cases }) => [probabilities, cases]),
    ...row.judgements.filter(({ by }) => by !== bridge.rows.me).map((one) => [listOf(row, one), one.cases]),
    [draft.shares, draft.cases],
  ];
  const total = said.reduce((sum, [, cases]) => sum + cases, 0);
  return row.states.map((_, i) => (total ? said.reduce((sum, [shares, cases]) => sum + shares[i] * cases, 0) / total : row.consensus[i]));
}

const shownPercent = (share) => String(Number((100 * share).toFixed(3)));

export function rowForm(row, close) {
  const draft = draftOf(row);
  const key = rowKey(row);
  const outcome = element("p", { class: "row-outcome", role: "status" });
  const lines = row.states.map((state, i) => stateLine(state, i));
  const cases = element("input", { type: "number", min: 0, max: LARGEST, step: "any", "data-key": `cases ${key}`, "aria-label": "Number of cases" });
  cases.value = draft.cases;
  cases.addEventListener("input", () => {
    draft.cases = Math.min(LARGEST, Math.max(0, Number(cases.value) || 0));
    tell();
  });
  const reason = element("input", { type: "text", maxlength: 2000, placeholder: "Because\u2026", "data-key": `because ${key}`, "aria-label": "Reason" });
  reason.value = draft.reason;
  reason.addEventListener("input", () => (draft.reason = reason.value));
  const save = async () => {
    const probabilities = Object.fromEntries(row.states.map((state, i) => [state, draft.shares[i]]));
    const { variable, given } = row;
    const isKept = await bridge.change({ kind: "row", variable, given, probabilities, cases: draft.cases, reason: draft.reason.trim() }, form, draft.on);
    if (isKept) close();
  };
  const form = element(
    "form",
    {
      class: "row-form",
      "aria-label": `How likely: ${row.variable}${givenWords(row) ? ` given ${givenWords(row)}` : ""}`,
      onkeydown: ({ key: pressed }) => pressed === "Escape" && close(),
      onsubmit: (event) => {
        event.preventDefault();
        save();
      },
    },
    ...lines.map(({ line }) => line),
    element("label", { class: "row-cases" }, "This counts as ", cases, " cases"),
    note(`As if you had seen that many cases${givenWords(row) ? ` with ${givenWords(row)}` : ""}: 5 for a guess, 50 for long experience, more for a study. ${inputsWorth(row)}`),
    reason,
    outcome,
    element("div", { class: "row-buttons" },
      element("button", { type: "submit", "data-key": `save ${key}` }, mine(row) ? "Change my judgement" : "Say this"),
      element("button", { type: "button", "data-key": `give up ${key}`, onclick: close }, "Cancel")),
  );

  function stateLine(state, i) {
    const slider = element("input", { type: "range", min: 0, max: 100, step: 0.1, "data-key": `slide ${i} ${key}`, "aria-label": `${state}, in percent` });
    const number = element("input", { type: "number", min: 0, max: 100, step: "any", "data-key": `percent ${i} ${key}`, "aria-label": `${state}, in percent, as a number` });
    const set = (own) => {
      const share = Math.min(1, Math.max(0, Number(own.value) / 100 || 0));
      draft.shares = row.states.length > 1 ? moved(draft.shares, i, share) : [1];
      tell(own);
    };
    for (const own of [slider, number]) own.addEventListener("input", () => set(own));
    const line = element("label", { class: "row-state" }, element("span", {}, state), slider, number, element("span", {}, "%"));
    return { line, slider, number };
  }

  // Text that is being typed stays unchanged.
  function tell(typed) {
    lines.forEach(({ slider, number }, i) => {
      if (slider !== typed) slider.value = 100 * draft.shares[i];
      if (number !== typed) number.value = shownPercent(draft.shares[i]);
    });
    if (bridge.rows.found.is_from_data) return fill(outcome, "The tables come from data: your judgement is added to its rows.");
    const then = pooled(row, draft).map((share, i) => `${row.states[i]} ${chance(share)}`);
    fill(outcome, `The consensus is then: ${then.join(", ")}.`);
  }
  tell();
  return form;
}

function inputsWorth(row) {
  if (bridge.rows.found.is_from_data) return "";
  const worth = row.inputs.reduce((sum, { cases }) => sum + cases, 0);
  return `The inputs together count as ${worth < 10 ? Number(worth.toPrecision(2)) : whole(Math.round(worth))} here.`;
}
