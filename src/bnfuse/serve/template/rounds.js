// Rounds: what was agreed at a time, frozen, and what has changed from one to another.
import { bridge } from "./bridge.js";
import { $, element, note } from "./elements.js";
import { gapPercent, number } from "./number-texts.js";
import { get, send } from "./server.js";
import { onWork, ordered } from "./work.js";

const KINDS = [["came", "came"], ["went", "went"], ["turned", "turned round"]];

export function startRounds() {
  const label = element("input", { type: "text", id: "round-name", maxlength: 100, "aria-label": "Name of the round" });
  const freeze = element("button", { type: "button" }, "Freeze this round");
  const form = element("div", { class: "add" }, label, freeze);
  const [one, other] = ["from", "to"].map((text) => element("select", { "aria-label": `Compare ${text}` }));
  const choice = element("div", { class: "add", role: "group", "aria-label": "Compare two rounds" }, "from", one, "to", other);
  const found = element("div", { id: "compared-rounds", "aria-live": "polite" });
  $("rounds").append(form, choice, found);
  let known = "";

  const compare = async () => {
    try {
      tellComparison(found, await get(`/rounds/${encodeURIComponent(one.value)}..${encodeURIComponent(other.value)}`), one.value, other.value);
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

  onWork(({ rounds, answer }) => {
    const names = rounds.map((round) => round.name);
    freeze.disabled = !answer;
    $("rounds-count").textContent = names.length || "";
    label.placeholder = `Round ${names.length + 1}`;
    choice.hidden = found.hidden = names.length < 2;
    if (names.join("\n") === known) return;
    known = names.join("\n");
    for (const select of [one, other]) select.replaceChildren(...names.map((name) => element("option", {}, name)));
    if (names.length < 2) return;
    one.value = names.at(-2);
    other.value = names.at(-1);
    compare();
  });
}

const summed = ({ distance, gap }) =>
  `distance ${number(distance)}${gap === 0 ? ", proven best" : gap === null ? "" : `, at most ${gapPercent(gap)} from the best`}`;

function tellComparison(place, { rounds, came, went, turned, differences = [] }, one, other) {
  const arcs = { came, went, turned };
  const isSame = KINDS.every(([kind]) => !arcs[kind].length);
  place.replaceChildren(
    element("dl", {}, ...[one, other].flatMap((name, i) => [element("dt", {}, name), element("dd", {}, summed(rounds[i]))])),
    ...(isSame ? [note("The network is the same.")] : KINDS.filter(([kind]) => arcs[kind].length).map(([kind, words]) =>
      element("div", { class: "arcs-changed" }, element("span", { class: `mark ${kind}` }, words), ...arcs[kind].map(arcButton))
    )),
    ...(differences.length ? [element("ul", { class: "differences" }, ...differences.map((text) => element("li", {}, text)))] : []),
  );
}

export const arcButton = ([source, target]) =>
  element("button", {
    type: "button",
    class: "plain",
    onclick: () => bridge.answer?.showArc(source, target),
  }, `${source} \u2192 ${target}`);
