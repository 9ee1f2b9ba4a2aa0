// The notes on the quality of the consensus, in addition to the numbers.
import { $, element } from "./elements.js";
import { sentence } from "./first-screen.js";
import { hasInputs } from "./networks.js";
import { facts } from "./page-data.js";

const NOT_CAUSES = "Arcs are not causes: they show which variables help to predict each other";

export function tellNotes() {
  const work = facts.proof ? "proof" : "search";
  const said = [
    hasInputs ? null : facts.who, // inputs have a section of their own
    facts.itself,
    facts.ties,
    facts.coverage,
    facts.directions,
    facts.freedom,
    facts.weighting,
    facts.proof,
    facts.stopped_by === "finished" ? null : `the ${work} was stopped early (${facts.stopped_by})`,
    ...facts.notes.map((text) => text.replace(/\.$/, "")),
    NOT_CAUSES,
  ];
  $("notes").replaceChildren(...said.filter(Boolean).map((text) => element("li", {}, sentence(text))));
}
