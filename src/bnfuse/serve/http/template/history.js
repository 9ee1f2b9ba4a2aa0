// Undo and redo, by buttons and keys, and the list of everything that was decided.
import { $, element } from "./elements.js";
import { isolated } from "./isolates.js";
import { get, send } from "./server.js";
import { asDate, when } from "./times.js";
import { change, onWork, ordered, work } from "./work.js";

const MOST_SHOWN = 200;
let drawn = -1; // the revision of the list

const step = (way) => ordered(() => send("POST", `/${way}`), $("changes"));

export function startHistory() {
  for (const way of ["undo", "redo"]) $(way).addEventListener("click", () => step(way));
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || isText(event.target)) return;
    const key = event.key.toLowerCase();
    const way = key === "y" || (key === "z" && event.shiftKey) ? "redo" : key === "z" ? "undo" : null;
    if (!way) return;
    event.preventDefault();
    if (!$(way).disabled) step(way);
  });
  onWork(({ can_undo: back, can_redo: forth }) => {
    tell($("undo"), "Undo", back);
    tell($("redo"), "Redo", forth);
    draw();
  });
  $("history-part").addEventListener("toggle", draw);
}

// A text field undoes its own letters.
const isText = (target) =>
  target.isContentEditable || target.localName === "textarea" || (target.localName === "input" && /^(text|search|number)$/.test(target.type));

function tell(button, word, what) {
  const hadFocus = document.activeElement === button;
  button.disabled = !what;
  const words = isolated(what ? `${word}: ${what}` : word);
  button.title = what ? words : "";
  button.setAttribute("aria-label", words);
  if (hadFocus && button.disabled) $(button.id === "undo" ? "redo" : "undo").focus();
}

let known = null; // the lines, once somebody has opened them

async function draw() {
  const news = work.lines.filter(({ revision }) => known && revision > (known.at(-1)?.revision ?? 0));
  known?.push(...news);
  if (!$("history-part").open || drawn === work.revision) return;
  drawn = work.revision;
  try {
    if (!known || known.at(-1)?.revision !== work.revision) known = await get("/history");
    $("history").replaceChildren(...known.slice(-MOST_SHOWN).reverse().map(line));
  } catch {
    drawn = -1; // the connection reports it itself
  }
}

// Going back undoes later changes of others too: only the facilitator may do it.
const sentence = (revision, ...words) =>
  work.role === "facilitator"
    ? element("button", { type: "button", class: "plain who", title: "Go back to here", onclick: () => change({ kind: "return", revision }, $("history")) }, ...words)
    : element("span", { class: "who" }, ...words);

const line = ({ revision, time, who, words, is_taken_back: isTakenBack }) =>
  element(
    "li",
    { "aria-current": revision === work.revision ? "true" : null, class: isTakenBack ? "off" : "" },
    sentence(revision, who ? element("strong", {}, `${who} `) : "", words),
    element("time", { class: "note", datetime: asDate(time) }, when(time)),
  );
