// The workspace as the server has it: the question, its revision, what can be undone. Whoever shows any of it is told when it changes.
import { bridge } from "./bridge.js";
import { $ } from "./elements.js";
import { get, send } from "./server.js";
import { tellRight, tellWrong } from "./wrong.js";

export const work = { revision: -1, question: null, variables: [], can_undo: null, can_redo: null, solving: null, answer: null, failed: null, rounds: [] };
const listeners = [];
let queue = Promise.resolve(); // changes go one after another, as they were made
let waiting = 0;
let reading = null;
let isStale = false;

export const onWork = (listener) => listeners.push(listener);

export function take(news) {
  if (news.revision < work.revision) return;
  Object.assign(work, news);
  bridge.question = work.question;
  for (const listener of listeners) listener(work);
  bridge.answer?.tellQuestion();
}

// Reads everything anew; asked again while that goes on, once more after it.
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

// One change or several at once. If they are refused, `near` says why, and everything shows again what holds.
export function change(changes, near) {
  return ordered(() => send("POST", "/changes", changes), near);
}

export function ordered(ask, near) {
  wait(1);
  queue = queue.then(async () => {
    try {
      const news = await ask();
      tellRight(near);
      if (news && news.question) take(news.revision > work.revision ? { ...news, answer: null, failed: null } : news); // it was of the question before
      await refresh();
      return true;
    } catch (error) {
      tellWrong(near, error.message);
      if (work.question) take({});
      return false;
    } finally {
      wait(-1);
    }
  });
  return queue;
}

// How many changes the server has not answered yet, for whoever waits for them.
function wait(more) {
  waiting += more;
  $("line").dataset.waiting = waiting;
}

bridge.change = change;
