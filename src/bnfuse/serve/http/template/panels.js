// Private rounds: everybody judges the disputed arcs alone; then all see the judgements, with their reasons.
import { bridge } from "./bridge.js";
import { $, element, note } from "./elements.js";
import { count } from "./number-texts.js";
import { renew } from "./renewed.js";
import { get, send } from "./server.js";
import { onWork, work } from "./work.js";
import { tellRight, tellWrong } from "./wrong.js";

const CHOICES = [["for", "For"], ["turned", "Reversed"], ["against", "Against"], ["unsure", "Unsure"]];
const WORDS = new Map(CHOICES.map(([judgement, text]) => [judgement, text.toLowerCase()]));
const SURE = [[55, "barely sure"], [70, "rather sure"], [85, "quite sure"], [95, "very sure"], [100, "certain"]];
let rounds = [];
let drawn = -1; // the revision of the list
const drafts = new Map(); // drafts of judgements, by round and arc

export function startPanels() {
  $("panels-part").addEventListener("toggle", () => $("panels-part").open && drawPanels());
  onWork(({ revision, lines }) => {
    if (revision === drawn) return;
    drawn = revision;
    if (lines.some(({ kind }) => kind === "panel" || kind === "count")) {
      $("panels-part").open = true;
      drawPanels();
    } else if ($("panels-part").open) draw();
  });
}

export async function drawPanels() {
  try {
    rounds = await get("/panels");
    $("panels-count").textContent = rounds.length || "";
    draw();
  } catch (error) {
    tellWrong($("panels"), error.message);
  }
}

async function ask(path, body, near) {
  try {
    await send("POST", `/panels${path}`, body);
    tellRight(near);
    await drawPanels();
    return true;
  } catch (error) {
    tellWrong(near, error.message);
    return false;
  }
}

const leads = () => work.role === "facilitator";

function draw() {
  const last = rounds.at(-1);
  const isOpen = last?.state === "open";
  renew(
    $("panels"),
    rounds.length ? null : note("Everybody judges the most disputed arcs alone, then all see the answers and the reasons."),
    leads() && !isOpen ? openForm() : null,
    ...rounds.toReversed().map((round, i) => (round.state === "open" ? judging(round) : revealed(round, rounds[rounds.length - 2 - i]))),
  );
}

function openForm() {
  const label = element("input", { type: "text", maxlength: 100, "aria-label": "Name of the private round", "data-key": "panel name", placeholder: `Private round ${rounds.length + 1}` });
  const hidden = element("input", { type: "checkbox", "data-key": "panel anonymous", checked: true });
  const form = element(
    "div",
    { class: "panel-open" },
    element("div", { class: "add" }, label, element("button", {
      type: "button",
      "data-key": "panel open",
      disabled: !work.answer,
      onclick: () => {
        const pairs = rounds.length ? { pairs: rounds.at(-1).pairs } : {}; // the same arcs, for revision
        ask("", { name: label.value.trim() || label.placeholder, anonymous: hidden.checked, ...pairs }, form);
      },
    }, rounds.length ? "Revise in another round" : "Open a private round")),
    element("label", {}, hidden, " without names"),
  );
  return form;
}

const keyOf = (round, [source, target]) => JSON.stringify([round.number, source, target]);

function judging(round) {
  const said = element("p", { class: "note", role: "status" }, `${round.judged} of ${Math.max(work.present.length, round.judged)} people here ${round.judged === 1 ? "has" : "have"} judged. Judgements of others stay hidden until the round is revealed.`);
  const box = element("div", { class: "panel" }, element("h3", {}, round.name), said);
  if (work.you) box.append(element("ol", { class: "judging" }, ...round.pairs.map((pair) => judgingRow(round, pair))));
  else if (work.role !== "read-only") box.append(note("Join with your name to judge."));
  if (leads()) box.append(element("button", { type: "button", "data-key": `reveal ${round.number}`, onclick: () => ask(`/${round.number}/reveal`, {}, said) }, "Reveal to everybody"));
  return box;
}

