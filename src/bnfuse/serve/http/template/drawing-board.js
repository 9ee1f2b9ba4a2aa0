// A network that somebody draws in the app, or edits again. Until it is saved, only they see it.
import { $, fill } from "./elements.js";
import { NEW, draftOf, dropDraft, keepDraft, shownIn } from "./drawing-draft.js";
import { startHands } from "./drawing-hands.js";
import { drawingPicture } from "./drawing-picture.js";
import { placed, room, tidied } from "./drawing-places.js";
import { drawTools, startTools } from "./drawing-tools.js";
import { arcBetween, compacted, cycleWith, drawingOf, withoutItems } from "./drawn-network.js";
import { get, me, send } from "./server.js";
import { onWork, ordered, work } from "./work.js";
import { tellRight, tellWrong } from "./wrong.js";

const HINT = "Drag one variable onto another to draw an arc; drag it elsewhere to move it.";
const board = { draft: null, chosen: null, from: null, cycle: null, focused: null, opener: null };
let picture = null;

export function startDrawing() {
  picture = drawingPicture($("drawing-net"));
  startHands($("drawing-net"), picture, {
    placeOf: (name) => { const { x, y } = shown().variables.get(name); return [x, y]; },
    choose, draw, move, add: (at) => addVariable(null, at), remove, begin, cancel, roam, again,
    rename: (name) => { choose({ variable: name }); $("drawing-rename")?.click(); },
  });
  startTools({ addVariable, addAll, begin, choose, copy, draw, reverse, remove, rename, setStates, shown, tell });
  $("drawing-undo").addEventListener("click", () => step(-1));
  $("drawing-redo").addEventListener("click", () => step(1));
  $("drawing-tidy").addEventListener("click", tidy);
  $("drawing-fit").addEventListener("click", () => picture.fit());
  $("drawing-save").addEventListener("click", () => save());
  $("drawing-close").addEventListener("click", close);
  $("drawing-name").addEventListener("input", () => { board.draft.name = $("drawing-name").value; keepDraft(board.draft); });
  for (const button of document.querySelectorAll("[data-draw]")) button.addEventListener("click", () => openBoard(NEW, button));
  $("board").addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !event.target.matches("input")) {
      event.preventDefault();
      event.stopPropagation(); // the workspace has its own undo
      step(event.shiftKey ? 1 : -1);
    }
  });
  onWork(follow);
}

const shown = () => placed(shownIn(board.draft));

export function openBoard(id, opener = document.activeElement) {
  const own = id === NEW ? null : work.question.drawings[id];
  const input = work.question.inputs.find((one) => one.id === id);
  board.draft = draftOf(id, own && drawingOf(own), work.revision);
  Object.assign(board, { chosen: null, from: null, cycle: null, focused: null, opener });
  $("drawing-title").textContent = input ? "Edit a drawing" : "Draw a network";
  $("drawing-name").value = input?.name ?? (board.draft.name || freeName());
  $("drawing-name").readOnly = Boolean(input); // it is renamed in the list of inputs
  tellRight($("drawing-said"));
  document.body.classList.add("at-board");
  document.body.classList.remove("drawn"); // the drawer of a phone
  $("board").hidden = false;
  for (const other of [document.querySelector("main"), $("welcome")]) other.inert = true;
  again();
  picture.fit();
  tell(board.draft.isRestored ? "Restored what you had not saved." : HINT);
  const isByHand = matchMedia("(pointer: coarse)").matches; // whose keyboard would cover the board
  (isByHand || $("drawing-name").readOnly ? $("drawing-net") : $("new-variable")).focus({ preventScroll: true });
}

function freeName() {
  const taken = new Set(work.question.inputs.map((one) => one.name));
  const wanted = me ? `${work.you?.name ?? me.name}\u2019s network` : "Drawing";
  for (let i = 1; i <= taken.size; i++) {
    const name = i > 1 ? `${wanted} (${i})` : wanted;
    if (!taken.has(name)) return name;
  }
  return taken.has(wanted) ? `${wanted} (${taken.size + 1})` : wanted;
}

