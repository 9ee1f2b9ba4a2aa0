// The origin of the result.
import { commandAtLimit, commandWithoutInput } from "./changed-command.js";
import { $, element, note } from "./elements.js";
import { inputs } from "./networks.js";
import { number, whole } from "./number-texts.js";
import { data, facts } from "./page-data.js";
import { commandLine } from "./query-command.js";
import { makeTable } from "./sortable-table.js";

export function tellOrigin() {
  const { files, command, version, time, options } = data.origin;
  const place = $("provenance");
  const pairs = Object.entries({
    ...options,
    "time of the search": time,
    "search took": `${number(facts.seconds)} s, ${facts.stopped_by}`,
    "written by": `bnfuse ${version}`,
  });
  const parts = [];
  if (command) {
    parts.push(element("h3", {}, "To repeat this run"), commandLine(command), ...changedRuns());
  }
  parts.push(
    element(
      "dl",
      {},
      ...pairs.filter(([, value]) => value !== null)
        .flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, String(value))]),
    ),
  );
  const list = element("div");
  parts.push(list);
  place.replaceChildren(...parts);
  if (files.length) {
    makeTable(
      list,
      "Files",
      [
        {
          name: "File",
          of: (file) => file.path,
          show: (file) => (file.left_out ? `${file.path} (left out: weight 0)` : file.path),
        },
        { name: "Bytes", of: (file) => file.size, show: (file) => whole(file.size), isNumber: true },
        { name: "SHA-256", of: (file) => file.sha256, show: (file) => element("code", {}, file.sha256) },
      ],
      files,
      { isPlain: files.length < 12 },
    );
  } else list.append(note("Made from networks in memory: no files are known."));
}

// Other runs than this one; those with or without an arc are in its details.
function changedRuns() {
  const [atLimit, parts] = [commandAtLimit(), []];
  if (atLimit) parts.push(element("h3", {}, "To find the network of the limit that is shown"), commandLine(atLimit));
  if (inputs.length < 2 || !commandWithoutInput("")) return parts;
  const line = element("div");
  const choice = element(
    "select",
    { "aria-label": "Input to leave out" },
    ...inputs.map(({ name }) => element("option", { value: name }, name)),
  );
  const update = () => line.replaceChildren(commandLine(commandWithoutInput(choice.value)));
  choice.addEventListener("change", update);
  update();
  const hint = "To require or forbid an arc, choose it: its details have the line.";
  return [...parts, element("h3", {}, "To leave an input out: ", choice), line, note(hint)];
}
