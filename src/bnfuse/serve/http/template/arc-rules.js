// The rules on arcs: which must be there and which must not; more can be added by name.
import { bridge } from "./bridge.js";
import { $, element } from "./elements.js";
import { count } from "./number-texts.js";
import { renew } from "./renewed.js";
import { change, onWork } from "./work.js";

export function startRules() {
  const place = element("ul", { class: "arcs-said", "aria-label": "Rules on arcs" });
  const { form, tell } = addForm();
  $("rules").append(place, form);
  onWork(({ question, variables }) => {
    const rules = [
      ...question.required.map((arc) => [arc, "required"]),
      ...forbidden(question.forbidden),
    ];
    const tiers = question.tiers.length;
    $("rules-count").textContent = [rules.length ? count(rules.length, "arc") : "", tiers ? count(tiers, "tier") : ""]
      .filter(Boolean).join(", ");
    renew(place, ...rules.map((rule) => ruleRow(...rule)));
    tell(variables);
  });
}

// A pair that is forbidden in both directions is one rule.
function forbidden(arcs) {
  const known = new Set(arcs.map((arc) => JSON.stringify(arc)));
  const isPair = ([source, target]) => known.has(JSON.stringify([target, source]));
  return arcs.filter((arc) => !isPair(arc) || arc[0] < arc[1]).map((arc) => [arc, "forbidden", isPair(arc) ? "\u2194" : "\u2192"]);
}

function ruleRow([source, target], say, arrow = "\u2192") {
  const row = element(
    "li",
    {},
    element("span", { class: `say ${say}` }, say),
    element("button", {
      type: "button",
      class: "plain who",
      "data-key": `show ${source} ${target}`,
      onclick: () => bridge.answer?.showArc(source, target),
    }, `${source} ${arrow} ${target}`),
    element("button", {
      type: "button",
      "data-key": `free ${source} ${target}`,
      "aria-label": `Free ${source} ${arrow} ${target}`,
      onclick: () => change({ kind: "arc", source, target, say: "free" }, row),
    }, "Free"),
  );
  return row;
}

function addForm() {
  const names = element("datalist", { id: "rule-names" });
  const ends = ["From", "To"].map((label) =>
    element("input", { type: "text", list: "rule-names", "aria-label": label, placeholder: label, autocomplete: "off", spellcheck: "false" })
  );
  const add = async (say) => {
    const [source, target] = ends.map(({ value }) => value.trim());
    if (!source || !target) return ends[source ? 1 : 0].focus();
    if (await change({ kind: "arc", source, target, say }, form)) {
      for (const end of ends) end.value = "";
      ends[0].focus();
    }
  };
  const form = element(
    "div",
    { class: "add", role: "group", "aria-label": "A rule on an arc" },
    ends[0],
    element("span", { "aria-hidden": "true" }, "\u2192"),
    ends[1],
    element("button", { type: "button", onclick: () => add("require") }, "Require"),
    element("button", { type: "button", onclick: () => add("forbid") }, "Forbid"),
    names,
  );
  let known = "";
  const tell = (variables) => {
    if (String(variables) === known) return;
    known = String(variables);
    names.replaceChildren(...variables.map((value) => element("option", { value })));
  };
  return { form, tell };
}
