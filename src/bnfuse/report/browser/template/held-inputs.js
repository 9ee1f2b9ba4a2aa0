// The inputs of the page, and the question about them. A caller that changes something here starts a new search.
import { rulesAmong } from "./arc-choices.js";
import { variablesOf } from "./asked-question.js";
import { DEFAULT_LIMIT } from "./default-limit.js";

const MOST_INPUTS = 500;
const listeners = [];
let numbers = 0;

export const held = {
  inputs: [], // { id, name, file, variables, arcs, states, tables, isEdgeList, isOn, weight }
  files: new Map(), // the name of a file: { path, size, sha256 }
  settings: { // as question-fields.js has them
    ...{ limit: DEFAULT_LIMIT, maxTable: null, maxParents: null, metric: "smhd", directions: null },
    ...{ required: [], forbidden: [], tiers: [] },
  },
};

export const onHeld = (listener) => listeners.push(listener);

export function tellHeld() {
  for (const listener of listeners) listener(held);
}

// Adds the networks of a file, each under a unique name. Returns how many were left out.
export function addNetworks(file, networks) {
  const room = Math.max(0, MOST_INPUTS - held.inputs.length);
  const used = new Set(held.inputs.map(({ name }) => name));
  for (const network of networks.slice(0, room)) {
    let name = network.name;
    for (let i = 2; used.has(name); i++) name = `${network.name} (${i})`;
    used.add(name);
    held.inputs.push({ ...network, name, id: numbers++, file: file.path, isOn: true, weight: 1 });
  }
  held.files.set(file.path, file);
  tellHeld();
  return Math.max(0, networks.length - room);
}

export function change(id, values) {
  Object.assign(held.inputs.find((input) => input.id === id), values);
  tellHeld();
}

export function remove(id) {
  held.inputs = held.inputs.filter((input) => input.id !== id);
  for (const path of [...held.files.keys()]) {
    if (!held.inputs.some(({ file }) => file === path)) held.files.delete(path);
  }
  dropRules();
  tellHeld();
}

export function removeAll() {
  held.inputs = [];
  held.files.clear();
  dropRules();
  tellHeld();
}

// Rules about variables that no input has any more.
function dropRules() {
  Object.assign(held.settings, rulesAmong(variablesOf(held.inputs), held.settings));
}

export function ask(values) {
  Object.assign(held.settings, values);
  tellHeld();
}