function close() {
  $("board").hidden = true;
  board.draft = null;
  document.body.classList.remove("at-board");
  for (const other of [document.querySelector("main"), $("welcome")]) other.inert = false;
  if (board.opener?.isConnected && board.opener.offsetParent) board.opener.focus({ preventScroll: true });
  else $("draw-it").focus({ preventScroll: true });
}

// Saved changes of others appear in the picture at once; unsaved edits here stay on top of them.
function follow({ question }) {
  if (!board.draft) return;
  const own = question.drawings[board.draft.id];
  if (own) board.draft.base = drawingOf(own);
  again();
}

function again() {
  if (!board.draft) return;
  const now = shown();
  picture.draw(now, board);
  drawTools(now, board, work);
  $("drawing-undo").disabled = !board.draft.steps.length;
  $("drawing-redo").disabled = !board.draft.later.length;
  $("drawing-save").disabled = !now.variables.size || (board.draft.id !== NEW && !board.draft.steps.length && Boolean(work.question.drawings[board.draft.id]));
  $("drawing-empty").hidden = now.variables.size > 0;
}

const tell = (text) => fill($("drawing-said"), text);

function edit(edits, words) {
  board.cycle = null;
  board.draft.steps.push(edits);
  board.draft.later = [];
  keepDraft(board.draft);
  again();
  if (words) tell(words);
}

function step(way) {
  const { steps, later } = board.draft;
  if (way < 0 && steps.length) later.push(steps.pop());
  else if (way > 0 && later.length) steps.push(later.pop());
  Object.assign(board, { chosen: null, from: null, cycle: null });
  keepDraft(board.draft);
  again();
  tell(way < 0 ? "Undid the last step." : "Redid the last step.");
}

function addVariable(name, at) {
  if (!name) {
    $("new-variable").focus();
    board.at = at; // at the requested position
    return;
  }
  if (shown().variables.has(name)) return tell(`${name} already exists.`);
  const place = (board.at ?? at ?? room(shown(), name, picture.sight())).map(Math.round);
  board.at = null;
  edit([{ edit: "variable", variable: name, at: place }], `Added ${name}.`);
}

function addAll(names) {
  let now = shown();
  const edits = names.map((name) => {
    const [x, y] = room(now, name, picture.sight());
    now = { ...now, variables: new Map(now.variables).set(name, { states: [], x, y }) };
    return { edit: "variable", variable: name, at: [x, y] };
  });
  edit(edits, `Added ${names.length} variables.`);
}

// An arc, unless it would close a cycle: then the cycle is shown.
function draw(source, target) {
  board.from = null;
  const now = shown();
  const cycle = cycleWith(now, source, target);
  if (cycle) {
    board.cycle = cycle;
    again();
    tell(`Not drawn: ${cycle.join(" \u2192 ")} would be a cycle.`);
    return;
  }
  const before = arcBetween(now, source, target);
  if (before?.[0] === source) {
    board.chosen = { arc: before };
    again();
    return tell(`${source} \u2192 ${target} already exists.`);
  }
  board.chosen = { arc: [source, target] };
  edit([{ edit: "arc", source, target }], `${before ? "Reversed: now" : "Drew"} ${source} \u2192 ${target}.`);
}

const reverse = ([source, target]) => draw(target, source);

function move(name, [x, y], isByKey = false) {
  edit([{ edit: "variable", variable: name, at: [Math.round(x), Math.round(y)] }]);
  if (isByKey) picture.focus(name);
}

function remove(what) {
  const gone = what ?? board.chosen;
  if (!gone) return;
  board.chosen = null;
  if (gone.variable) edit([{ edit: "remove", variable: gone.variable }], `Removed ${gone.variable}.`);
  else edit([{ edit: "no-arc", source: gone.arc[0], target: gone.arc[1] }], `Removed ${gone.arc.join(" \u2192 ")}.`);
  $("drawing-net").focus({ preventScroll: true });
}