function judgingRow(round, pair) {
  const [source, target] = pair;
  const key = keyOf(round, pair);
  const kept = round.mine.find((one) => one.source === source && one.target === target);
  const now = drafts.get(key) ?? kept ?? { judgement: null, confidence: 85, reason: "" };
  const reason = element("input", { type: "text", maxlength: 2000, placeholder: "Because\u2026", "aria-label": `Reason on ${source} and ${target}`, "data-key": `reason ${key}` });
  reason.value = now.reason;
  const sure = element("select", { "aria-label": `How sure on ${source} and ${target}`, "data-key": `sure ${key}` }, ...SURE.map(([value, text]) => element("option", { value }, text)));
  sure.value = SURE.map(([value]) => value).find((value) => value >= now.confidence) ?? 100;
  const buttons = CHOICES.map(([judgement, text]) =>
    element("button", {
      type: "button",
      "data-key": `${judgement} ${key}`,
      "aria-pressed": String(now.judgement === judgement),
      onclick: () => say({ judgement }),
    }, text)
  );
  const row = element(
    "li",
    {},
    element("button", { type: "button", class: "plain", onclick: () => bridge.answer?.showArc(source, target) }, `${source} \u2192 ${target}`),
    element("div", { class: "decisions", role: "group", "aria-label": `Judge ${source} \u2192 ${target}` }, ...buttons),
    element("div", { class: "add" }, sure, reason),
  );
  async function say(more) {
    const next = { ...now, ...more, confidence: Number(sure.value), reason: reason.value };
    Object.assign(now, next);
    drafts.set(key, next);
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(CHOICES[i][0] === next.judgement)));
    if (!next.judgement) return;
    try {
      await send("POST", `/panels/${round.number}/judgements`, { source, target, judgement: next.judgement, confidence: next.confidence, reason: next.reason });
      tellRight(row);
      if (drafts.get(key) === next) drafts.delete(key); // nothing was written in the meantime
    } catch (error) {
      tellWrong(row, error.message);
    }
  }
  sure.addEventListener("change", () => say({}));
  // Text that is being written stays when the list is renewed because somebody else has judged; in that case, no field
  // sends a change.
  reason.addEventListener("input", () => drafts.set(key, { ...now, confidence: Number(sure.value), reason: reason.value }));
  reason.addEventListener("blur", () => drafts.has(key) && say({}));
  reason.addEventListener("keydown", (event) => event.key === "Enter" && drafts.has(key) && say({}));
  return row;
}

// The number of judgements of each kind, as a bar with its numbers; and those in the previous round.
function distribution({ counts }, before) {
  const bar = element("div", { class: "said-bar", role: "img", "aria-label": CHOICES.map(([kind, text]) => `${text}: ${counts[kind]}`).join(", ") });
  for (const [kind, text] of CHOICES) {
    if (!counts[kind]) continue;
    const part = element("span", { class: kind, title: text }, `${text} ${counts[kind]}`);
    part.style.setProperty("flex-grow", counts[kind]);
    bar.append(part);
  }
  const was = before && CHOICES.filter(([kind]) => before.counts[kind] !== counts[kind]).map(([kind, text]) => `${text} ${before.counts[kind]}`);
  return [bar, was?.length ? note(`before: ${was.join(", ")}`) : ""];
}

function revealed(round, before) {
  const judged = round.arcs.filter(({ said }) => said.length);
  const rows = judged.map((arc) => {
    const own = before?.arcs.find(({ source, target }) => source === arc.source && target === arc.target);
    const reasons = arc.said.filter(({ reason }) => reason);
    return element(
      "li",
      {},
      element("button", { type: "button", class: "plain", onclick: () => bridge.answer?.showArc(arc.source, arc.target) }, `${arc.source} \u2192 ${arc.target}`),
      ...distribution(arc, own),
      reasons.length ? element("ul", { class: "reasons" }, ...reasons.map(({ who, judgement, confidence, reason }) => element("li", {}, element("strong", {}, `${who}, ${WORDS.get(judgement)} (${confidence} %): `), reason))) : "",
    );
  });
  const box = element("div", { class: "panel" }, element("h3", {}, round.name), element("ol", { class: "judging" }, ...rows));
  const left = round.arcs.length - judged.length;
  if (left) box.append(note(`Nobody judged ${left === round.arcs.length ? "any arc" : `the other ${count(left, "arc")}`}.`));
  if (leads() && round === rounds.at(-1)) {
    box.append(element("button", { type: "button", "data-key": `count ${round.number}`, onclick: () => ask(`/${round.number}/count`, {}, box) }, round.state === "counted" ? "Count the judgements again" : "Count the judgements as votes"));
  }
  return box;
}
