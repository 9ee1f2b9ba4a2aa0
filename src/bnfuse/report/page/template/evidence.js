// The findings, and the answers of the consensus given them. Listeners are notified of changes.
import { findingFor, findingText, isSet, stateOf, weightsOf } from "./findings.js";
import { junctionTree } from "./junction-tree.js";
import { inputs } from "./networks.js";
import { consensusNetwork, inputNetwork, statesOf, tables } from "./page-tables.js";
import { variables } from "./page-data.js";
import { remembered } from "./restart.js";

// Whether the page itself can answer; if not, it has states to choose from and the command that answers.
export const canAnswer = Boolean(tables && tables.order);
// Variables: their findings, in the order in which they were entered. findings.js has the kinds.
export const findings = remembered("findings", new Map());
const steps = remembered("steps", { back: [], forth: [] }); // all findings, before and after the steps that can be undone
export const bars = remembered("bars", { areAlways: false }); // in the boxes, without findings too
const listeners = [];
const trees = new Map(); // "consensus" or the number of an input: its tree, and the labels of its states
let answers = new Map(); // the same: the answer to the findings
let before = null; // the consensus's answer without findings

export const onEvidence = (listener) => listeners.push(listener);

export function replaceFindings(all) {
  const old = [...findings];
  put(all);
  if (JSON.stringify(old) !== JSON.stringify(all)) {
    steps.back.push(old);
    steps.forth.length = 0;
  }
  changed();
}

function put(all) {
  findings.clear();
  for (const [variable, finding] of all) findings.set(variable, finding);
}

// Replaces the variable's previous finding; null removes it.
export function know(variable, finding) {
  const all = new Map(findings);
  if (finding === null) all.delete(variable);
  else all.set(variable, finding);
  replaceFindings([...all]);
}

// Choosing a finding again removes it.
export const find = (variable, finding) =>
  know(variable, JSON.stringify(findings.get(variable)) === JSON.stringify(finding) ? null : finding);
export const clearFindings = () => replaceFindings([]);

function step(from, to) {
  if (!from.length) return;
  to.push([...findings]);
  put(from.pop());
  changed();
}
export const undo = () => step(steps.back, steps.forth);
export const redo = () => step(steps.forth, steps.back);
export const canStep = () => [steps.back.length > 0, steps.forth.length > 0];

export function showBars(areAlways) {
  bars.areAlways = areAlways;
  for (const listener of listeners) listener();
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

const weighed = (all, labels) =>
  new Map([...all].map(([one, finding]) => [one, { weights: weightsOf(finding, labels(one).length), isSet: isSet(finding) }]));
const ask = (all) => treeOf("consensus").tree.ask(weighed(all, statesOf));

function answered() {
  if (!answers.has("consensus")) answers.set("consensus", ask(findings));
  return answers.get("consensus");
}

// The distribution of a variable given the findings (null if they cannot all be true), and without them.
export const chancesOf = (variable) => answered().chances && answered().chances.get(variable);
export function priorOf(variable) {
  before ||= findings.size ? ask([]) : answered();
  return before.chances.get(variable);
}
export const logOfFindings = () => answered().log; // natural
export const isImpossible = () => findings.size > 0 && answered().log === -Infinity;
export const isAsked = () => canAnswer && (findings.size > 0 || bars.areAlways) && !isImpossible();

// Of impossible findings, the first that cannot be true together with the previous ones, and its position. A variable
// that is set is always possible.
export function impossibleOne() {
  const all = [...findings].sort(([, one], [, other]) => isSet(other) - isSet(one));
  const place = all.findIndex((_, at) => ask(all.slice(0, at + 1)).log === -Infinity);
  return [all[place], place];
}

export const findingTexts = () => [...findings].map(([variable, finding]) => findingText(variable, finding));

// The most probable states of all variables together.
export const explanations = (most) =>
  treeOf("consensus").tree.best(weighed(findings, statesOf), most).map(({ states, log }) => ({ states, log: log - logOfFindings() }));

// The distributions of all variables, given the findings and another one.
export const chancesWith = (variable, finding) => ask(new Map(findings).set(variable, finding)).chances;

// The answer of an input for a variable: its distribution over the consensus's states, or the reason why there is none.
// Given the findings, or others about the same variables.
export function answerOfInput(i, variable, all = findings) {
  if (!tables.inputs[i]) return { why: "has no tables" };
  if (inputs[i].lacks.has(variable)) return { why: "lacks it" };
  const unknown = [...all.keys()].find((one) => inputs[i].lacks.has(one));
  if (unknown !== undefined) return { why: `lacks ${variables[unknown]}` };
  const { tree, labels } = treeOf(i);
  if (!tree) return { why: "its cliques are too large to ask here" };
  const places = statesOf(variable).map((label) => labels[variable].indexOf(label));
  if (places.includes(-1)) return { why: `has other states: ${labels[variable].join(", ")}` };
  const own = new Map([...all].map(([one, finding]) => [one, findingFor(finding, statesOf(one), labels[one])]));
  const missing = [...own.keys()].find((one) => own.get(one) === undefined);
  if (missing !== undefined) {
    const isOne = stateOf(all.get(missing)) >= 0;
    return { why: isOne ? `has no ${findingText(missing, stateOf(all.get(missing)))}` : `has other states of ${variables[missing]}` };
  }
  const answer = (all === findings && answers.get(i)) || tree.ask(weighed(own, (one) => labels[one]));
  if (all === findings) answers.set(i, answer);
  const { chances } = answer;
  return chances ? { chances: places.map((place) => chances.get(variable)[place]) } : { why: "the findings are impossible there" };
}
