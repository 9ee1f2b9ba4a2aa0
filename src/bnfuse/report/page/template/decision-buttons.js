// At the end of the facts of an arc: to find the consensus with it or without it.
import { turnedRound } from "./arc-choices.js";
import { changeOf } from "./changed-command.js";
import { element } from "./elements.js";
import { consensus, sourceOf, targetOf } from "./networks.js";
import { variables } from "./page-data.js";

// decide: gets the kind of a rule (arc-choices.js), and its arc by names.
export function decisionButtons(code, decide) {
  const arc = [variables[sourceOf(code)], variables[targetOf(code)]];
  const isIn = consensus.has(code);
  const button = (words, kind, ends = arc) => element("button", { type: "button", onclick: () => decide(kind, ends) }, words);
  return element(
    "div",
    { class: "again-decisions" },
    element("h4", {}, "Solve again"),
    isIn ? button("without it", "apart") : button("with it", "required"),
    isIn ? button("with it reversed", "required", turnedRound(arc)) : "",
    changeOf(code, isIn) || "",
  );
}
