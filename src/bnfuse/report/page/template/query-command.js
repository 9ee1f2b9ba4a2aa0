// The shell command that answers the page's present query.
import { element } from "./elements.js";
import { findings } from "./evidence.js";
import { findingOption } from "./findings.js";
import { variables } from "./page-data.js";
import { quoted } from "./shell-words.js";
import { toClipboard } from "./sortable-table.js";

export function queryCommand(file, variable) {
  const name = variables[variable];
  return [
    "bnfuse query",
    quoted(file),
    ...[...findings].flatMap((one) => findingOption(...one).map(quoted)),
    ...(name.startsWith("-") ? ["--"] : []),
    quoted(name),
  ].join(" ");
}

export const commandLine = (command) =>
  element(
    "div",
    { class: "command" },
    element("code", {}, command),
    element("button", { type: "button", onclick: () => toClipboard(command) }, "Copy"),
  );
