// The changes of the newest answer, marked in the picture: arcs that were added, dropped or reversed, until the next
// answer.
import { $, svgElement } from "./elements.js";
import { arcElements, ofMembers } from "./network-picture.js";
import { sourceOf, targetOf } from "./networks.js";
import { data, variables } from "./page-data.js";
import { onMove } from "./places.js";
import { onView, stage } from "./stage.js";

const KINDS = ["came", "went", "turned"];
const MOST = 300; // with more marks than this, nothing is marked

// tellChanges: gets the changes by names; whose: returns the names of their authors, if any are known.
export function startMarks(tellChanges = () => {}, whose = () => []) {
  const group = svgElement("g", { id: "marks", "aria-hidden": "true" });
  const over = svgElement("g", { id: "marked-by", "aria-hidden": "true" }); // names stand over the arcs
  $("arcs").before(group);
  $("arcs").after(over);
  const draw = () => {
    group.replaceChildren(...(stage.view.key === "consensus" ? marks() : []));
    const halos = [...group.querySelectorAll(".halo")];
    over.replaceChildren(...halos.flatMap((halo) => names(halo, whose())));
  };
  onView(draw);
  onMove(draw);
  draw();
  const ends = (code) => [variables[sourceOf(code)], variables[targetOf(code)]];
  tellChanges(data.changed && Object.fromEntries(KINDS.map((kind) => [kind, data.changed[kind].map(ends)])));
}

// The author of a change, next to the middle of the arc.
function names(halo, people) {
  if (!people?.length) return [];
  const { x, y } = halo.getPointAtLength(halo.getTotalLength() / 2);
  const text = svgElement("text", { class: "by", x: x + 9, y });
  text.textContent = people.join(", ");
  return [text];
}

function marks() {
  if (!data.changed || KINDS.reduce((sum, kind) => sum + data.changed[kind].length, 0) > MOST) return [];
  return KINDS.flatMap((kind) => {
    const arcs = ofMembers(data.changed[kind].map((code) => [code, "kept"]));
    return arcElements(arcs, { kept: kind }).flatMap((arc) => {
      const d = arc.querySelector(".line").getAttribute("d");
      const halo = svgElement("path", { class: `halo ${kind}`, d });
      return [halo, ...(kind === "went" ? [svgElement("path", { class: "ghost", d })] : [])];
    });
  });
}
