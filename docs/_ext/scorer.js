/* Sphinx puts this in front of its search: which results come first. */
"use strict";

// Beside each result, Sphinx shows lines of the page, which it fetches. Browsers refuse that for files.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

const MEASURED =
  /^(reproduction|genetic|direct|bounded|limit|asking|truth|schools|benchmark-networks|metrics|changelog|contributing)$/;
const asked = (new URLSearchParams(location.search).get("q") || "").trim().toLowerCase().replace(/\(\)$/, "");

/** 100 where a result is named exactly as was asked, less where its name begins with that or has it as a word. */
function nameScore(full) {
  const name = full.replace(/^the /, "");
  if (name === asked || name === `bnfuse ${asked}`) return 100;
  if (name.startsWith(asked)) return 40;
  return ` ${name} `.includes(` ${asked} `) ? 30 : 0;
}

var Scorer = {
  score: ([page, title, anchor, description, score, , kind]) => {
    const name = title.toLowerCase();
    // An option is what somebody means who begins with a hyphen; of several commands that have it, consensus comes first.
    const isOption = page === "reference/commands" && (anchor || "").includes("--");
    if (isOption) return score + (asked.startsWith("-") ? anchor.includes("bnfuse-consensus-") : -60);
    if (kind === "object") {
      const parts = name.split(".");
      const isTerm = (description || "").startsWith("term");
      if (name === asked && isTerm) return 120;
      if (parts.at(-1) !== asked && name !== asked) return score;
      return parts[0] === "bnfuse" && parts.length === 2 ? 150 : 30;
    }
    const [part, ...above] = name.split(" > ").reverse();
    const own = nameScore(part) - 5 * above.length;
    return score + own - (MEASURED.test(page) ? 12 : 0) - (page.startsWith("_modules") ? 50 : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