function rename(variable, name) {
  if (name === variable || !name) return again();
  if (shown().variables.has(name)) return tell(`There is already a variable ${name}.`);
  board.chosen = { variable: name };
  edit([{ edit: "rename", variable, name }], `Renamed ${variable} to ${name}.`);
}

function setStates(variable, states) {
  edit([{ edit: "variable", variable, states }], states.length ? `${variable}: ${states.join(", ")}.` : `${variable} has the states of the other inputs.`);
}

function tidy() {
  edit([...tidied(shown())].map(([variable, at]) => ({ edit: "variable", variable, at })), "Tidied up.");
  picture.fit();
}

// The first click selects the start of an arc; while one is being drawn, the second selects its end.
function choose(what, isByKey = false) {
  board.cycle = null;
  if (board.from && what?.variable) {
    const from = board.from;
    if (from === what.variable) cancel();
    else draw(from, what.variable);
  } else {
    board.chosen = what;
    board.from = null;
    board.focused = what?.variable ?? board.focused;
    again();
    if (!what) tell(HINT);
  }
  if (isByKey && what?.variable) picture.focus(what.variable);
}

function begin(name) {
  board.from = name;
  board.chosen = { variable: name };
  board.focused = name;
  again();
  picture.focus(name);
  tell(`Choose the variable at which the arc from ${name} ends; Escape cancels.`);
}

function cancel() {
  Object.assign(board, { chosen: null, from: null, cycle: null });
  again();
  tell(HINT);
}

// Arrow keys: to the nearest box on that side.
function roam(name, [right, down]) {
  const { variables } = shown();
  const { x, y } = variables.get(name);
  const far = ({ x: toX, y: toY }) => {
    const [along, aside] = right ? [(toX - x) * right, Math.abs(toY - y)] : [(toY - y) * down, Math.abs(toX - x)];
    return along > 0 ? along + 2 * aside : Infinity;
  };
  const [nearest] = [...variables].filter(([one, own]) => one !== name && far(own) < Infinity).sort(([, a], [, b]) => far(a) - far(b));
  if (!nearest) return;
  [board.focused] = nearest;
  again();
  picture.focus(board.focused);
}

async function copy(id) {
  try {
    const found = drawingOf(await get(`/drawings/${encodeURIComponent(id)}`));
    board.draft = { ...board.draft, base: placed(found), steps: [], later: [] };
    Object.assign(board, { chosen: null, from: null, cycle: null });
    keepDraft(board.draft);
    again();
    picture.fit();
    tell("This is a copy: your changes do not affect the original.");
  } catch (error) {
    tellWrong($("drawing-said"), error.message);
  }
}

// For a new drawing, all of it; for one that is an input, the edits, which the server merges with those of others.
async function save(on = board.draft.on) {
  const { draft } = board;
  const now = shown();
  const isNew = draft.id === NEW || !work.question.drawings[draft.id];
  const ask = isNew
    ? () => send("POST", "/drawings", {
      name: $("drawing-name").value.trim(),
      variables: [...now.variables].map(([name, { states, x, y }]) => ({ name, states, at: [x, y] })),
      arcs: now.arcs,
    })
    : () => send("PATCH", `/drawings/${encodeURIComponent(draft.id)}`, { edits: compacted(draft.base, draft.steps.flat()) }, on);
  const keepTheirs = (conflicts) => {
    draft.steps = draft.steps.map((edits) => withoutItems(edits, conflicts.map(({ item }) => item))).filter((edits) => edits.length);
    keepDraft(draft);
    const isGone = conflicts.some(({ item }) => JSON.parse(item)[0] === "input"); // somebody has removed the whole drawing
    if (draft.steps.length && !isGone) save(work.revision);
    else finish();
  };
  const finish = () => {
    dropDraft(draft.id);
    if (board.draft === draft) close();
  };
  if (await ordered(ask, $("drawing-said"), isNew ? null : () => save(work.revision), keepTheirs)) finish();
}

