// The page can be renewed for other data: the modules run again, over the original markup of the page. Values that a
// module stores here are available then; listeners on permanent objects take `signal`, and are removed.
import { $ } from "./elements.js";

const before = typeof page$before === "undefined" ? undefined : page$before;
const memory = before ? before.memory : {};
const PARTS = "body > :not(script, [data-stays])";
// In the order of the page; nothing has changed them yet.
const fresh = before ? before.fresh : [...document.querySelectorAll(PARTS)].map((part) => part.cloneNode(true));
const run = new AbortController();

export const signal = run.signal;
export const isFirstRun = !before;

// An object by its name: as it was left, or in its first state.
export const remembered = (name, atFirst) => (memory[name] ??= atFirst);

// Parts of the page one after another: at once or, if a long pause would be noticeable, each in a separate turn.
const turns = remembered("turns", { arePatient: false });
export const inTurns = (arePatient) => (turns.arePatient = arePatient);
export function inTurn(...steps) {
  if (!turns.arePatient) return steps.forEach((step) => step());
  const main = document.querySelector("main"); // a new one for every run
  main.ariaBusy = "true";
  const next = () => {
    if (signal.aborted) return;
    steps.shift()();
    if (steps.length) setTimeout(next);
    else main.ariaBusy = null;
  };
  setTimeout(next);
}

// The part being read, or the element with that id, stays in place, even if the part above it becomes longer.
export function restart(id) {
  const landmark = id || inSight();
  const top = landmark && topOf(landmark);
  run.abort();
  for (const part of document.querySelectorAll(PARTS)) part.remove();
  document.querySelector("body > script").before(...fresh.map((part) => part.cloneNode(true)));
  page$start({ memory, fresh });
  if (landmark && $(landmark)) scrollBy({ top: topOf(landmark) - top, behavior: "instant" });
}

const topOf = (id) => $(id).getBoundingClientRect().top;

// The last section, or card below the first screen, that begins above the middle of the screen.
function inSight() {
  const parts = [...document.querySelectorAll("section[id], section:not(#first) .card[id], #charts")];
  return parts.map(({ id }) => id).findLast((id) => topOf(id) < innerHeight / 2);
}
