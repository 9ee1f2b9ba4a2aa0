// What is known, and what the consensus says then. Whoever shows any of it is told when it changes.
import { junctionTree } from "./junction-tree.js";
import { inputs } from "./networks.js";
import { consensusNetwork, inputNetwork, statesOf, tables } from "./page-tables.js";
import { variables } from "./page-data.js";
import { remembered } from "./restart.js";

// Whether the page itself can answer; if not, it has states to choose from and the command that answers.
export const canAnswer = Boolean(tables && tables.order);
// Variables: their states, by number, in the order in which they were found.
export const findings = remembered("findings", new Map());
const listeners = [];
const trees = new Map(); // "consensus" or the number of an input: its tree, and the labels of its states
let answers = new Map(); // the same: the answer to the findings
let before = null; // the consensus's answer without findings

export const onEvidence = (listener) => listeners.push(listener);

// A state that is chosen again is taken back.
export function find(variable, state) {
  if (findings.get(variable) === state) findings.delete(variable);
  else findings.set(variable, state);
  changed();
}

export function clearFindings() {
  findings.clear();
  changed();
}

function changed() {
  answers = new Map();
  for (const listener of listeners) listener();
}

function treeOf(key) {
  if (!trees.has(key)) {
    const network = key === "consensus" ? consensusNetwork() : inputNetwork(key);
    trees.set(key, { tree: network.order && junctionTree(network), labels: network.labels });
  }
  return trees.get(key);
}

function answered() {
  if (!answers.has("consensus")) answers.set("consensus", treeOf("consensus").tree.ask(findings));
  return answers.get("consensus");
}

// The distribution of a variable given the findings (null where they cannot all be true), and without them.
export const chancesOf = (variable) => answered().chances && answered().chances.get(variable);
export function priorOf(variable) {
  before ||= findings.size ? treeOf("consensus").tree.ask(new Map()) : answered();
  return before.chances.get(variable);
}
export const logOfFindings = () => answered().log; // natural
export const isImpossible = () => findings.size > 0 && answered().log === -Infinity;

// Of impossible findings, the place of the first that cannot be true together with those before it.
export function impossiblePlace() {
  const { tree } = treeOf("consensus");
  const all = [...findings];
  return all.findIndex((_, place) => tree.ask(new Map(all.slice(0, place + 1))).log === -Infinity);
}

export const findingText = (variable, state) => `${variables[variable]} = ${statesOf(variable)[state]}`;
export const findingTexts = () => [...findings].map(([variable, state]) => findingText(variable, state));

// What an input says of a variable: its distribution over the consensus's states, or why there is none.
export function answerOfInput(i, variable) {
  if (!tables.inputs[i]) return { why: "has no tables" };
  if (inputs[i].lacks.has(variable)) return { why: "lacks it" };
  const unknown = [...findings.keys()].find((one) => inputs[i].lacks.has(one));
  if (unknown !== undefined) return { why: `lacks ${variables[unknown]}` };
  const { tree, labels } = treeOf(i);
  if (!tree) return { why: "its cliques are too large to ask here" };
  const places = statesOf(variable).map((label) => labels[variable].indexOf(label));
  if (places.includes(-1)) return { why: `has other states: ${labels[variable].join(", ")}` };
  const own = new Map([...findings].map(([one, state]) => [one, labels[one].indexOf(statesOf(one)[state])]));
  const missing = [...own.keys()].find((one) => own.get(one) < 0);
  if (missing !== undefined) return { why: `has no ${findingText(missing, findings.get(missing))}` };
  if (!answers.has(i)) answers.set(i, tree.ask(own));
  const { chances } = answers.get(i);
  return chances ? { chances: places.map((place) => chances.get(variable)[place]) } : { why: "the findings are impossible there" };
}
