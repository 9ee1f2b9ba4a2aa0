// The cliques that exact inference in the consensus works with.
import { $ } from "./elements.js";
import { large, whole } from "./number-texts.js";
import { data, facts, variables } from "./page-data.js";
import { makeTable } from "./sortable-table.js";

export function tellCliques() {
  const { all, shown } = data.cliques;
  const columns = [
    { name: "Size", of: (row) => row.length - 1, isNumber: true },
    { name: "Variables", of: (row) => row.slice(1).map((v) => variables[v]).join(", ") },
    { name: "Numbers in its table", of: (row) => Number(row[0]), show: (row) => large(row[0]), isNumber: true },
  ];
  const largest = shown[0].length - 1;
  const notes = [
    "The maximal cliques of the triangulated moral graph: what exact inference in the consensus works with. " +
    `Their tables have ${large(facts.tables)} numbers together.`,
    shown.length < all ? `The largest of ${whole(all)}.` : "",
    largest > facts.clique
      ? `Of all triangulations found this one has the fewest numbers; another has no clique above ${facts.clique}.`
      : "",
    facts.states_known ? "" : "Two states are assumed for each variable.",
  ];
  makeTable($("clique-table"), "Cliques", columns, shown, { note: notes.filter(Boolean).join(" ") });
}
