// Each input beside the consensus.
import { $, element, note } from "./elements.js";
import { whoDisagrees } from "./first-screen.js";
import { consensus, hasInputs, inputs, isCounted, ownersOf, turned } from "./networks.js";
import { whole } from "./number-texts.js";
import { makeTable } from "./sortable-table.js";
import { showThere } from "./view-choice.js";

// How an input stands to the consensus, in numbers of arcs.
function standing(input, i) {
  const own = [...input.arcs];
  return {
    i,
    input,
    arcs: own.length,
    kept: own.filter((code) => consensus.has(code)).length,
    turned: own.filter((code) => consensus.has(turned(code))).length,
    missing: [...consensus].filter((code) => !input.arcs.has(code) && !input.arcs.has(turned(code))).length,
    alone: own.filter((code) => ownersOf(code).length === 1 && !ownersOf(turned(code)).length).length,
  };
}

export function tellInputs() {
  if (!hasInputs) {
    $("apart").remove();
    return;
  }
  const rows = inputs.map(standing).sort((a, b) => b.input.distance - a.input.distance || a.i - b.i);
  const table = element("div");
  $("apart").replaceChildren(
    element("h2", {}, "Each input beside the consensus"),
    element("p", {}, ...whoDisagrees()),
    table,
    note(
      "An input stands apart when its distance to the consensus is more than three robust standard deviations above " +
        "the median (1.4826 times the median absolute deviation, at least 1). Its weight plays no part in that.",
    ),
  );
  makeTable(
    table,
    "Inputs",
    [
      {
        name: "Input",
        of: (row) => row.input.name,
        show: (row) => element("button", { type: "button", onclick: () => showThere(String(row.i)) }, row.input.name),
      },
      ...(isCounted ? [] : [{ name: "Weight", of: (row) => row.input.weight, isNumber: true }]),
      { name: "Distance", of: (row) => row.input.distance, show: (row) => whole(row.input.distance), isNumber: true },
      { name: "Arcs", of: (row) => row.arcs, isNumber: true },
      { name: "kept", of: (row) => row.kept, isNumber: true },
      { name: "reversed", of: (row) => row.turned, isNumber: true },
      { name: "dropped", of: (row) => row.arcs - row.kept - row.turned, isNumber: true },
      { name: "its own alone", of: (row) => row.alone, isNumber: true },
      { name: "lacks", of: (row) => row.missing, isNumber: true },
    ],
    rows,
    {
      isPlain: inputs.length < 12,
      strong: (row) => row.input.apart,
      note: "Its own alone: arcs that no other input has, either way round. " +
        "Lacks: arcs of the consensus that it does not have.",
    },
  );
}
