// The panel "Solve again": other inputs, weights, limits and rules, and the page's result for them.
import { decided } from "./arc-choices.js";
import { asked, changesInWords, isChanged } from "./asked.js";
import { bifText, canWrite } from "./bif-text.js";
import { checkWeight } from "./exact-weights.js";
import { commandAsked } from "./changed-command.js";
import { decisionButtons } from "./decision-buttons.js";
import { endArcsWith } from "./details-panel.js";
import { save } from "./downloads.js";
import { $, element, fill, note } from "./elements.js";
import { inputs } from "./networks.js";
import { capital, count, number } from "./number-texts.js";
import { data, solved, variables } from "./page-data.js";
import { commandLine } from "./query-command.js";
import { limitFields, ruleFields } from "./question-fields.js";
import { remembered } from "./restart.js";
import { backToReport, canSolve, solveAgain, solving, startSolving, stopSolving } from "./solving.js";

const PAUSE = 250; // milliseconds after a change, while somebody types
const built = remembered("panel", { isDone: false }); // it stays while the page is made anew
let timer = 0;

export function startSolvingPanel() {
  $("again").hidden = !canSolve && !data.not_again;
  if (!canSolve) return tellWhyNot();
  startSolving();
  endArcsWith((code) => decisionButtons(code, decide));
  solving.tell = tellState; // with the network that this run of the page shows
  if (built.isDone) return tellState();
  built.isDone = true;
  build();
}

function tellWhyNot() {
  $("again-open").hidden = true;
  $("again-state").textContent = data.not_again || "";
}

// Every change asks again; typed text, when it seems to be finished.
function change(values, isTyped = false) {
  Object.assign(asked.now, values);
  clearTimeout(timer);
  timer = setTimeout(solveAgain, isTyped ? PAUSE : 0);
}

const asking = {
  get now() {
    return asked.now;
  },
  variables,
  hasStates: Boolean(data.question?.states),
  change(values, isTyped) {
    change(values, isTyped);
    if ("required" in values || "forbidden" in values) fillPanel();
  },
  refuse: (why) => solving.tell({ kind: "refused", why }),
  decide,
};

function decide(kind, arc) {
  asking.change(decided(asked.now, kind, arc));
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
    element("div", { class: "again-grid" }, inputPart(), limitFields(asking), ruleFields(asking)),
    element("div", { id: "again-out" }),
  );
  tellOut();
}

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
        change({ weights: asked.now.weights.with(i, weight.value.trim()) }, true);
      },
    });
    const box = element("input", {
      type: "checkbox",
      checked: asked.now.on[i],
      onchange: () => {
        weight.disabled = !box.checked;
        change({ on: asked.now.on.with(i, box.checked) });
      },
    });
    return element("li", {}, element("label", {}, box, element("span", { dir: "auto" }, name)), weight);
  });
  return element("fieldset", {}, element("legend", {}, "Inputs and their weights"), element("ol", { class: "again-inputs" }, ...rows));
}

// The search in progress, or its result.
function tellState(event = {}) {
  const [state, bar] = [$("again-state"), $("again-progress")];
  const isSearching = ["started", "progress", "bound"].includes(event.kind) || (event.kind === "answer" && !event.isLast);
  if (event.kind) {
    const isBusy = isSearching || (event.kind === "answer" && event.bound === null); // which follows
    $("again").ariaBusy = isBusy ? "true" : null;
    bar.hidden = !isBusy;
    $("again-stop").hidden = !isSearching;
    if (event.kind === "progress") {
      bar.max = event.steps;
      bar.value = event.step;
    } else bar.removeAttribute("value");
  }
  $("again-back").hidden = !isChanged();
  $("again").classList.toggle("is-wrong", event.kind === "refused");
  $("again").classList.toggle("is-solved", Boolean(solved.answer)); // then paper says what was asked
  if (event.kind === "refused") state.textContent = `${capital(event.why)}.`;
  else if (event.kind === "back" || !isChanged()) state.textContent = "This is the report as it was sent. Leave inputs out, change weights, limits and rules: this page finds the new consensus by itself.";
  else if (solved.answer && solved.answer.key === JSON.stringify(asked.now)) state.textContent = stateText(isSearching);
  else if (event.kind === "progress") state.textContent = `Searching: distance ${number(event.distance)} so far.`;
  else state.textContent = "Searching\u2026";
  tellOut();
}

function stateText(isSearching) {
  const { came, went, turned } = data.changed || { came: [], went: [], turned: [] };
  const parts = [[came, "added"], [went, "dropped"], [turned, "reversed"]].filter(([arcs]) => arcs.length);
  const changes = parts.length ? parts.map(([arcs, word], i) => `${i ? arcs.length : count(arcs.length, "arc")} ${word}`).join(", ") : "no arc changed";
  const how = isSearching ? " Still searching\u2026" : solved.answer.isStopped ? " Stopped: the best network so far." : "";
  return `Solved again, ${changesInWords().join("; ")}: ${changes}.${how}`;
}

// Downloads.
function tellOut() {
  const out = $("again-out");
  if (!out) return;
  out.hidden = !solved.answer;
  if (!solved.answer) return;
  const command = commandAsked(asked);
  fill(
    out,
    element("button", { type: "button", disabled: !solving.file, onclick: () => solving.file.save() }, "Download the network (BIF)"),
    note(solving.file ? `The file has ${solving.file.content}.` : "The structure is too large for a file in this format."),
    note(`bnfuse finds the same network, distance and bound for this question and seed ${data.question.seed}.`),
    command ? commandLine(command.line) : "",
    command?.tiers ? note(`tiers.json: ${command.tiers}`) : "",
  );
}

// The file is that of the network that is shown now, by the modules of this run of the page.
solving.file = canWrite() && {
  content: data.tables ? "tables pooled from those of the inputs" : "the structure, with uniform tables",
  save: () => save("consensus-again.bif", "text/plain", bifText()),
};
