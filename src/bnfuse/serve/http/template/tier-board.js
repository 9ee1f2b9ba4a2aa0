// Tiers: no arc runs from a later one to an earlier one. Variables are dragged to a tier, or selected and put there, or
// moved by arrow keys.
import { $, element, fill, note } from "./elements.js";
import { count } from "./number-texts.js";
import { renew } from "./renewed.js";
import { change, onWork } from "./work.js";

const MOST_SHOWN = 60; // variables of one tier that are shown
const OUT = -1; // no tier

const board = { tiers: [], ranks: [], variables: [], chosen: new Set(), wanted: "" };
const place = () => $("tiers");

export function startTiers() {
  const filter = element("input", { type: "search", placeholder: "Find a variable", "aria-label": "Find a variable for a tier", spellcheck: "false" });
  filter.addEventListener("input", () => {
    board.wanted = filter.value.trim().toLowerCase();
    draw();
  });
  const rows = element("div", { id: "tier-rows" });
  place().append(
    note("Earlier tiers are above later ones: no arc goes back up. Drag variables, or choose some and press \u201cPut here\u201d; arrow keys move one up or down."),
    filter,
    rows,
    element("p", { id: "tier-said", class: "unseen", role: "status" }),
  );
  onWork(({ question, variables }) => {
    board.tiers = question.tiers.map((tier) => [...tier]);
    board.ranks = question.tier_ranks;
    board.variables = variables;
    board.chosen = new Set([...board.chosen].filter((one) => variables.includes(one)));
    draw();
  });
}

const tierOf = (variable) => board.tiers.findIndex((tier) => tier.includes(variable));
const nameOf = (tier) => (tier === OUT ? "no tier" : `tier ${tier + 1}`);

function draw() {
  const filled = new Set(board.tiers.flat());
  const loose = board.variables.filter((one) => !filled.has(one));
  renew(
    $("tier-rows"),
    ...board.tiers.map((tier, i) => tierRow(tier, i)),
    board.tiers.length || board.variables.length ? tierRow([], board.tiers.length, true) : null,
    board.variables.length ? tierRow(loose, OUT) : null,
  );
}

function tierRow(variables, tier, isNew = false) {
  const title = isNew ? (tier ? "A new tier" : "The first tier") : tier === OUT ? "In no tier" : `Tier ${tier + 1}`;
  const matching = variables.filter((one) => one.toLowerCase().includes(board.wanted));
  const row = element(
    "div",
    { class: `tier${isNew ? " new" : ""}`, role: "group", "aria-label": title },
    element(
      "div",
      { class: "tier-head" },
      element("strong", {}, title),
      board.chosen.size
        ? element("button", { type: "button", "data-key": `put ${tier}`, onclick: () => put([...board.chosen], tier) }, `Put here (${board.chosen.size})`)
        : null,
    ),
    element("div", { class: "chips" }, ...matching.slice(0, MOST_SHOWN).map(chip)),
    matching.length > MOST_SHOWN ? note(`and ${count(matching.length - MOST_SHOWN, "other")}: find them by name`) : null,
  );
  row.addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes("text/x-variable")) return;
    event.preventDefault();
    row.classList.add("over");
  });
  row.addEventListener("dragleave", ({ relatedTarget }) => row.contains(relatedTarget) || row.classList.remove("over"));
  row.addEventListener("drop", (event) => {
    const variable = event.dataTransfer.getData("text/x-variable");
    if (!variable) return;
    event.preventDefault();
    put(board.chosen.has(variable) ? [...board.chosen] : [variable], tier);
  });
  return row;
}

function chip(variable) {
  return element("button", {
    type: "button",
    draggable: "true",
    "data-key": `variable ${variable}`,
    "aria-pressed": String(board.chosen.has(variable)),
    onclick: () => {
      if (!board.chosen.delete(variable)) board.chosen.add(variable);
      draw();
    },
    ondragstart: ({ dataTransfer }) => {
      dataTransfer.setData("text/x-variable", variable);
      dataTransfer.effectAllowed = "move";
    },
    onkeydown: (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      // In their order on the screen: the tiers, a new one, no tier.
      const at = tierOf(variable);
      const last = board.tiers.length;
      const now = at === OUT ? last + 1 : at;
      const isLastAlone = step > 0 && now === last - 1 && board.tiers[now].length === 1; // a new tier would be the same
      const next = now + (isLastAlone ? 2 : step);
      if (next < 0 || next > last + 1) return;
      put([variable], next === last + 1 ? OUT : next);
    },
  }, variable);
}

// Each variable is changed separately: others may move other variables at the same time.
async function put(variables, tier) {
  const rank = tier === OUT ? null : board.ranks[tier] ?? (board.ranks.at(-1) ?? 0) + 1;
  const moved = variables.filter((one) => tierOf(one) !== tier);
  board.chosen.clear();
  if (!moved.length) return draw();
  const changes = moved.map((variable) => ({ kind: "tier", variable, tier: rank }));
  const isDone = await change(changes, $("tier-rows"));
  const who = variables.length === 1 ? variables[0] : count(variables.length, "variable");
  fill($("tier-said"), isDone ? `${who}: ${nameOf(tierOf(variables[0]))} of ${board.tiers.length}` : "");
}
