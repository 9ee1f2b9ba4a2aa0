// Every arc, who has it, and why it is out.
import { $, element } from "./elements.js";
import { isShown } from "./network-picture.js";
import {
  consensus,
  fusion,
  inputs,
  isCounted,
  ownersOf,
  reversible,
  share,
  sourceOf,
  STATUS,
  statusOf,
  support,
  supports,
  targetOf,
  turned,
} from "./networks.js";
import { whole } from "./number-texts.js";
import { variables } from "./page-data.js";
import { reasons, why } from "./reasons.js";
import { makeTable } from "./sortable-table.js";
import { choose, show } from "./stage.js";
import { goTo } from "./viewport.js";

export function tellArcs() {
  const codes = new Set([...consensus, ...supports.keys(), ...(fusion || [])]);
  const rows = [...codes].sort((a, b) => consensus.has(b) - consensus.has(a) || support(b) - support(a) || a - b);
  const from = (code) =>
    element("button", { type: "button", onclick: () => showArc(code) }, variables[sourceOf(code)]);
  const many = isCounted ? (code) => ownersOf(code).length : (code) => Number((100 * share(code)).toFixed(1));
  const status = (code) => STATUS[statusOf(code)];
  const columns = [
    { name: "From", of: (code) => variables[sourceOf(code)], show: from },
    { name: "To", of: (code) => variables[targetOf(code)] },
    { name: "Status", of: status },
    { name: isCounted ? `Inputs (of ${inputs.length})` : "Share of the weight in %", of: many, isNumber: true },
    { name: "Other way round", of: (code) => many(turned(code)), isNumber: true },
    { name: "Direction", of: (code) => (consensus.has(code) ? (reversible.has(code) ? "free" : "fixed") : "") },
    { name: "Why it is out", of: (code) => why(code).join(" ") },
  ];
  const looked = [...reasons.values()].filter((reason) => reason.clique !== null).length;
  const all = `Every arc of the consensus, of the inputs${fusion ? " and of their full fusion" : ""}.`;
  const some = `The clique that a dropped arc would make was looked for in ${whole(looked)} of ${
    whole(reasons.size)
  } cases: first where the arc would bring the consensus closer, then by support.`;
  makeTable($("arc-table"), "Arcs", columns, rows, {
    choices: { options: Object.values(STATUS).filter((one) => rows.some((code) => status(code) === one)), of: status },
    note: reasons.size > looked ? `${all} ${some}` : all,
  });
}

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
