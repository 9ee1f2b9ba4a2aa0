// The command of the installed program that answers the same question; empty where it cannot name a rule.
import { arcOptions, canNameArcs, plainOption, tiersOption } from "./question-options.js";
import { quoted } from "./shell-words.js";

const USUAL = { metric: "smhd" }; // options with their default values

export function commandOf(question, files) {
  if (!canNameArcs(question)) return "";
  const { inputs, leftOut } = question;
  const words = ["bnfuse", "consensus"];
  for (const name of ["limit", "maxTable", "metric", "directions", "maxParents"]) {
    if (question[name] !== USUAL[name]) words.push(...plainOption(name, question));
  }
  words.push(...arcOptions(question), ...tiersOption(question));
  if (inputs.some(({ has }) => !has.every(Boolean))) words.push("--variables", "union");
  for (const { name, given } of inputs) if (given !== "1") words.push("--weight", `${name}=${given}`);
  for (const name of leftOut) words.push("--weight", `${name}=0`);
  return [...words, ...files, "-o", "consensus.bif"].map(quoted).join(" ");
}
