// The answer in one line: its distance to the inputs, a proven bound, and whether it is still improving.
import { bridge } from "./bridge.js";
import { $, element, fill } from "./elements.js";
import { liveCurve } from "./live-curve.js";
import { aboveBest, count, number } from "./number-texts.js";
import { arcButton } from "./rounds.js";
import { send } from "./server.js";
import { onWork, ordered, work } from "./work.js";

const MOST_NAMED = 4; // changed arcs of each kind that are named
const KINDS = [["came", "added"], ["went", "dropped"], ["turned", "reversed"]];
const HINT = "Click an arc to require or forbid it.";
const FURTHER = [["thorough", "thorough"], ["prove", "proof"]]; // buttons, and the efforts that they request
const curve = liveCurve();
let answers = 0; // shown so far
const now = { revision: -1, isAnswered: false, distance: null, bound: null, gap: null, isSolving: false, effort: "", failed: null, proof: null };

export function startStatus() {
  $("stop").addEventListener("click", () => ordered(() => send("DELETE", "/solve"), $("changes")));
  for (const [button, effort] of FURTHER) {
    $(button).addEventListener("click", () => ordered(() => send("POST", "/solve", { effort }), $("changes")));
  }
  onWork(({ revision, solving, answer, failed }) => {
    if (revision !== now.revision) begin(revision);
    now.isSolving = Boolean(solving) && !solving.done;
    if (answer) takeFigures(answer);
    if (now.isSolving) now.effort = solving.effort;
    tellTrouble(failed);
    draw();
  });
}

function begin(revision) {
  curve.clear();
  Object.assign(now, { revision, isAnswered: false, isSolving: false, effort: "", failed: null, proof: null });
  $("trouble").textContent = "";
}

function tellTrouble(failed) {
  if (failed === now.failed) return;
  now.failed = failed;
  fill($("trouble"), failed ?? "");
}

function takeFigures({ distance, bound, gap, effort }) {
  if (distance === undefined || distance === null) return;
  Object.assign(now, { isAnswered: true, distance, bound: bound ?? null, gap: gap ?? null, effort: effort ?? now.effort });
}

export function tellSolving(news) {
  if (news.revision < now.revision) return;
  if (news.revision > now.revision) begin(news.revision);
  now.isSolving = !news.done;
  now.effort = news.effort ?? now.effort;
  now.proof = now.isSolving && news.effort === "proof" && typeof news.distance === "number" ? news : null;
  if (typeof news.distance === "number") curve.add({ ...news, bound: news.bound ?? null });
  draw();
}

export function tellAnswer(news) {
  if (news.revision < now.revision) return;
  takeFigures(news);
  draw();
}

export function tellFailed({ revision, error, of: what }) {
  if (revision < now.revision || what) return; // clients that requested a frontier are told there; without disputes, the answer stays
  now.isSolving = false;
  tellTrouble(error);
  draw();
}

function draw() {
  const hasInputs = Boolean(work.question && work.question.inputs.some((one) => one.on));
  const isKnown = hasInputs && now.distance !== null && (now.failed === null || now.isAnswered);
  $("figures").replaceChildren(...(isKnown ? figures() : []), hasInputs && now.isSolving ? busy() : "");
  if (now.failed !== null && !now.isAnswered) {
    const isBefore = !document.querySelector("main").hidden;
    $("figures").append(element("span", { class: "note" }, isBefore ? "no consensus: the previous one is shown below" : "no consensus"));
    $("changes").replaceChildren();
  }
  document.body.classList.toggle("stale", now.failed !== null && !now.isAnswered);
  $("curve").replaceChildren(...[isKnown && curve.draw()].filter(Boolean));
  showButton("stop", hasInputs && now.isSolving);
  const isOpen = isKnown && !now.isSolving && now.gap !== 0 && work.question.method === "direct";
  for (const [button, effort] of FURTHER) {
    showButton(button, isOpen && now.effort !== effort && (effort !== "proof" || now.bound !== null));
  }
}

// If the pressed button disappears, the focus moves to the one that appears.
function showButton(id, isShown) {
  const button = $(id);
  const hadFocus = document.activeElement === button;
  button.hidden = !isShown;
  if (hadFocus && !isShown) (document.querySelector("#line button:not([hidden])") || $("work-button")).focus();
}

const DOING = { quick: "searching\u2026", proof: "proving\u2026" };
const busy = () =>
  element("span", { class: "busy" }, now.distance === null ? DOING.quick : DOING[now.effort] ?? "improving\u2026");

function figures() {
  const { distance, bound, gap } = latest();
  const parts = [element("span", {}, "distance ", element("strong", {}, number(distance)))];
  if (gap === 0) parts.push(element("span", { class: "proven" }, "proven best"));
  else if (bound !== null) {
    parts.push(element("span", {}, `bound ${number(Math.floor(bound * 100 + 1e-6) / 100)}`));
    parts.push(element("span", {}, aboveBest(distance, bound)));
  }
  return parts;
}

// During a proof, its bound is the better one; at the end, it is the answer's own.
function latest() {
  const bound = now.proof?.bound ?? null;
  if (bound === null || bound <= now.bound || bound >= now.distance) return now;
  return { distance: now.distance, bound, gap: null };
}

const by = () => (bridge.changedBy?.length ? [element("span", { class: "by-whom" }, `${bridge.changedBy.join(", ")}, ${bridge.changedAt}: `)] : []);

// The changes of an answer, until the next one.
export function tellChanges(changed) {
  answers += 1;
  const kinds = changed ? KINDS.filter(([kind]) => changed[kind].length) : [];
  if (!kinds.length) $("changes").replaceChildren(element("span", { class: "note" }, answers > 1 ? "No arc changed." : HINT));
  else $("changes").replaceChildren(...by(), ...kinds.map(([kind, words]) => {
    const arcs = changed[kind];
    const more = arcs.length > MOST_NAMED ? `and ${arcs.length - MOST_NAMED} more` : "";
    return element(
      "span",
      { class: "arcs-changed" },
      element("span", { class: `mark ${kind}` }, `${arcs.length} ${words}`),
      ...arcs.slice(0, MOST_NAMED).map(arcButton),
      more,
    );
  }));
  const what = kinds.map(([kind, words]) => `${count(changed[kind].length, "arc")} ${words}`).join(", ");
  const good = now.gap === 0 ? ", proven best" : now.bound === null ? "" : `, ${aboveBest(now.distance, now.bound)}`;
  if (now.distance !== null) $("said").textContent = `Consensus: distance ${number(now.distance)}${good}. ${what || "No arc changed"}.`;
}

bridge.tellChanges = tellChanges;
