// What the page is made of; page_data.py writes it.
import { $ } from "./elements.js";

export const data = JSON.parse($("data").textContent);
export const facts = data.facts;
export const layout = data.layout;
export const variables = data.variables;
export const ONLY_COUNTS = "Tallies and votes for arcs have only counts: who disagrees is not known.";
export const isOfResamples = data.stability !== null; // nobody disagrees: the question is how stable arcs are
export const INPUT = isOfResamples ? "resample" : "input";
export const METRIC = { smhd: "SMHD", fsim: "FSim", shd: "SHD" }[facts.metric];
