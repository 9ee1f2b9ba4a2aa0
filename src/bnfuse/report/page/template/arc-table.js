// Every arc, the inputs that have it, and why it is in or out.
import { $, element } from "./elements.js";
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
import { data, INPUT, isOfResamples, variables } from "./page-data.js";
import { reasons, why } from "./reasons.js";
import { showArc } from "./shown-arc.js";
import { NOT_SOLVED } from "./solved-again.js";
import { csvCell, makeTable } from "./sortable-table.js";
import { byStrength, isStrong } from "./stability.js";
import { stabilityColumns } from "./stable-arcs.js";

const status = (code) => STATUS[statusOf(code)];

function rowsOfArcs() {
  const codes = new Set([...consensus, ...supports.keys(), ...(fusion || [])]);
  const bySupport = isOfResamples ? byStrength : (a, b) => share(b) - share(a) || a - b;
  return [...codes].sort((a, b) => consensus.has(b) - consensus.has(a) || bySupport(a, b));
}

function columnsOfArcs() {
  const from = (code) =>
    element("button", { type: "button", onclick: () => showArc(code) }, variables[sourceOf(code)]);
  const shown = (part) => Number((100 * part).toFixed(1));
  const many = isCounted ? (code) => ownersOf(code).length : (code) => shown(share(code));
  const voters = isCounted
    ? (code) => inputs.length - blindTo(code).length
    : (code) => shown(votersOf(code) / data.weight);
  return [
    { name: "From", of: (code) => variables[sourceOf(code)], show: from },
    { name: "To", of: (code) => variables[targetOf(code)] },
    { name: "Status", of: status },
    ...(isOfResamples ? [...stabilityColumns(), { name: "Strong", of: (code) => (isStrong(code) ? "yes" : "no") }] : [
      { name: isCounted ? countedName() : `Share of the ${measure} in %`, of: many, isNumber: true },
      { name: "Reversed", of: (code) => many(turned(code)), isNumber: true },
    ]),
    ...(isWhole ? [] : [{ name: isCounted ? "With both variables" : "With both in %", of: voters, isNumber: true }]),
    { name: isOfResamples ? "Free or fixed" : "Direction", of: (code) => (consensus.has(code) ? (reversible.has(code) ? "free" : "fixed") : "") },
    { name: "Why it is in or out", of: (code) => why(code).join(" ") },
  ];
}

export function arcsAsCsv() {
  const columns = columnsOfArcs();
  const cells = [columns.map(({ name }) => name), ...rowsOfArcs().map((code) => columns.map(({ of }) => of(code)))];
  return cells.map((row) => `${row.map(csvCell).join()}\r\n`).join("");
}

export function tellArcs() {
  const rows = rowsOfArcs();
  const looked = [...reasons.values()].filter((reason) => reason.clique !== null).length;
  const partly = isWhole || isCounted ? "" : ` Shares are of the ${INPUT}s with both variables.`;
  const all = `Every arc of the consensus, of the ${INPUT}s${fusion ? " and of their full fusion" : ""}.${partly}`;
  const some = `The clique that a dropped arc would make was computed in ${whole(looked)} of ${
    whole(reasons.size)
  } cases: first where the arc would bring the consensus closer, then by support.`;
  makeTable($("arc-table"), "Arcs", columnsOfArcs(), rows, {
    choices: {
      options: Object.values(STATUS).filter((one) => rows.some((code) => status(code) === one)),
      of: status,
      last: STATUS.added,
    },
    note: [all, ...(reasons.size > looked ? [some] : []), ...solvedNote()].join(" "),
  });
}

function solvedNote() {
  if (!data.disputes?.pairs) return [];
  const { pairs, shown, stopped_by: stoppedBy } = data.disputes;
  if (stoppedBy === NOT_SOLVED) {
    return [
      `The inputs dispute ${whole(pairs)} pairs. What a decision costs with everything else solved again was not computed: bnfuse disputes does that.`,
    ];
  }
  const which = shown.length < pairs ? `the ${whole(shown.length)} most contested of ${whole(pairs)} disputed pairs` : "disputed pairs";
  const cut = stoppedBy === "finished" ? "" : " That took too long to finish: some costs are not known.";
  return [`For ${which}, everything else was solved again with the other decision; for other arcs, nothing else changes.${cut}`];
}

const countedName = () => (isWhole ? `Inputs (of ${inputs.length})` : "Inputs");
