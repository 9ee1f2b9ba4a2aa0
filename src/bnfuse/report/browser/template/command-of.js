// The command of the installed program that answers the same question.
import { quoted } from "./shell-words.js";

export function commandOf({ inputs, maxClique, metric, directions, leftOut }, files) {
  const words = ["bnfuse", "consensus", "-t", String(maxClique)];
  if (metric !== "smhd") words.push("--metric", metric);
  if (directions !== "majority") words.push("--directions", directions);
  if (inputs.some(({ has }) => !has.every(Boolean))) words.push("--variables", "union");
  for (const { name, given } of inputs) if (given !== "1") words.push("--weight", `${name}=${given}`);
  for (const name of leftOut) words.push("--weight", `${name}=0`);
  return [...words, ...files, "-o", "consensus.bif"].map(quoted).join(" ");
}
