// The panel "Solve again": other inputs, weights, limits and rules, and what the page finds for them.
import { arcNames, asked, changesInWords, isChanged } from "./asked.js";
import { bifText, canWrite } from "./bif-text.js";
import { checkWeight } from "./exact-weights.js";
import { changeOf, commandAsked } from "./changed-command.js";
import { endArcsWith } from "./details-panel.js";
import { save } from "./downloads.js";
import { $, element, fill, note } from "./elements.js";
import { consensus, inputs } from "./networks.js";
import { count, number } from "./number-texts.js";
import { data, solved, variables } from "./page-data.js";
import { commandLine } from "./query-command.js";
import { remembered } from "./restart.js";
import { backToReport, canSolve, solveAgain, solving, startSolving, stopSolving } from "./solving.js";

const PAUSE = 250; // milliseconds after a change, while somebody types
const built = remembered("panel", { isDone: false }); // it stays while the page is made anew
let timer = 0;

export function startSolvingPanel() {
  $("again").hidden = !canSolve && !data.not_again;
  if (!canSolve) return tellWhyNot();
  startSolving();
  endArcsWith(decisions);
  solving.tell = tellState; // with the network that this run of the page shows
  if (built.isDone) return tellState();
  built.isDone = true;
  build();
}

function tellWhyNot() {
  $("again-open").hidden = true;
  $("again-state").textContent = data.not_again || "";
}

// Every change asks anew; what is typed, when it seems to be finished.
function change(name, value, isTyped = false) {
  asked.now[name] = value;
  clearTimeout(timer);
  timer = setTimeout(solveAgain, isTyped ? PAUSE : 0);
}

function build() {
  const panel = $("again-panel");
  $("again-open").addEventListener("click", () => {
    panel.hidden = !panel.hidden;
    $("again-open").setAttribute("aria-expanded", String(!panel.hidden));
  });
  $("again-stop").addEventListener("click", stopSolving);
  $("again-back").addEventListener("click", () => {
    backToReport();
    fillPanel();
  });
  solving.fill = fillPanel;
  fillPanel();
  tellState();
}

function fillPanel() {
  fill(
    $("again-panel"),
    element("div", { class: "again-grid" }, inputPart(), limitPart(), rulePart()),
    element("div", { id: "again-out" }),
  );
  tellOut();
}

const labelled = (words, control) => element("label", {}, element("span", {}, words), control);

function inputPart() {
  const rows = inputs.map(({ name }, i) => {
    const weight = element("input", {
      type: "text",
      inputmode: "decimal",
      size: 5,
      value: asked.now.weights[i],
      "aria-label": `Weight of ${name}`,
      disabled: !asked.now.on[i],
      oninput: () => {
        try {
          checkWeight(weight.value);
          weight.removeAttribute("aria-invalid");
        } catch (error) {
          weight.setAttribute("aria-invalid", "true");
          return solving.tell({ kind: "refused", why: error.message });
        }
        change("weights", asked.now.weights.with(i, weight.value.trim()), true);
      },
    });
    const box = element("input", {
      type: "checkbox",
      checked: asked.now.on[i],
      onchange: () => {
        weight.disabled = !box.checked;
        change("on", asked.now.on.with(i, box.checked));
      },
    });
    return element("li", {}, element("label", {}, box, element("span", { dir: "auto" }, name)), weight);
  });
  return element("fieldset", {}, element("legend", {}, "Inputs and their weights"), element("ol", { class: "again-inputs" }, ...rows));
}

function limitPart() {
  const { now } = asked;
  const whole = (name, least, words) => {
    const field = element("input", {
      ...{ type: "number", min: least, step: 1, value: now[name] ?? "", placeholder: "none" },
      oninput: () => {
        const value = field.value === "" ? null : Number(field.value);
        if (field.validity.badInput || (value !== null && !(Number.isSafeInteger(value) && value >= least))) {
          return solving.tell({ kind: "refused", why: `${words}: a whole number, at least ${least}` });
        }
        change(name, value, true);
      },
    });
    return labelled(words, field);
  };
  const choice = (name, words, options) => {
    const select = element(
      "select",
      { onchange: () => change(name, select.value || null) },
      ...options.map(([value, text]) => element("option", { value, selected: (now[name] || "") === value }, text)),
    );
    return labelled(words, select);
  };
  return element(
    "fieldset",
    {},
    element("legend", {}, "Limit and distance"),
    whole("limit", 2, "Largest clique"),
    data.question.states ? whole("maxTable", 1, "Largest clique table") : "",
    whole("maxParents", 0, "Most parents of a variable"),
    choice("metric", "Distance", [["smhd", "SMHD: moral edges"], ["shd", "SHD: arcs"]]),
    choice("directions", "Directions", [["", "default: majority"], ["majority", "majority"], ["seen", "seen in an input"], ["any", "any"]]),
  );
}

const same = (one, other) => one[0] === other[0] && one[1] === other[1];
const turnedRound = ([source, target]) => [target, source];

// kind: "required", "forbidden", "apart" (either way) or "free".
function decide(kind, arc) {
  const { now } = asked;
  const back = turnedRound(arc);
  const rest = (list) => list.filter((one) => !same(one, arc) && !same(one, back));
  const [required, forbidden] = [rest(now.required), rest(now.forbidden)];
  if (kind === "required") required.push(arc);
  if (kind === "forbidden") forbidden.push(arc);
  if (kind === "apart") forbidden.push(arc, back);
  now.required = required;
  change("forbidden", forbidden);
  fillPanel();
}

