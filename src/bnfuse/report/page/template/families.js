// The family of a variable in the network of a view: its Markov blanket.
import { sourceOf, targetOf } from "./networks.js";
import { stage } from "./stage.js";
import { mainFree, mainNetwork } from "./views.js";

// Whether an arc of the view belongs to the network that is shown, rather than being shown for comparison.
export const isPart = (code) => mainNetwork(stage.view).has(code);

// Neighbours by arcs without a direction, which makes no difference to the blanket.
export function family(variable) {
  const [parents, children, neighbours, spouses] = [[], [], [], new Set()];
  const [arcs, free] = [mainNetwork(stage.view), mainFree(stage.view)];
  const isChild = new Set();
  for (const code of arcs) {
    if (targetOf(code) === variable) (free.has(code) ? neighbours : parents).push(sourceOf(code));
    if (sourceOf(code) === variable) {
      (free.has(code) ? neighbours : children).push(targetOf(code));
      isChild.add(targetOf(code));
    }
  }
  for (const code of arcs) {
    if (isChild.has(targetOf(code)) && sourceOf(code) !== variable) spouses.add(sourceOf(code));
  }
  for (const one of [...parents, ...children, ...neighbours]) spouses.delete(one);
  return { parents, children, neighbours, spouses: [...spouses] };
}
