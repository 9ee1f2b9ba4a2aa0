// In the details of an arc: require it, forbid it or leave it free, and a note on why.
import { noteOn, notedBy, saidOf } from "./arc-notes.js";
import { bridge } from "./bridge.js";
import { endArcsWith } from "./details-panel.js";
import { element } from "./elements.js";
import { sourceOf, targetOf } from "./networks.js";
import { variables } from "./page-data.js";

const CHOICES = [["require", "Require"], ["forbid", "Forbid"], ["forbid-direction", "Not in this direction"], ["free", "Free"]];
let shown = null; // updates the fields in the details

export function decisionButtons(source, target, choices = CHOICES) {
  const buttons = choices.map(([say, text]) =>
    element("button", {
      type: "button",
      "data-key": `${say} ${source} ${target}`,
      "aria-label": `${text}: ${source} \u2192 ${target}`,
      onclick: () => {
        bridge.decided?.(source, target);
        bridge.change({ kind: "arc", source, target, say }, group);
      },
    }, text)
  );
  const group = element("div", { class: "decisions", role: "group", "aria-label": `Rule on ${source} \u2192 ${target}` }, ...buttons);
  const tell = () => {
    const now = saidOf(source, target);
    choices.forEach(([say], i) => buttons[i].setAttribute("aria-pressed", String(say === now)));
  };
  tell();
  return { group, tell };
}

export function noteField(source, target, tag = "textarea") {
  const field = element(tag, {
    class: "note-field",
    maxlength: 2000,
    "data-key": `note ${source} ${target}`,
    "aria-label": `Note on ${source} and ${target}`,
    placeholder: "Note",
    ...(tag === "input" ? { type: "text" } : { rows: 2 }),
  });
  const by = element("span", { class: "noted-by" });
  const tell = () => {
    if (document.activeElement !== field) field.value = noteOn(source, target);
    by.textContent = notedBy(source, target);
  };
  // The revision on which somebody began to write; it is kept if the page is renewed in the meantime.
  field.addEventListener("focus", () => (field.dataset.on = bridge.revision()));
  let sent = null; // not answered by the server yet: Enter and leaving the field both send it
  field.addEventListener("change", async () => {
    if (field.dataset.moves) return; // typing continues in another field
    const text = field.value.trim();
    if (text === (sent ?? noteOn(source, target))) return;
    sent = text;
    await bridge.change({ kind: "note", arc: [source, target], text }, field, Number(field.dataset.on ?? bridge.revision()));
    field.dataset.on = bridge.revision();
    sent = null;
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      field.dispatchEvent(new Event("change"));
    }
  });
  tell();
  return { field: element("div", { class: "noted" }, field, by), tell };
}

function decisions(code) {
  const [source, target] = [variables[sourceOf(code)], variables[targetOf(code)]];
  bridge.looksAt?.(source, target);
  const [buttons, note] = [decisionButtons(source, target), noteField(source, target)];
  shown = () => {
    buttons.tell();
    note.tell();
  };
  return element("div", { class: "decide" }, buttons.group, note.field);
}

export const tellDecisions = () => shown?.();

endArcsWith(decisions);
