// The reader's question to the page: the report's own question, with changes. They are kept while the page is renewed.
import { rulesAmong } from "./arc-choices.js";
import { DEFAULT_LIMIT } from "./default-limit.js";
import { inputs } from "./networks.js";
import { count } from "./number-texts.js";
import { data, facts, variables } from "./page-data.js";
import { remembered } from "./restart.js";

const own = data.question;
const names = (places) => places.map((place) => variables[place]);
const isPlainWeight = (text) => /^\d{1,15}(\.\d{0,9})?$|^\d{1,15}\/[1-9]\d{0,14}$/.test(text);

// As the report was sent; data.inputs may hold other distances later, but never other inputs.
const sent = () => ({
  on: inputs.map(() => true),
  weights: inputs.map(({ given, weight }) => (isPlainWeight(given) ? given : String(weight))),
  limit: own.limit,
  maxTable: own.max_table,
  metric: facts.metric,
  directions: own.directions,
  required: own.required.map(names),
  forbidden: own.forbidden.map(names),
  tiers: own.tiers.map(names),
  maxParents: own.max_parents,
});

export const asked = remembered("asked", { now: own && sent(), sent: own && sent() });

export const isChanged = () => JSON.stringify(asked.now) !== JSON.stringify(asked.sent);

// In the form for question-words.js. Variables that no remaining input has are not included.
export function questionAsked() {
  const { on, weights, limit, maxTable, metric, directions, maxParents } = asked.now;
  const isOn = (i) => on[i] && !/^0*(\.0*)?$|^0+\//.test(weights[i]);
  const has = (input, v) => !input.lacks.has(v);
  const isWhole = inputs.every(({ lacks }) => !lacks.size);
  const known = [...variables.keys()].filter((v) => isWhole || inputs.some((input, i) => isOn(i) && has(input, v)));
  return {
    variables: names(known),
    inputs: inputs.map((input, i) => ({
      name: input.name,
      weight: on[i] ? weights[i] : "0",
      ...(isOn(i) ? ownPart(input, known) : { arcs: [] }),
    })),
    limit,
    maxTable,
    states: own.states && known.map((v) => own.states[v]),
    metric,
    directions,
    ...rulesAmong(names(known), asked.now),
    maxParents,
    seed: own.seed,
  };
}

const n = variables.length;
const ownPart = (input, known) => ({
  variables: names(known.filter((v) => !input.lacks.has(v))),
  arcs: [...input.arcs].map((code) => [variables[Math.floor(code / n)], variables[code % n]]),
});

// The changes alone, as text for an address, and back; changes that do not fit this report are ignored.
export function changesText() {
  const changes = {};
  for (const [name, value] of Object.entries(asked.now)) {
    if (JSON.stringify(value) === JSON.stringify(asked.sent[name])) continue;
    if (name === "on") changes.off = inputs.filter((_, i) => !value[i]).map((input) => input.name);
    else if (name === "weights") changes.weights = Object.fromEntries(inputs.map((input, i) => [input.name, value[i]]).filter(([, w], i) => w !== asked.sent.weights[i]));
    else changes[name] = value;
  }
  return Object.keys(changes).length ? JSON.stringify(changes) : "";
}

const isName = (name) => variables.includes(name);
const isList = (value, of) => Array.isArray(value) && value.every(of);
const isArc = (arc) => isList(arc, isName) && arc.length === 2 && arc[0] !== arc[1];
const isWhole = (least) => (value) => value === null || (Number.isSafeInteger(value) && value >= least);
const FITS = {
  limit: isWhole(2),
  maxTable: isWhole(1),
  metric: (value) => ["smhd", "shd"].includes(value),
  directions: (value) => [null, "majority", "seen", "any"].includes(value),
  required: (value) => isList(value, isArc),
  forbidden: (value) => isList(value, isArc),
  tiers: (value) => isList(value, (tier) => isList(tier, isName)) && new Set(value.flat()).size === value.flat().length,
  maxParents: isWhole(0),
};

export function readChanges(text) {
  let changes = {};
  try {
    changes = JSON.parse(text || "{}");
  } catch {
    // an address that was cut
  }
  const next = structuredClone(asked.sent);
  for (const [name, fits] of Object.entries(FITS)) {
    if (changes && typeof changes === "object" && name in changes && fits(changes[name])) next[name] = changes[name];
  }
  inputs.forEach(({ name }, i) => {
    if (Array.isArray(changes?.off) && changes.off.includes(name)) next.on[i] = false;
    const weight = changes?.weights && Object.hasOwn(changes.weights, name) ? changes.weights[name] : null;
    if (typeof weight === "string" && isPlainWeight(weight)) next.weights[i] = weight;
  });
  const isNew = JSON.stringify(next) !== JSON.stringify(asked.now);
  asked.now = next;
  return isNew;
}

// The differences from the report's question, in words.
export function changesInWords() {
  const { now, sent: before } = asked;
  const words = [];
  const off = inputs.filter((_, i) => !now.on[i]).map(({ name }) => name);
  if (off.length) words.push(`without ${off.length > 3 ? `${off.length} inputs` : off.join(", ")}`);
  inputs.forEach(({ name }, i) => {
    if (now.on[i] && now.weights[i] !== before.weights[i]) words.push(`${name} with weight ${now.weights[i]}`);
  });
  const cliques = now.limit ?? (now.maxTable === null ? DEFAULT_LIMIT : null);
  if (now.limit !== before.limit) words.push(cliques === null ? "no limit on cliques" : `cliques of at most ${cliques}`);
  if (now.maxTable !== before.maxTable) words.push(now.maxTable === null ? "no limit on clique tables" : `clique tables of at most ${now.maxTable} numbers`);
  if (now.metric !== before.metric) words.push(now.metric.toUpperCase());
  if (now.directions !== before.directions) words.push(`directions: ${now.directions || "majority"}`);
  const arcs = (list) => list.map(([from, to]) => `${from} \u2192 ${to}`);
  const news = (list, old) => arcs(list).filter((arc) => !arcs(old).includes(arc));
  for (const [kind, verb] of [["required", "requiring"], ["forbidden", "forbidding"]]) {
    const [come, gone] = [news(now[kind], before[kind]), news(before[kind], now[kind])];
    if (come.length) words.push(`${verb} ${come.join(", ")}`);
    if (gone.length) words.push(`no longer ${verb} ${gone.join(", ")}`);
  }
  if (JSON.stringify(now.tiers) !== JSON.stringify(before.tiers)) words.push("other tiers");
  if (now.maxParents !== before.maxParents) words.push(now.maxParents === null ? "any number of parents" : `at most ${count(now.maxParents, "parent")}`);
  return words;
}
