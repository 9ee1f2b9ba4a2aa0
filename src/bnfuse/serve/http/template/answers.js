// The newest answer, on the page: its data are fetched, and the report's scripts run over them.
import { bridge } from "./bridge.js";
import { $, element } from "./elements.js";
import { get } from "./server.js";
import { when } from "./times.js";

let shown = ""; // its data
let wanted = null; // a revision
let of = ""; // the question and the effort of the answer that is shown
let late = null; // costs that arrived before their answer
let isFetching = false;
let holdsAt = -1; // the last revision for which the answer that is shown, or on its way, holds

export async function showAnswer(revision) {
  wanted = holdsAt = revision;
  if (isFetching) return;
  isFetching = true;
  try {
    while (wanted !== null) await showNext();
  } finally {
    isFetching = false;
  }
}

// The question is the same again at another revision, and so is its answer.
export function keepAnswer(revision) {
  holdsAt = revision;
  if (!isFetching && !document.querySelector("main").hidden) $("line").dataset.revision = revision;
}

async function showNext() {
  const now = wanted;
  wanted = null;
  try {
    const { data, changed, changed_by: by, changed_at: at, key, effort, disputes, is_solved: isSolved } = await get(`/view?revision=${now}`);
    if (wanted !== null) return;
    bridge.disputes = disputes;
    bridge.isSolved = isSolved;
    bridge.changedBy = by;
    bridge.changedAt = at ? when(at) : "";
    bridge.distance = data.facts.distance;
    await put(JSON.stringify({ ...data, changed, limits: null })); // here, the limit is a setting: there is no slider for it
    of = `${key} ${effort}`;
    Object.assign($("line").dataset, { revision: Math.max(now, holdsAt), effort, solved: isSolved });
    bridge.answer?.tellDisputes();
    if (late && !isSolved) await showDisputes(late);
  } catch (error) {
    if (wanted === null) throw error; // otherwise there is a newer one
  }
}

// The costs of other decisions arrive by themselves, after the answer.
export async function showDisputes(news) {
  late = news;
  if (`${news.key} ${news.effort}` !== of || isFetching && wanted !== null) return;
  late = null;
  const named = ({ source, target }) => JSON.stringify([source, target].sort());
  const costs = new Map(news.rows.map((row) => [named(row), row]));
  bridge.disputes = bridge.disputes.map((row) => ({ ...row, ...costs.get(named(row)) }));
  bridge.isSolved = true;
  const before = JSON.parse($("data").textContent);
  await put(JSON.stringify({ ...before, disputes: news.page }));
  $("line").dataset.solved = true;
  bridge.answer?.tellDisputes();
}

async function put(text) {
  if (text === shown && !document.querySelector("main").hidden) return;
  shown = text;
  await handsAreOff();
  $("welcome").hidden = true;
  document.querySelector("main").hidden = false;
  $("data").textContent = text;
  if (bridge.answer) bridge.answer.renew();
  else start();
}

export function showNoAnswer() {
  document.querySelector("main").hidden = true;
  $("welcome").hidden = false;
}

// The page's policy has the hash of this script.
function start() {
  const script = element("script");
  script.textContent = $("answer-script").textContent;
  document.body.append(script);
  script.remove();
}

// An element under a pressed pointer must not be replaced.
let held = 0;
const letGo = [];
addEventListener("pointerdown", () => (held = 1), true);
for (const kind of ["pointerup", "pointercancel", "dragend", "blur"]) {
  addEventListener(kind, ({ target }) => {
    if (kind === "blur" && target !== window) return; // the focus moves when a pointer goes down
    held = 0;
    setTimeout(() => letGo.splice(0).forEach((go) => go())); // after the click that may follow
  }, true);
}

const handsAreOff = () => (held ? new Promise((resolve) => letGo.push(resolve)) : Promise.resolve());
