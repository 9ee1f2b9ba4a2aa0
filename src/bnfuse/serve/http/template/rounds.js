// Rounds: the frozen agreement at a time, and the changes from one to another.
import { bridge } from "./bridge.js";
import { $, element, note } from "./elements.js";
import { aboveBest, number } from "./number-texts.js";
import { get, send } from "./server.js";
import { onWork, ordered, work } from "./work.js";

const KINDS = [["came", "added"], ["went", "dropped"], ["turned", "reversed"]];
const SETTINGS = { max_clique: "largest clique", max_table: "largest clique table", metric: "distance", method: "search" };
const NOW = "now";

export function startRounds() {
  const label = element("input", { type: "text", id: "round-name", maxlength: 100, "aria-label": "Name of the round" });
  const freeze = element("button", { type: "button" }, "Freeze this round");
  const form = element("div", { class: "add" }, label, freeze);
  const [one, other] = ["from", "to"].map((text) => element("select", { "aria-label": `Compare ${text}` }));
  const choice = element("div", { class: "add", role: "group", "aria-label": "Compare two rounds" }, "from", one, "to", other);
  const found = element("div", { id: "compared-rounds", "aria-live": "polite" });
  $("rounds").append(form, choice, found);
  let known = null; // the rounds that can be chosen
  let shown = ""; // the comparison

  const compare = async () => {
    const [before, after] = [one.value, other.value];
    try {
      const comparison = await get(`/rounds/${before}..${after}`);
      const names = [one, other].map((select) => select.selectedOptions[0].textContent);
      found.replaceChildren(...comparisonOf(comparison, names));
    } catch (error) {
      found.replaceChildren(element("p", { class: "wrong", role: "alert" }, error.message));
    }
  };
  const freezeNow = async () => {
    const name = label.value.trim() || label.placeholder;
    if (await ordered(() => send("POST", "/rounds", { name }), form)) label.value = "";
  };
  freeze.addEventListener("click", freezeNow);
  label.addEventListener("keydown", ({ key }) => key === "Enter" && freezeNow());
  for (const select of [one, other]) select.addEventListener("change", compare);

  const tell = ({ rounds, answer, revision }) => {
    freeze.disabled = !answer;
    $("rounds-count").textContent = rounds.length || "";
    label.placeholder = `Round ${rounds.length + 1}`;
    choice.hidden = found.hidden = !rounds.length;
    if (!rounds.length) return;
    if (known !== rounds.length) {
      const isSecond = known !== null && rounds.length > 1; // frozen now: compared with the previous one
      known = rounds.length;
      for (const select of [one, other]) {
        select.replaceChildren(...rounds.map(({ number, name }) => element("option", { value: number }, name)));
        select.append(element("option", { value: NOW }, "now"));
      }
      one.value = rounds.at(isSecond ? -2 : -1).number;
      other.value = isSecond ? rounds.at(-1).number : NOW;
    }
    const wanted = [one.value, other.value, other.value === NOW || one.value === NOW ? `${revision} ${answer?.effort}` : ""].join(" ");
    if (wanted === shown || !answer || !$("rounds-part").open) return;
    shown = wanted;
    compare();
  };
  onWork(tell);
  $("rounds-part").addEventListener("toggle", () => work.question && tell(work));
}

const quality = ({ distance, bound, gap }) =>
  `distance ${number(distance)}${gap === 0 ? ", proven best" : bound === null ? "" : `, ${aboveBest(distance, bound)}`}`;

function comparisonOf({ before, after, arcs, ...rest }, names) {
  const kinds = KINDS.filter(([kind]) => arcs[kind].length);
  const others = differences(rest);
  return [
    element("dl", {}, ...[before, after].flatMap((one, i) => [element("dt", {}, names[i]), element("dd", {}, quality(one))])),
    ...kinds.map(([kind, words]) =>
      element("div", { class: "arcs-changed" }, element("span", { class: `mark ${kind}` }, words), ...arcs[kind].map(arcButton))
    ),
    kinds.length ? "" : note("The network is the same."),
    others.length ? element("ul", { class: "differences" }, ...others.map((text) => element("li", {}, text))) : "",
  ];
}

// The decisions between the two, in words.
function differences({ inputs, names, settings, rules, judgements }) {
  const shown = (value) => (value === null ? "as usual" : Array.isArray(value) ? value.map((tier) => tier.join(", ")).join(" < ") || "none" : value);
  const arcs = (list) => list.map(([source, target]) => `${source} \u2192 ${target}`).join(", ");
  return [
    ...[["added", "added"], ["removed", "removed"], ["switched_on", "switched on"], ["switched_off", "switched off"]]
      .filter(([kind]) => inputs[kind].length).map(([kind, words]) => `${inputs[kind].join(", ")} ${words}`),
    ...inputs.weights.map(([name, was, is]) => `weight of ${name}: ${was}, now ${is}`),
    ...names.map(([name, own, was, is]) => `${own} in ${name}: ${was}, now ${is}`),
    ...Object.entries(settings).map(([name, [was, is]]) => `${SETTINGS[name] ?? name}: ${shown(was)}, now ${shown(is)}`),
    ...Object.entries(rules).flatMap(([rule, { added, removed }]) => [
      added.length ? `${rule}: ${arcs(added)}` : "",
      removed.length ? `no longer ${rule}: ${arcs(removed)}` : "",
    ]).filter(Boolean),
    ...judgements.added.map((row) => `said about ${row}`),
    ...judgements.removed.map((row) => `no longer said about ${row}`),
  ];
}

export const arcButton = ([source, target]) =>
  element("button", {
    type: "button",
    class: "plain",
    onclick: () => bridge.answer?.showArc(source, target),
  }, `${source} \u2192 ${target}`);
