// Goes to an arc from anywhere on the page.
import { $ } from "./elements.js";
import { leaveFor } from "./neighbourhood.js";
import { isShown } from "./network-picture.js";
import { consensus, fusion, ownersOf, shareEitherWay, sourceOf, statusOf, targetOf } from "./networks.js";
import { choose, show, stage } from "./stage.js";
import { goTo } from "./viewport.js";
import { thresholdSteps } from "./views.js";

// Where only counts are known, a dropped arc is in the view of the consensus alone, from its own support on.
const leastFor = (code) =>
  statusOf(code) === "dropped" ? { least: Math.max(1, Math.floor(shareEitherWay(code) * thresholdSteps)) } : {};

// Chooses an arc in the view of the consensus, which shows the arcs that it lacks from their own support on.
export function showInConsensus(code) {
  leaveFor(sourceOf(code), targetOf(code));
  if (stage.view.key !== "consensus" || !isShown(code)) show({ key: "consensus", ...leastFor(code) });
  goTo(sourceOf(code));
  choose({ arc: code });
}

// Chooses an arc, in a view that has it.
export function showArc(code) {
  leaveFor(sourceOf(code), targetOf(code));
  if (!isShown(code)) {
    const [owner] = ownersOf(code);
    const isFused = Boolean(fusion && fusion.has(code));
    if (consensus.has(code) || (owner === undefined && !isFused)) show({ key: "consensus", ...leastFor(code) });
    else show({ key: String(owner ?? "fusion") });
  }
  goTo(sourceOf(code));
  choose({ arc: code });
  $("first").scrollIntoView();
}
