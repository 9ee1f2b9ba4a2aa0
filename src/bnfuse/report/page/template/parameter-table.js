// The variables with their states and the sizes of their probability tables.
import { $, element, note } from "./elements.js";
import { whole } from "./number-texts.js";
import { data, hasOwnTables, limits, variables } from "./page-data.js";
import { makeTable } from "./sortable-table.js";
import { goTo } from "./viewport.js";

const ownLimit = () => {
  const value = limits.limits[limits.own];
  return value === null ? "" : `, ${whole(value)},`;
};

export function tellParameters() {
  const place = $("parameters");
  if (!data.tables) {
    place.replaceChildren(
      element("h3", {}, "Parameters"),
      note(
        hasOwnTables
          ? `Only the network of this report\u2019s own limit${ownLimit()} has probability tables here.`
          : "This consensus is a structure: it has no probability tables.",
      ),
    );
    return;
  }
  const rows = variables.map((_, i) => i);
  makeTable(
    place,
    "Parameters",
    [
      {
        name: "Variable",
        of: (v) => variables[v],
        show: (v) =>
          element("button", {
            type: "button",
            onclick: () => {
              goTo(v);
              $("first").scrollIntoView();
            },
          }, variables[v]),
      },
      { name: "States", of: (v) => data.tables.states[v].join(", ") },
      {
        name: "Numbers in its table",
        of: (v) => data.tables.sizes[v],
        show: (v) => whole(data.tables.sizes[v]),
        isNumber: true,
      },
    ],
    rows,
  );
  $("parameters").append(element("p", { class: "note off-paper" }, "Choose a variable to see its table beside the network."));
}
