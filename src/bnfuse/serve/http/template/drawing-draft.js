// Unsaved parts of a drawing: edits of the server's version. They survive when the browser is closed.
import { EMPTY, drawingOf, edited } from "./drawn-network.js";
import { name as workspace } from "./server.js";

const KEPT = `bnfuse drawing ${workspace}`;
export const NEW = "new";

const kept = () => JSON.parse(localStorage.getItem(KEPT) || "{}");
const keep = (all) => (Object.keys(all).length ? localStorage.setItem(KEPT, JSON.stringify(all)) : localStorage.removeItem(KEPT));

// id: of a drawing that is an input, or NEW; `base` is the drawing at the revision `on`, and each of `steps` is a list
// of edits.
export function draftOf(id, base, on) {
  const found = kept()[id];
  const draft = { id, base: base ?? EMPTY, on, steps: [], later: [], name: "", isRestored: false };
  if (found) Object.assign(draft, { steps: found.steps, name: found.name, on: found.on ?? on, base: base ?? drawingOf(found.base), isRestored: true });
  return draft;
}

export const shownIn = ({ base, steps }) => edited(base, steps.flat());

export function keepDraft({ id, base, on, steps, name }) {
  const all = kept();
  delete all[id];
  const plain = { variables: [...base.variables].map(([one, own]) => ({ name: one, ...own })), arcs: base.arcs };
  if (steps.length || (id === NEW && base.variables.size)) all[id] = { steps, name, on, ...(id === NEW ? { base: plain } : {}) };
  keep(all);
}

export function dropDraft(id) {
  const all = kept();
  delete all[id];
  keep(all);
}
