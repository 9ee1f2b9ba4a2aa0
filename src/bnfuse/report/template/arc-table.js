// Every arc, who has it, and why it is in or out.
import { $, element } from "./elements.js";
import { isShown } from "./network-picture.js";
import {
  blindTo,
  consensus,
  fusion,
  inputs,
  isCounted,
  isWhole,
  measure,
  ownersOf,
  reversible,
  share,
  sourceOf,
  STATUS,
  statusOf,
  supports,
  targetOf,
  turned,
  votersOf,
} from "./networks.js";
import { whole } from "./number-texts.js";
import { data, variables } from "./page-data.js";
import { reasons, why } from "./reasons.js";
import { makeTable } from "./sortable-table.js";
import { choose, show } from "./stage.js";
import { goTo } from "./viewport.js";

export function tellArcs() {
  const codes = new Set([...consensus, ...supports.keys(), ...(fusion || [])]);
  const rows = [...codes].sort((a, b) => consensus.has(b) - consensus.has(a) || share(b) - share(a) || a - b);
  const from = (code) =>
    element("button", { type: "button", onclick: () => showArc(code) }, variables[sourceOf(code)]);
  const shown = (part) => Number((100 * part).toFixed(1));
  const many = isCounted ? (code) => ownersOf(code).length : (code) => shown(share(code));
  const voters = isCounted
    ? (code) => inputs.length - blindTo(code).length
    : (code) => shown(votersOf(code) / data.weight);
  const status = (code) => STATUS[statusOf(code)];
  const columns = [
    { name: "From", of: (code) => variables[sourceOf(code)], show: from },
    { name: "To", of: (code) => variables[targetOf(code)] },
    { name: "Status", of: status },
    { name: isCounted ? countedName() : `Share of the ${measure} in %`, of: many, isNumber: true },
    { name: "Other way round", of: (code) => many(turned(code)), isNumber: true },
    ...(isWhole ? [] : [{ name: isCounted ? "With both variables" : "With both in %", of: voters, isNumber: true }]),
    { name: "Direction", of: (code) => (consensus.has(code) ? (reversible.has(code) ? "free" : "fixed") : "") },
    { name: "Why it is in or out", of: (code) => why(code).join(" ") },
  ];
  const looked = [...reasons.values()].filter((reason) => reason.clique !== null).length;
  const partly = isWhole || isCounted ? "" : " Shares are of the inputs with both variables.";
  const all = `Every arc of the consensus, of the inputs${fusion ? " and of their full fusion" : ""}.${partly}`;
  const some = `The clique that a dropped arc would make was looked for in ${whole(looked)} of ${
    whole(reasons.size)
  } cases: first where the arc would bring the consensus closer, then by support.`;
  makeTable($("arc-table"), "Arcs", columns, rows, {
    choices: { options: Object.values(STATUS).filter((one) => rows.some((code) => status(code) === one)), of: status },
    note: reasons.size > looked ? `${all} ${some}` : all,
  });
}

const countedName = () => (isWhole ? `Inputs (of ${inputs.length})` : "Inputs");

// Chooses an arc, in a view that has it.
function showArc(code) {
  if (!isShown(code)) {
    const [owner] = ownersOf(code);
    const isFused = Boolean(fusion && fusion.has(code));
    show({ key: consensus.has(code) || (owner === undefined && !isFused) ? "consensus" : String(owner ?? "fusion") });
  }
  goTo(sourceOf(code));
  choose({ arc: code });
  $("first").scrollIntoView();
}
