// The workspace as on the server: the question, its revision, the changes that can be undone. Listeners are notified of
// changes.
import { bridge } from "./bridge.js";
import { $ } from "./elements.js";
import { get, send } from "./server.js";
import { tellConflicts } from "./conflicts.js";
import { tellRight, tellWrong } from "./wrong.js";

export const work = { revision: -1, key: null, role: "facilitator", you: null, present: [], lines: [], question: null, noted: {}, variables: [], can_undo: null, can_redo: null, solving: null, answer: null, failed: null, rounds: [] };
const listeners = [];
let queue = Promise.resolve(); // changes are sent one after another, in the order in which they were made
let waiting = 0;
let reading = null;
let isStale = false;

export const onWork = (listener) => listeners.push(listener);

export function take(news) {
  if (news.revision < work.revision) return;
  const isOther = news.key !== undefined && news.key !== work.key;
  const mine = news.undo && { can_undo: ofMine(news.undo), can_redo: ofMine(news.redo) };
  Object.assign(work, isOther ? { answer: null, failed: null, solving: null } : {}, mine, news);
  bridge.question = work.question;
  bridge.noted = work.noted;
  if (!work.question) return; // the list of people comes first
  for (const listener of listeners) listener(work);
  bridge.answer?.tellQuestion();
}

// The facilitator may undo anybody's changes, everybody else only their own.
const ofMine = (words) => words[work.role === "facilitator" ? "*" : work.you?.name ?? ""] ?? null;

// Reads everything again; a request during that time leads to one more reading after it.
export function refresh() {
  if (reading) {
    isStale = true;
    return reading;
  }
  reading = get("").then(take).finally(() => {
    reading = null;
    if (isStale) {
      isStale = false;
      return refresh();
    }
  });
  return reading;
}

// One change or several at once, based on the revision `on`. If they are refused, `near` gets the reason, and
// everything shows the present state again.
export function change(changes, near, on = work.revision) {
  const ask = () => send("POST", "/changes", changes, sinceMine(on));
  return ordered(ask, near, () => change(changes, near));
}

// Among the changes after a revision, the author knows their own.
const mine = new Set();
function sinceMine(on) {
  let known = on;
  while (mine.has(known + 1)) known += 1;
  return known;
}

export function ordered(ask, near, again, keepTheirs) {
  wait(1);
  queue = queue.then(async () => {
    try {
      const news = await ask();
      tellRight(near);
      if (news?.lines) for (const { revision } of news.lines) mine.add(revision);
      if (news?.question) take(news);
      return true;
    } catch (error) {
      if (error.conflicts && again) {
        tellRight(near);
        tellConflicts(near, error.conflicts, again, keepTheirs);
      } else tellWrong(near, error.message);
      if (work.question) take({});
      return false;
    } finally {
      wait(-1);
    }
  });
  return queue;
}

// How many changes the server has not answered yet, for callers that wait for them.
function wait(more) {
  waiting += more;
  $("line").dataset.waiting = waiting;
}

bridge.change = change;
bridge.revision = () => work.revision;
