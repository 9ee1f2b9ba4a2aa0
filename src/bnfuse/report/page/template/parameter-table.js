// The variables with their states and the sizes of their probability tables, or with the numbers of a Gaussian network.
import { $, element, note } from "./elements.js";
import { digits } from "./number-findings.js";
import { whole } from "./number-texts.js";
import { data, hasOwnTables, limits, variables } from "./page-data.js";
import { makeTable } from "./sortable-table.js";
import { goTo } from "./viewport.js";

const ownLimit = () => {
  const value = limits.limits[limits.own];
  return value === null ? "" : `, ${whole(value)},`;
};

const variableColumn = {
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
};

function tellNumbers(place) {
  const { parents, coefficients, intercepts, deviations } = data.numbers.consensus;
  const factors = (v) => parents[v].map((parent, i) => `${variables[parent]} ${digits(coefficients[v][i])}`).join(", ");
  const numeric = (name, own) => ({ name, of: (v) => own[v], show: (v) => digits(own[v]), isNumber: true });
  const columns = [
    variableColumn,
    numeric("Intercept", intercepts),
    { name: "Coefficients of its parents", of: factors },
    numeric("Standard deviation", deviations),
  ];
  makeTable(place, "Parameters", columns, variables.map((_, v) => v), {
    note: "A variable is its intercept, plus each parent times its coefficient, plus normal noise with this standard deviation.",
  });
}

export function tellParameters() {
  const place = $("parameters");
  if (data.numbers) {
    tellNumbers(place);
    return;
  }
  if (!data.tables) {
    place.replaceChildren(
      element("h3", {}, "Parameters"),
      note(
        hasOwnTables
          ? `Only the network of this report\u2019s own limit${ownLimit()} has probability tables here.`
          : "This page has no parameters: the consensus is a structure, or a Gaussian network of more than 300 variables.",
      ),
    );
    return;
  }
  const rows = variables.map((_, i) => i);
  makeTable(
    place,
    "Parameters",
    [
      variableColumn,
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
