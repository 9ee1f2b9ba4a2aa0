// The most probable states of all variables together, given the findings: the best few, next to each other.
import { element, fill, note } from "./elements.js";
import { canAnswer, explanations, findings, onEvidence } from "./evidence.js";
import { stateOf } from "./findings.js";
import { probability } from "./number-texts.js";
import { variables } from "./page-data.js";
import { statesOf } from "./page-tables.js";

const MOST = 3;
const EDGE = 8;

const card = element("div", { id: "likeliest", popover: "auto", role: "dialog", "aria-label": "Most probable states", tabindex: 0 });

export const likeliestButton = () => element("button", { type: "button", id: "likeliest-button", popovertarget: "likeliest" }, "Most probable");

export function startLikeliest(strip) {
  if (!canAnswer) return;
  strip.after(card);
  card.addEventListener("beforetoggle", ({ newState }) => newState === "open" && tell());
  card.addEventListener("toggle", () => place(strip));
  onEvidence(() => card.matches(":popover-open") && tell());
}

function place(strip) {
  const { left, bottom } = strip.getBoundingClientRect();
  card.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - card.offsetWidth - EDGE))}px`;
  card.style.top = `${Math.max(EDGE, Math.min(bottom + 4, innerHeight - card.offsetHeight - EDGE))}px`;
}

function tell() {
  const all = explanations(MOST);
  const open = [...variables.keys()].filter((variable) => stateOf(findings.get(variable)) < 0);
  const head = all.map(({ log }) => element("th", { scope: "col" }, probability(log)));
  const row = (variable) => {
    const labels = all.map(({ states }) => statesOf(variable)[states[variable]]);
    const cells = labels.map((label, i) => element("td", { class: label === labels[0] ? "" : "other" }, label));
    return element("tr", {}, element("th", { scope: "row" }, variables[variable]), ...cells);
  };
  fill(
    card,
    element("h2", {}, "Most probable states together"),
    note(`The most probable combinations, and their probabilities${findings.size ? " given the findings" : ""}.`),
    element(
      "table",
      {},
      element("thead", {}, element("tr", {}, element("td"), ...head)),
      element("tbody", {}, ...open.map(row)),
    ),
  );
}
