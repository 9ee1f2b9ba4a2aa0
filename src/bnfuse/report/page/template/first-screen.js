// The first screen above the picture: the headline, the sentences that count arcs, the facts.
import { countedText, farthest, sentences } from "./counted-arcs.js";
import { $, element } from "./elements.js";
import { consensus, countingInputs, hasInputs, isWeighted } from "./networks.js";
import { aboveBest, count, finePercent, gapText, large, number, whole } from "./number-texts.js";
import { data, facts, INPUT, isOfResamples, METRIC } from "./page-data.js";
import { isStrong, threshold } from "./stability.js";
import { choose, onChoice, show, stage } from "./stage.js";

export const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

// Who disagrees: inputs that may stand apart are highlighted. For resamples: how stable the arcs are.
export function whoDisagrees() {
  const first = facts.apart[0];
  return first === undefined
    ? [sentence(facts.who)]
    : [element("strong", {}, first), `${facts.who.slice(first.length)}.`];
}

export function tellFirst() {
  const who = hasInputs
    ? count(countingInputs, data.counts ? "input" : "network")
    : isOfResamples
    ? count(data.stability.resamples, "resample")
    : `Votes worth ${count(data.weight / data.parts, "network")}`;
  const proof = facts.gap === 0
    ? ", proven optimal"
    : facts.bound === null
    ? ""
    : `, ${aboveBest(facts.distance, facts.bound)}`;
  const early = facts.stopped_by === "finished" ? "" : `, stopped early (${facts.stopped_by})`;
  $("headline").textContent = `${who}${facts.without}, one consensus: ${count(facts.arcs, "arc")}${proof}${early}`;
  $("lead").replaceChildren(...sentences.map(countedSentence));
  $("lead").hidden = !sentences.length;
  onChoice(() => {
    for (const button of $("lead").querySelectorAll("button")) button.setAttribute("aria-pressed", isTold(button.dataset.told));
  });
  $("facts").replaceChildren(...tiles().map(([name, value, more], i) =>
    element(
      "div",
      { class: i > 3 ? "extra" : "" },
      element("dt", {}, name),
      element("dd", {}, value, element("small", {}, more)),
    )
  ));
}

const isTold = (key) => stage.chosen?.told === key;

function countedSentence({ key, parts: [before, counted, after] }) {
  const button = element("button", {
    type: "button",
    "data-told": key,
    "aria-pressed": String(isTold(key)),
    "aria-label": `${countedText(key)}: show them`,
    onclick: () => (isTold(key) ? choose(null) : showCounted(key)),
  }, counted);
  const name = key === "apart" ? facts.apart[0] : ""; // inputs that may stand apart are highlighted
  return element("span", {}, name && element("strong", {}, name), before.slice(name.length), button, `${after}. `);
}

// In the view that has these arcs.
function showCounted(key) {
  show({ around: null, ...(key === "apart" ? { key: "difference", one: "consensus", other: String(farthest) } : { key: "consensus" }) });
  choose({ told: key });
}

function tiles() {
  const to = facts.target === "fused" ? "the full fusion" : `the ${INPUT}s`;
  const weighted = isWeighted && facts.target === "inputs" ? ", by weight" : "";
  const all = isOfResamples ? [strongTile()] : [];
  all.push(["Mean distance", number(facts.distance), `${METRIC} to ${to}${weighted}`]);
  if (facts.bound !== null) {
    // Rounded down: rounded up, it would claim too much.
    const below = facts.gap === 0 ? facts.distance : Math.floor(facts.bound * 100 + 1e-6) / 100;
    const more = facts.gap === 0 ? "reached: nothing is closer" : `nothing is closer; gap ${gapText(facts.distance, facts.bound)}`;
    all.push(["Proven bound", number(below), more]);
  }
  const limit = facts.is_clique_limited ? `limit ${facts.limit}, ` : "";
  all.push(["Largest clique", String(facts.clique), `${limit}treewidth ${facts.clique - 1}`]);
  if (facts.max_table !== null) {
    all.push(["Largest clique table", large(facts.largest_table), `numbers; limit ${whole(facts.max_table)}`]);
  }
  if (facts.majority !== null) all.push(["Majority vote", number(facts.majority), "its mean distance"]);
  return all;
}

function strongTile() {
  const strong = [...consensus].filter(isStrong).length;
  const over = `${threshold < 1 ? "over " : ""}${finePercent(threshold)}`;
  return ["Strong arcs", `${whole(strong)} of ${whole(facts.arcs)}`, `${over}, the estimated threshold`];
}
