// Each input compared with the consensus.
import { $, element, note } from "./elements.js";
import { whoDisagrees } from "./first-screen.js";
import {
  consensus,
  hasInputs,
  inputs,
  isWeighted,
  isWhole,
  ownersOf,
  sourceOf,
  targetOf,
  turned,
} from "./networks.js";
import { whole } from "./number-texts.js";
import { variables } from "./page-data.js";
import { makeTable } from "./sortable-table.js";
import { showThere } from "./view-choice.js";

// The differences between an input and the consensus, in numbers of arcs.
function standing(input, i) {
  const own = [...input.arcs];
  const isKept = (code) => consensus.has(code) || (input.free.has(code) && consensus.has(turned(code)));
  const has = (code) => input.arcs.has(code) || input.arcs.has(turned(code));
  const sees = (code) => !input.lacks.has(sourceOf(code)) && !input.lacks.has(targetOf(code));
  return {
    i,
    input,
    arcs: own.length,
    kept: own.filter(isKept).length,
    turned: own.filter((code) => consensus.has(turned(code)) && !isKept(code)).length,
    missing: [...consensus].filter((code) => sees(code) && !has(code)).length,
    alone: own.filter((code) => [...ownersOf(code), ...ownersOf(turned(code))].every((other) => other === i)).length,
  };
}

export function tellInputs() {
  if (!hasInputs) {
    $("apart").remove();
    return;
  }
  const rows = inputs.map(standing).sort((a, b) => b.input.distance - a.input.distance || a.i - b.i);
  const table = element("div");
  const isCausal = inputs.some(({ causal }) => Number.isInteger(causal));
  const pairs = variables.length * (variables.length - 1);
  const causally = isCausal
    ? ` Causal distance: if the input were true, for how many of the ${whole(pairs)} ordered pairs of variables adjusting for ` +
      "the first one's parents in the consensus would give a wrong effect on the second (structural intervention distance, SID)."
    : "";
  const partly = isWhole ? "" : ` Variables: how many of the ${variables.length} it has; its distance is on their pairs.`;
  $("apart").replaceChildren(
    element("h2", {}, "Each input compared with the consensus"),
    element("p", {}, ...whoDisagrees()),
    table,
    note(
      "An input may stand apart if its distance to the consensus is so far above the median that chance alone would put " +
        "some input that far in only one panel of this size in twenty, and one robust standard deviation or more above all others (1.4826 " +
        "times the median absolute deviation, at least 1 and the square root of twice the median). Its weight plays no part.",
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
      ...(isWeighted ? [{ name: "Weight", of: (row) => row.input.weight, show: (row) => row.input.given, isNumber: true }] : []),
      ...(isWhole ? [] : [{ name: "Variables", of: (row) => variables.length - row.input.lacks.size, isNumber: true }]),
      { name: "Distance", of: (row) => row.input.distance, show: (row) => whole(row.input.distance), isNumber: true },
      ...(isCausal
        ? [{
          name: "Causal distance",
          of: (row) => row.input.causal ?? "",
          show: (row) => (Number.isInteger(row.input.causal) ? whole(row.input.causal) : "\u2013"),
          isNumber: true,
        }]
        : []),
      { name: "Arcs", of: (row) => row.arcs, isNumber: true },
      { name: "kept", of: (row) => row.kept, isNumber: true },
      { name: "reversed", of: (row) => row.turned, isNumber: true },
      { name: "dropped", of: (row) => row.arcs - row.kept - row.turned, isNumber: true },
      { name: "unique", of: (row) => row.alone, isNumber: true },
      { name: "lacks", of: (row) => row.missing, isNumber: true },
    ],
    rows,
    {
      isPlain: inputs.length < 12,
      strong: (row) => row.input.apart,
      note: "Unique: arcs that no other input has in either direction. " +
        `Lacks: arcs of the consensus that it does not have${isWhole ? "" : ", though it has both variables"}.${causally}${partly}`,
    },
  );
}
