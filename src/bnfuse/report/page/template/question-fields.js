// Fields for what is asked: limits, the distance, rules for arcs. On a page that solves again, and on that of bnfuse try.
//
// asking has
//   now          what is asked: { limit, maxTable, maxParents, metric, directions, required, forbidden, tiers }
//   variables    their names
//   hasStates    whether it is known how many states each of them has
//   change       is told new values, by their names in `now`, and whether they are being typed
//   refuse       is told why something cannot be asked: a sentence without its full stop
//   decide       is told the kind of a rule (arc-choices.js) and its arc
import { tiersFrom, tiersText, without } from "./arc-choices.js";
import { DEFAULT_LIMIT } from "./default-limit.js";
import { element, note } from "./elements.js";

const METRICS = [["smhd", "SMHD: moral edges"], ["shd", "SHD: arcs"]];
const DIRECTIONS = [["", "default: majority"], ["majority", "majority"], ["seen", "seen in an input"], ["any", "any"]];
const KINDS = [["required", "Require"], ["apart", "Forbid either way"], ["forbidden", "Forbid the arc"]];

const labelled = (words, control) => element("label", {}, element("span", {}, words), control);
const part = (title, ...children) => element("fieldset", {}, element("legend", {}, title), ...children);

export function limitFields(asking) {
  const cliques = whole(asking, "limit", 2, "Largest clique");
  const tellDefault = () => (cliques.placeholder = asking.now.maxTable === null ? DEFAULT_LIMIT : "none");
  const hasTables = asking.hasStates || asking.now.maxTable !== null;
  const tables = hasTables ? whole(asking, "maxTable", 1, "Largest clique table", tellDefault) : null;
  tellDefault();
  return part(
    "Limit and distance",
    labelled("Largest clique", cliques),
    tables ? labelled("Largest clique table", tables) : "",
    labelled("Most parents of a variable", whole(asking, "maxParents", 0, "Most parents of a variable")),
    labelled("Distance", choice(asking, "metric", METRICS)),
    labelled("Directions", choice(asking, "directions", DIRECTIONS)),
  );
}

function whole(asking, name, least, words, tell = () => {}) {
  const field = element("input", {
    ...{ type: "number", min: least, step: 1, value: asking.now[name] ?? "", placeholder: "none" },
    oninput: () => {
      const value = field.value === "" ? null : Number(field.value);
      if (field.validity.badInput || (value !== null && !(Number.isSafeInteger(value) && value >= least))) {
        return asking.refuse(`${words}: a whole number, at least ${least}`);
      }
      asking.change({ [name]: value }, true);
      tell();
    },
  });
  return field;
}

function choice(asking, name, options) {
  const select = element(
    "select",
    { onchange: () => asking.change({ [name]: select.value || null }) },
    ...options.map(([value, text]) => element("option", { value, selected: (asking.now[name] || "") === value }, text)),
  );
  return select;
}

export function ruleFields(asking) {
  const { required, forbidden, tiers } = asking.now;
  return part(
    "Rules for arcs",
    element(
      "ul",
      { class: "again-rules" },
      ...required.map((arc) => ruleRow(asking, "required", "Require", arc)),
      ...forbidden.map((arc) => ruleRow(asking, "forbidden", "Forbid", arc)),
    ),
    addedRule(asking),
    element(
      "details",
      tiers.length ? { open: true } : {},
      element("summary", {}, "Tiers"),
      note("A line for each tier, earliest first: no arc runs from a later tier to an earlier one."),
      tierBoard(asking),
    ),
  );
}

function ruleRow(asking, kind, verb, arc) {
  const words = `${verb} ${arc.join(" \u2192 ")}`;
  const drop = () => asking.change({ [kind]: without(asking.now[kind], arc) });
  return element(
    "li",
    {},
    element("span", {}, words),
    element("button", { type: "button", "aria-label": `Drop the rule: ${words}`, onclick: drop }, "\u00d7"),
  );
}

const variableField = (word, label) =>
  element("input", { type: "text", list: "names", placeholder: word, "aria-label": label, autocomplete: "off", spellcheck: "false" });

function addedRule(asking) {
  const kind = element("select", { "aria-label": "Rule" }, ...KINDS.map(([value, text]) => element("option", { value }, text)));
  const [from, to] = [variableField("from", "Variable the arc starts at"), variableField("to", "Variable it ends at")];
  const add = () => {
    const arc = [from.value.trim(), to.value.trim()];
    const unknown = arc.find((name) => !asking.variables.includes(name));
    if (unknown !== undefined) return asking.refuse(unknown ? `there is no variable ${unknown}` : "a rule needs two variables");
    if (arc[0] === arc[1]) return asking.refuse("a rule needs two different variables");
    asking.decide(kind.value, arc);
  };
  const button = element("button", { type: "button", onclick: add }, "Add");
  return element("div", { class: "again-rule" }, kind, from, element("span", { "aria-hidden": "true" }, "\u2192"), to, button);
}

function tierBoard(asking) {
  const board = element("textarea", {
    rows: 3,
    placeholder: "Age, Sex\nSmoker",
    "aria-label": "Tiers: a line each, earliest first; variables separated by commas",
    onchange: () => {
      try {
        asking.change({ tiers: tiersFrom(board.value, asking.variables) });
      } catch (error) {
        asking.refuse(error.message);
      }
    },
  });
  board.value = tiersText(asking.now.tiers);
  return board;
}
