// The most contested decisions, where a meeting starts: each shows its pair of variables, its supporters and the cost
// of the alternatives.
import { $, element } from "./elements.js";
import { inputs, isCounted, named, turned } from "./networks.js";
import { amount, count, percent } from "./number-texts.js";
import { data, hasOwnDisputes, isOfResamples, solved } from "./page-data.js";
import { aloneIn } from "./reasons.js";
import { showInConsensus } from "./shown-arc.js";
import { DOING, NOT_SOLVED, price } from "./solved-again.js";
import { choose, onChoice, stage } from "./stage.js";

const MOST = 5;

const isChosen = (arc) => stage.chosen?.arc === arc || stage.chosen?.arc === turned(arc);

export function startContested() {
  onChoice(() => {
    for (const button of $("contested").querySelectorAll("button")) button.setAttribute("aria-pressed", isChosen(Number(button.dataset.arc)));
  });
  tellContested(data.disputes);
}

// disputes: PageDisputes of disputed.py; empty if they are not known, as for other limits. Resamples have no disputes.
export function tellContested(disputes) {
  const rows = isOfResamples || !disputes ? [] : disputes.shown.slice(0, MOST);
  const isElsewhere = !disputes && hasOwnDisputes && !isOfResamples && !solved.answer;
  $("contested-card").hidden = !rows.length && !isElsewhere;
  $("contested").replaceChildren(
    ...rows.map((row) => element("li", {}, decision(row))),
    isElsewhere ? element("li", { class: "note" }, "Known for the limit of this report alone.") : "",
  );
}

function decision(row) {
  const { arc, is_in, alternatives: [other] } = row;
  return element(
    "button",
    {
      type: "button",
      "data-arc": arc,
      "aria-pressed": String(isChosen(arc)),
      onclick: () => (isChosen(arc) ? choose(null) : showInConsensus(arc)),
    },
    element("span", { class: "pair" }, named(arc)),
    " ",
    element("span", { class: "votes" }, `${is_in ? "in" : "out"}: ${votes(row)}`),
    " ",
    element("span", { class: "cost" }, other ? otherwise(other, arc) : ""),
  );
}

function votes({ share, reversed_share, forward, backward, blind }) {
  const [own, back] = isCounted
    ? [`${forward.length} of ${inputs.length - blind.length}`, backward.length]
    : [percent(share), reversed_share && percent(reversed_share)];
  return back ? `${own}, ${back} reversed` : own;
}

// The cost of deciding it differently, with everything else solved again.
function otherwise({ decision, arc, cost, cost_at_least, added, dropped, reversed, barrier }, pair) {
  const doing = decision === "in" && arc === turned(pair) ? "Adding it reversed" : DOING[decision];
  if (barrier !== null) return `${doing} is not allowed.`;
  if (cost === null && data.disputes.stopped_by === NOT_SOLVED) return aloneText(arc ?? pair, doing);
  if (cost === null) return `The cost of ${doing.toLowerCase()} was not computed.`;
  const others = added.length + dropped.length + reversed.length;
  const costs = cost < -1e-8 ? `comes ${amount(-cost)} closer` : `costs ${price({ cost, cost_at_least })}`;
  return `${doing} ${costs}${others ? `; ${count(others, "other arc")} ${others === 1 ? "changes" : "change"}` : ""}.`;
}

// The effect of the decision alone, if nothing was solved again.
function aloneText(arc, doing) {
  const { change, barrier } = aloneIn(arc);
  if (barrier) return `${doing} alone ${barrier}.`;
  if (change === null) return "";
  const would = Math.abs(change) < 1e-8 ? "not change" : change > 0 ? "raise" : "lower";
  return `${doing} alone would ${would} the mean distance${would === "not change" ? "" : ` by ${amount(Math.abs(change))}`}.`;
}