function rulePart() {
  const { required, forbidden, tiers } = asked.now;
  const row = (words, arc) =>
    element("li", {}, element("span", {}, `${words} ${arc.join(" \u2192 ")}`), element("button", { type: "button", "aria-label": `Drop the rule: ${words} ${arc.join(" \u2192 ")}`, onclick: () => drop(arc, words) }, "\u00d7"));
  const drop = (arc, words) => {
    const kind = words === "Require" ? "required" : "forbidden";
    change(kind, asked.now[kind].filter((one) => !same(one, arc)));
    fillPanel();
  };
  const [kind, from, to] = [
    element("select", { "aria-label": "Rule" }, ...[["required", "Require"], ["apart", "Forbid either way"], ["forbidden", "Forbid the arc"]].map(([value, text]) => element("option", { value }, text))),
    variableField("from"),
    variableField("to"),
  ];
  const add = () => {
    const arc = [from.value.trim(), to.value.trim()];
    const unknown = arc.find((name) => !variables.includes(name));
    if (unknown !== undefined) return solving.tell({ kind: "refused", why: unknown ? `there is no variable ${unknown}` : "a rule needs two variables" });
    if (arc[0] === arc[1]) return solving.tell({ kind: "refused", why: "a rule needs two different variables" });
    decide(kind.value, arc);
  };
  const board = element("textarea", {
    rows: 3,
    placeholder: "Age, Sex\nSmoker",
    "aria-label": "Tiers: a line each, earliest first; variables separated by commas",
    onchange: () => {
      const lists = board.value.split("\n").map((line) => line.split(",").map((name) => name.trim()).filter(Boolean)).filter((tier) => tier.length);
      const unknown = lists.flat().find((name) => !variables.includes(name));
      if (unknown !== undefined) return solving.tell({ kind: "refused", why: `tiers: there is no variable ${unknown}` });
      change("tiers", lists);
    },
  });
  board.value = tiers.map((tier) => tier.join(", ")).join("\n");
  return element(
    "fieldset",
    {},
    element("legend", {}, "Rules for arcs"),
    element("ul", { class: "again-rules" }, ...required.map((arc) => row("Require", arc)), ...forbidden.map((arc) => row("Forbid", arc))),
    element("div", { class: "again-rule" }, kind, from, element("span", { "aria-hidden": "true" }, "\u2192"), to, element("button", { type: "button", onclick: add }, "Add")),
    element("details", tiers.length ? { open: true } : {}, element("summary", {}, "Tiers"), note("A line for each tier, earliest first: no arc runs from a later tier to an earlier one."), board),
  );
}

const variableField = (word) => element("input", { type: "text", list: "names", placeholder: word, "aria-label": `Variable ${word === "from" ? "the arc starts at" : "it ends at"}`, autocomplete: "off", spellcheck: "false" });

// At the end of the facts of an arc.
function decisions(code) {
  const arc = arcNames(code);
  const isIn = consensus.has(code);
  const button = (words, kind, ends = arc) => element("button", { type: "button", onclick: () => decide(kind, ends) }, words);
  return element(
    "div",
    { class: "again-decisions" },
    element("h4", {}, "Solve again"),
    isIn ? button("without it", "apart") : button("with it", "required"),
    isIn ? button("with it the other way round", "required", turnedRound(arc)) : "",
    changeOf(code, isIn) || "",
  );
}

// What is under way, or found.
function tellState(event = {}) {
  const [state, bar] = [$("again-state"), $("again-progress")];
  const isBusy = ["started", "progress", "bound"].includes(event.kind) || (event.kind === "answer" && !event.isLast);
  if (event.kind) {
    bar.hidden = $("again-stop").hidden = !isBusy;
    if (event.kind === "progress") {
      bar.max = event.steps;
      bar.value = event.step;
    } else bar.removeAttribute("value");
  }
  $("again-back").hidden = !isChanged();
  $("again").classList.toggle("is-wrong", event.kind === "refused");
  if (event.kind === "refused") state.textContent = `${event.why[0].toUpperCase()}${event.why.slice(1)}.`;
  else if (event.kind === "back" || !isChanged()) state.textContent = "This is the report as it was sent. Leave inputs out, change weights, limits and rules: this page finds the new consensus by itself.";
  else if (solved.answer && solved.answer.key === JSON.stringify(asked.now)) state.textContent = stateText(isBusy);
  else if (event.kind === "progress") state.textContent = `Searching: distance ${number(event.distance)} so far.`;
  else state.textContent = "Searching\u2026";
  tellOut();
}

function stateText(isBusy) {
  const { came, went, turned } = data.changed || { came: [], went: [], turned: [] };
  const parts = [[came, "came"], [went, "went"], [turned, "turned"]].filter(([arcs]) => arcs.length);
  const changes = parts.length ? parts.map(([arcs, word], i) => `${i ? arcs.length : count(arcs.length, "arc")} ${word}`).join(", ") : "no arc changed";
  const how = isBusy ? " Searching on\u2026" : solved.answer.isStopped ? " Stopped: the best network so far." : "";
  return `Solved again, ${changesInWords().join("; ")}: ${changes}.${how}`;
}

// What can be taken away.
function tellOut() {
  const out = $("again-out");
  if (!out) return;
  out.hidden = !solved.answer;
  if (!solved.answer) return;
  const command = commandAsked(asked);
  fill(
    out,
    element("button", { type: "button", onclick: () => solving.save() }, "Download the network (BIF)"),
    note(`bnfuse finds the same network, distance and bound for this question and seed ${data.question.seed}.`),
    command ? commandLine(command.line) : "",
    command?.tiers ? note(`tiers.json: ${command.tiers}`) : "",
  );
}

// The file is that of the network that is shown now, by the modules of this run of the page.
solving.save = () => canWrite() && save("consensus-again.bif", "text/plain", bifText());
