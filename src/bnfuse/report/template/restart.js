// The page can be made anew, for other data: the modules run again, over the markup that the page came with. What a module
// remembers here it finds again then; what listens to something that stays takes `signal` along, and stops listening.

const before = typeof page$before === "undefined" ? undefined : page$before;
const memory = before ? before.memory : {};
const PARTS = "body > :not(script, [data-stays])";
// In the order of the page; nothing has changed them yet.
const fresh = before ? before.fresh : [...document.querySelectorAll(PARTS)].map((part) => part.cloneNode(true));
const run = new AbortController();

export const signal = run.signal;
export const isFirstRun = !before;

// A thing by its name: as it was left, or as it is at first.
export const remembered = (name, atFirst) => (memory[name] ??= atFirst);

export function restart() {
  const [landmark, top] = inSight();
  run.abort();
  for (const part of document.querySelectorAll(PARTS)) part.remove();
  document.querySelector("body > script").before(...fresh.map((part) => part.cloneNode(true)));
  page$start({ memory, fresh });
  // What is read stays where it is, though what stands above it may have become longer.
  const there = landmark && document.getElementById(landmark);
  if (there) scrollBy({ top: there.getBoundingClientRect().top - top, behavior: "instant" });
}

// The last card or section that begins above the middle of the screen, and where.
function inSight() {
  const tops = [...document.querySelectorAll("section[id], .card[id], #charts")]
    .map((part) => [part.id, part.getBoundingClientRect().top]);
  return tops.findLast(([, top]) => top < innerHeight / 2) || [];
}
