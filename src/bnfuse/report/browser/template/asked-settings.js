// The settings: limits, the distance, and rules for arcs, with the fields of a report that solves again.
import { tellRefused } from "./answer-line.js";
import { decided } from "./arc-choices.js";
import { stateCounts, variablesOf } from "./asked-question.js";
import { bridge } from "./bridge.js";
import { $, note } from "./elements.js";
import { ask, held, onHeld } from "./held-inputs.js";
import { capital } from "./number-texts.js";
import { limitFields, ruleFields } from "./question-fields.js";

const HINT = "A clique is a set of variables that exact inference handles together: the smaller the limit, the faster the network answers.";

const asking = {
  get now() {
    return held.settings;
  },
  get variables() {
    return variablesOf(held.inputs);
  },
  get hasStates() {
    return stateCounts(this.variables, held.inputs).every((count) => count !== null);
  },
  change: ask,
  refuse: (why) => tellRefused(`${capital(why)}.`),
  decide: (kind, arc) => ask(decided(held.settings, kind, arc)),
};

export function startSettings() {
  bridge.decide = asking.decide; // by the details of an arc
  const [limits, rules] = [limitFields, ruleFields].map((fields) => renewing(fields));
  onHeld(({ inputs, settings: { required, forbidden, tiers } }) => {
    $("settings-part").hidden = !inputs.length;
    if (!inputs.length) return;
    limits(asking.hasStates);
    rules([required, forbidden, tiers]);
  });
}

// Fields that are renewed only if their content changes: somebody may be typing in them.
function renewing(fields) {
  let [shown, last] = [null, null];
  return (what) => {
    const key = JSON.stringify(what);
    if (key === last) return;
    last = key;
    const next = fields(asking);
    if (shown) shown.replaceWith(next);
    else $("settings").append(next, ...(fields === limitFields ? [note(HINT)] : []));
    shown = next;
  };
}
