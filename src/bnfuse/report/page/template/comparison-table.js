// The consensus compared with the networks that people would use instead.
import { $ } from "./elements.js";
import { hasInputs, isWeighted, isWhole, measure } from "./networks.js";
import { large, number, whole } from "./number-texts.js";
import { data, facts, INPUT, isOfResamples, METRIC } from "./page-data.js";
import { makeTable } from "./sortable-table.js";

export function tellComparison() {
  const half = facts.metric === "shd" ? " (a reversed arc counts half)" : "";
  const columns = [
    { name: "Network", of: (one) => one.name },
    { name: `Mean ${METRIC}`, of: (one) => one.distance, show: (one) => number(one.distance), isNumber: true },
    { name: "Largest clique", of: (one) => Number.parseInt(one.clique, 10), show: (one) => one.clique, isNumber: true },
    { name: "Arcs", of: (one) => one.arcs, show: (one) => whole(one.arcs), isNumber: true },
  ];
  makeTable($("compared"), "If each of these were the consensus", columns, data.compared, {
    strong: (one) => one === data.compared[0],
    isPlain: data.compared.length < 12,
    note: (facts.majority === null ? "" : `Majority vote: arcs ${majority()}${half}, strongest first, within the limit, as people use it today. `) +
      `Clique tables of the consensus: ${large(facts.tables)} numbers` +
      `${facts.states_known ? "" : ", with two states for each variable"}.`,
  });
}

// The arcs of a majority.
function majority() {
  const voters = isWhole ? "" : " that have both variables";
  if (measure === "votes") return `with more than half of the votes${voters && ` of those${voters}`}`;
  const byWeight = isOfResamples || (hasInputs && !isWeighted) ? "" : ", by weight,";
  return `that more than half of the ${INPUT}s${voters}${byWeight} have`;
}
