// The cliques that exact inference in the consensus uses.
import { $ } from "./elements.js";
import { large, whole } from "./number-texts.js";
import { data, facts, variables } from "./page-data.js";
import { makeTable } from "./sortable-table.js";

export function tellCliques() {
  const { all, shown } = data.cliques;
  const columns = [
    { name: "Size", of: (clique) => clique.variables.length, isNumber: true },
    { name: "Variables", of: (clique) => clique.variables.map((v) => variables[v]).join(", ") },
    ...(data.numbers
      ? []
      : [{ name: "Numbers in its table", of: ({ table }) => Number(table), show: ({ table }) => large(table), isNumber: true }]),
  ];
  const largest = Math.max(...shown.map((clique) => clique.variables.length));
  const notes = [
    data.numbers
      ? "The maximal cliques of the triangulated moral graph."
      : "The maximal cliques of the triangulated moral graph, which exact inference in the consensus uses. " +
        `Their tables have ${large(facts.tables)} numbers together.`,
    shown.length < all ? `The largest of ${whole(all)}.` : "",
    largest > facts.clique
      ? `Of all triangulations found this one has the fewest numbers; another has no clique above ${facts.clique}.`
      : "",
    facts.states_known || data.numbers ? "" : "Two states are assumed for each variable.",
  ];
  makeTable($("clique-table"), "Cliques", columns, shown, { note: notes.filter(Boolean).join(" ") });
}
