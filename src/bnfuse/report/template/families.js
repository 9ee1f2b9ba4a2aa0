// The family of a variable in the network of a view: its Markov blanket.
import { sourceOf, targetOf } from "./networks.js";
import { stage } from "./stage.js";
import { mainNetwork } from "./views.js";

// Whether an arc of the view belongs to the network that is shown, and is not only there for comparison.
export const isPart = (code) => mainNetwork(stage.view).has(code);

export function family(variable) {
  const [parents, children, spouses] = [[], [], new Set()];
  const arcs = mainNetwork(stage.view);
  for (const code of arcs) {
    if (targetOf(code) === variable) parents.push(sourceOf(code));
    if (sourceOf(code) === variable) children.push(targetOf(code));
  }
  const isChild = new Set(children);
  for (const code of arcs) {
    if (isChild.has(targetOf(code)) && sourceOf(code) !== variable) spouses.add(sourceOf(code));
  }
  for (const one of [...parents, ...children]) spouses.delete(one);
  return { parents, children, spouses: [...spouses] };
}
