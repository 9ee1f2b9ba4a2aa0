// The tools around a drawing: variables to add, actions on the selected one, and the arcs as a list.
import { $, element, fill, setLabel } from "./elements.js";
import { NEW } from "./drawing-draft.js";
import { count } from "./number-texts.js";
import { renew } from "./renewed.js";

const MOST_OFFERED = 40; // variables: more are found by typing
const FROM_CONSENSUS = "consensus";
let act = null;

export function startTools(actions) {
  act = actions;
  const field = $("new-variable");
  const add = () => {
    const name = field.value.trim();
    field.value = "";
    if (name) act.addVariable(name);
    field.focus();
  };
  $("add-variable").addEventListener("click", add);
  field.addEventListener("keydown", ({ key }) => key === "Enter" && add());
  field.addEventListener("input", ({ inputType }) => inputType === "insertReplacementText" && add());
  $("drawing-copy").addEventListener("change", ({ target }) => {
    if (target.value) act.copy(target.value);
  });
  const ends = ["drawing-source", "drawing-target"].map($);
  $("drawing-arc").addEventListener("click", () => {
    const [source, target] = ends.map((one) => one.value);
    if (source && target && source !== target) act.draw(source, target);
    else act.tell("Choose two variables.");
  });
}

export function drawTools(drawing, board, { question, variables, answer }) {
  offer(drawing, variables, question);
  offerCopies(board, question, answer);
  tellChosen(drawing, board);
  listArcs(drawing);
}

// Variables that other inputs have, but not this drawing.
function offer(drawing, variables, question) {
  const others = variables.filter((name) => !drawing.variables.has(name));
  const button = (name) => element("button", { type: "button", class: "chip", "data-key": `add ${name}`, "aria-label": `Add ${name}`, onclick: () => act.addVariable(name) }, `+ ${name}`);
  const all = others.length > 1 ? [element("button", { type: "button", id: "add-all", "data-key": "add all", onclick: () => act.addAll(others) }, `Add all ${others.length}`)] : [];
  const more = others.length > MOST_OFFERED ? [element("span", { class: "note" }, `and ${others.length - MOST_OFFERED} more: type the name`)] : [];
  $("drawing-offer").hidden = !others.length;
  renew($("drawing-others"), ...all, ...others.slice(0, MOST_OFFERED).map(button), ...more);
  $("known-variables").replaceChildren(...others.map((name) => element("option", { value: name })));
  const isLacking = question.variables === "same" && drawing.variables.size && others.length && question.inputs.some((one) => one.on);
  $("drawing-lacks").hidden = !isLacking;
}

// A drawing that is new and empty may start from another one.
function offerCopies({ draft }, question, answer) {
  const isOffered = draft.id === NEW && !draft.steps.length && question.inputs.length > 0;
  $("drawing-from").hidden = !isOffered;
  if (!isOffered) return;
  const chosen = $("drawing-copy").value;
  $("drawing-copy").replaceChildren(
    element("option", { value: "" }, "an empty board"),
    ...(answer ? [element("option", { value: FROM_CONSENSUS }, "a copy of the consensus")] : []),
    ...question.inputs.map(({ id, name }) => element("option", { value: id }, `a copy of ${name}`)),
  );
  $("drawing-copy").value = draft.base.variables.size ? chosen : "";
}

function tellChosen(drawing, { chosen, from }) {
  const { variable, arc } = chosen ?? {};
  const bar = $("drawing-chosen");
  if (bar.contains(document.activeElement) && document.activeElement.matches("input") && bar.dataset.of === variable) return; // it is being typed into
  bar.dataset.of = variable ?? "";
  const button = (id, words, label, onclick) => element("button", { type: "button", id, "data-key": id, "aria-label": label, onclick }, words);
  if (arc && drawing.arcs.some(([a, b]) => a === arc[0] && b === arc[1])) {
    const words = arc.join(" \u2192 ");
    renew(bar, element("strong", {}, words), button("drawing-reverse", "Reverse", `Reverse ${words}`, () => act.reverse(arc)), button("drawing-remove", "Remove", `Remove ${words}`, () => act.remove()));
  } else if (variable && drawing.variables.has(variable)) {
    const { states } = drawing.variables.get(variable);
    renew(
      bar,
      element("strong", {}, variable),
      button("drawing-begin", from ? "To which variable?" : "Arc from here", `Draw an arc from ${variable}`, () => act.begin(variable)),
      button("drawing-rename", "Rename", `Rename ${variable}`, () => ask(`New name of ${variable}`, variable, 200, (name) => act.rename(variable, name.trim()))),
      button("drawing-states", states.length ? `States: ${states.join(", ")}` : "States", `States of ${variable}`, () =>
        ask(`States of ${variable}, with commas between them; empty for those of the other inputs, or yes and no`, states.join(", "), 5000, (text) => act.setStates(variable, text.split(",").map((one) => one.trim()).filter(Boolean)), "yes, no")),
      button("drawing-remove", "Remove", `Remove ${variable}`, () => act.remove()),
    );
  } else bar.replaceChildren();
}

// A text field in place of the buttons.
function ask(label, before, maxlength, done, placeholder = "") {
  const field = element("input", { type: "text", maxlength, placeholder, "aria-label": label, spellcheck: "false", autocomplete: "off" });
  field.value = before;
  const finish = (isMeant) => {
    $("drawing-chosen").replaceChildren();
    if (isMeant) done(field.value);
    else act.choose({ variable: $("drawing-chosen").dataset.of });
    $("drawing-net").focus({ preventScroll: true });
  };
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    finish(event.key === "Enter");
  });
  fill($("drawing-chosen"), element("span", { class: "note" }, label), field, element("button", { type: "button", onclick: () => finish(true) }, "OK"), element("button", { type: "button", onclick: () => finish(false) }, "Cancel"));
  field.select();
  field.focus();
}

// The same for people who do not see the picture: all arcs, and a form for a new one.
function listArcs(drawing) {
  const names = [...drawing.variables.keys()];
  for (const one of ["drawing-source", "drawing-target"].map($)) {
    const { value } = one;
    one.replaceChildren(element("option", { value: "" }, "\u2026"), ...names.map((name) => element("option", { value: name }, name)));
    one.value = names.includes(value) ? value : "";
  }
  $("drawing-count").textContent = `${count(names.length, "variable")}, ${count(drawing.arcs.length, "arc")}`;
  renew($("drawing-arcs"), ...drawing.arcs.map(([source, target]) => {
    const words = `${source} \u2192 ${target}`;
    const button = (what, sign, onclick) => {
      const own = element("button", { type: "button", class: "plain", "data-key": `${what} ${words}`, onclick }, sign);
      setLabel(own, `${what} ${words}`);
      return own;
    };
    return element("li", {}, element("span", {}, words), button("Reverse", "\u21c4", () => act.reverse([source, target])), button("Remove", "\u00d7", () => act.remove({ arc: [source, target] })));
  }));
}
