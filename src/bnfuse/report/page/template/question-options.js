// What is asked, as options of bnfuse consensus. asked: { limit, maxTable, metric, directions, maxParents, required, forbidden, tiers }.
import { DEFAULT_LIMIT } from "./default-limit.js";

export const TIERS_FILE = "tiers.json";

export const PLAIN_OPTIONS = {
  limit: ["--max-clique", "-t"],
  maxTable: ["--max-table"],
  metric: ["--metric"],
  directions: ["--directions"],
  maxParents: ["--max-parents"],
};

export const optionWords = (name, value) => (value.startsWith("-") ? [`${name}=${value}`] : [name, value]);

// For one of the plain options; nothing where it has no value.
export function plainOption(name, asked) {
  if (asked[name] !== null) return optionWords(PLAIN_OPTIONS[name][0], String(asked[name]));
  return name === "limit" && asked.maxTable === null ? optionWords(PLAIN_OPTIONS.limit[0], String(DEFAULT_LIMIT)) : [];
}

export const arcOptions = ({ required, forbidden }) => [
  ...required.flatMap((arc) => optionWords("--require", arc.join("->"))),
  ...forbidden.flatMap((arc) => optionWords("--forbid", arc.join("->"))),
];

// A command separates the ends of an arc by "->" and drops spaces around them.
export const canNameArcs = ({ required, forbidden }) =>
  [...required, ...forbidden].flat().every((name) => !name.includes("->") && name === name.trim());

export const tiersOption = ({ tiers }) => (tiers.length ? optionWords("--tiers", TIERS_FILE) : []);
