// Where the result comes from.
import { $, element, note } from "./elements.js";
import { number, whole } from "./number-texts.js";
import { data, facts } from "./page-data.js";
import { makeTable, toClipboard } from "./sortable-table.js";

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
    parts.push(
      element("h3", {}, "To repeat this run"),
      element(
        "div",
        { class: "command" },
        element("code", {}, command),
        element("button", { type: "button", onclick: () => toClipboard(command) }, "Copy"),
      ),
    );
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
        { name: "File", of: (file) => file.path },
        { name: "Bytes", of: (file) => file.size, show: (file) => whole(file.size), isNumber: true },
        { name: "SHA-256", of: (file) => file.sha256, show: (file) => element("code", {}, file.sha256) },
      ],
      files,
      { isPlain: files.length < 12 },
    );
  } else list.append(note("Made from networks in memory: no files are known."));
}
