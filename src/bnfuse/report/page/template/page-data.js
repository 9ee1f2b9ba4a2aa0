// The data of the page: page_schema.py describes each field; other_limits.py describes the changes for other limits.
import { answeredData } from "./answered-data.js";
import { changed } from "./changes.js";
import { $ } from "./elements.js";
import { withNames } from "./records.js";
import { remembered } from "./restart.js";

const { limits: others, ...own } = JSON.parse($("data").textContent);
export const limits = others;
export const limit = remembered("limit", { place: limits && limits.own }); // among those of the slider
const change = limits && limits.changes[limit.place];

// The answer that is shown, if the page has solved again: see solving-panel.js.
export const solved = remembered("solved", { answer: null });

const given = withNames(change && !solved.answer ? changed(own, change) : own);
export const data = solved.answer ? answeredData(given, solved.answer) : given;
export const hasOwnTables = Boolean(own.tables);
export const hasOwnDisputes = Boolean(own.disputes?.pairs);
export const facts = data.facts;
export const layout = data.layout;
export const variables = data.variables;
export const ONLY_COUNTS = "Tallies and votes for arcs have only counts: who disagrees is not known.";
export const isOfResamples = data.stability !== null; // nobody disagrees: the question is how stable the arcs are
export const INPUT = isOfResamples ? "resample" : "input";
export const METRIC = { smhd: "SMHD", fsim: "FSim", shd: "SHD" }[facts.metric];
