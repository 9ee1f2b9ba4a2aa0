// Terms of the field, explained in place: each is a button, and its meaning appears next to it when it is pressed.
import { element } from "./elements.js";
import { inputs } from "./networks.js";
import { variables } from "./page-data.js";
import { signal } from "./restart.js";

// The spelling of a word, as a regular expression, and its meaning for a reader who does not know it.
const GLOSSARY = [
  [
    "SMHD",
    "The distance between two networks that is used here: the number of moral edges that one of them has and the other " +
    "lacks. At 0, both join the same variables. The direction of arcs does not count. (Structural moral " +
    "Hamming distance.)",
  ],
  [
    "SHD",
    "The number of arcs that would have to be added, deleted or reversed to turn one network into the other. " +
    "(Structural Hamming distance.)",
  ],
  [
    "FSim",
    "A distance between two networks: both are extended to agree on one order of their variables, and the arcs that this adds " +
    "and those by which they then differ are counted. Smaller is closer.",
  ],
  [
    "moral edges?",
    "A line between two related variables: an arc runs from one to the other, or arcs from both point at " +
    "the same third variable. It has no direction.",
  ],
  ["moral graph", "A network with its arcs replaced by moral edges: it shows which variables are related, without directions."],
  [
    "cliques?",
    "A group of variables that an exact computation keeps together in one table. Each of them multiplies its size: " +
    "4 yes/no variables make 16 numbers, 20 make a million. So the limit on the largest clique keeps the network usable.",
  ],
  ["treewidth", "The size of the largest clique, minus 1: the usual measure of how hard exact computations are."],
  [
    "fusion",
    "All input networks combined into one that keeps every dependence in any of them. Nothing is lost, but it is " +
    "often too dense for computations: the consensus stays within the limit.",
  ],
  ["bound", "A distance that no network within the limit can fall below: proven, not estimated."],
  [
    "gap",
    "The excess of the distance over the proven bound, as a share of the bound: the distance to the best possible network is at " +
    "most this large. At 0\u00a0%, no closer network exists.",
  ],
  [
    "Markov blanket",
    "The variables that contain all information about this one: its parents, its children, and their other parents. " +
    "Once these are known, the other variables add nothing.",
  ],
  [
    "Markov equivalence class",
    "Networks that differ in the direction of some arcs but imply the same dependences between variables: " +
    "data alone cannot distinguish them.",
  ],
];
// Not in drawings, buttons, lists or fields, nor where names stand alone.
const ELSEWHERE = "svg, button, select, option, code, table, h1, h3, .chips, #provenance, #guide, #explanation";
const BLOCKS = "#facts, #lead, #notes, .card"; // in each of these a word is explained once

const isWord = (pattern) => new RegExp(`\\b(?:${pattern})\\b`, "i");
// A word that is part of a user's name is not explained.
const names = [...variables, ...inputs.map((input) => input.name)].join("\n");
const terms = GLOSSARY.filter(([pattern]) => !isWord(pattern).test(names));
const anyTerm = new RegExp(`\\b(?:${terms.map(([pattern]) => `(${pattern})`).join("|")})\\b`, "i");

const explanation = element("div", { id: "explanation", popover: "manual", role: "status" });
let explained = null; // the button whose word is explained now

export function startGlossary() {
  const main = document.querySelector("main");
  main.append(explanation);
  markIn(main);
  const observer = new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      if (!target.closest(ELSEWHERE)) addedNodes.forEach((node) => node.nodeType === Node.ELEMENT_NODE && markIn(node));
    }
    if (explained && !explained.isConnected) hide();
  });
  observer.observe(main, { childList: true, subtree: true });
  signal.addEventListener("abort", () => observer.disconnect());
  document.addEventListener("pointerdown", ({ target }) => !target.closest("#explanation, .term") && hide(), { signal });
  document.addEventListener("keydown", ({ key }) => key === "Escape" && hide(), { signal });
  document.addEventListener("scroll", place, { capture: true, passive: true, signal });
  addEventListener("resize", place, { signal });
}

function markIn(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, {
    acceptNode: ({ parentElement }) =>
      parentElement.closest(BLOCKS) && !parentElement.closest(ELSEWHERE)
        ? NodeFilter.FILTER_ACCEPT
        : NodeFilter.FILTER_REJECT,
  });
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  texts.forEach(mark);
}

// The first of each word in a block becomes a button.
function mark(text) {
  const block = text.parentElement.closest(BLOCKS);
  let rest = text;
  for (let found = anyTerm.exec(rest.data); found; found = anyTerm.exec(rest.data)) {
    const which = String(found.slice(1).findIndex((word) => word !== undefined));
    const word = rest.splitText(found.index);
    rest = word.splitText(found[0].length);
    if (!block.querySelector(`.term[data-term="${which}"]`)) word.replaceWith(termButton(found[0], which));
  }
}

function termButton(word, which) {
  return element("button", {
    type: "button",
    class: "term",
    "data-term": which,
    "aria-expanded": "false",
    "aria-controls": "explanation",
    onclick: ({ currentTarget }) => (currentTarget === explained ? hide() : explain(currentTarget)),
  }, word);
}

function explain(button) {
  hide();
  explained = button;
  button.setAttribute("aria-expanded", "true");
  explanation.showPopover();
  const word = button.textContent;
  explanation.replaceChildren(
    element("strong", {}, word[0].toUpperCase() + word.slice(1)),
    element("p", {}, terms[button.dataset.term][1]),
  );
  place();
}

// Next to its word, wherever that moves; hidden when the word is out of sight.
function place() {
  if (!explained) return;
  const [at, size, edge] = [explained.getBoundingClientRect(), explanation.getBoundingClientRect(), 8];
  if (at.bottom < 0 || at.top > innerHeight) return hide();
  const isBelow = at.bottom + edge + size.height < innerHeight;
  explanation.style.left = `${Math.max(edge, Math.min(at.left, innerWidth - size.width - edge))}px`;
  explanation.style.top = `${isBelow ? at.bottom + edge : Math.max(edge, at.top - size.height - edge)}px`;
}

function hide() {
  if (!explained) return;
  explained.setAttribute("aria-expanded", "false");
  explained = null;
  explanation.hidePopover();
}
