// The inputs: on or off, how much each counts, its name; files are dropped anywhere on the page, or chosen.
import { openBoard } from "./drawing-board.js";
import { $, element, fill, setLabel } from "./elements.js";
import { expectNames } from "./names-table.js";
import { renew } from "./renewed.js";
import { upload } from "./server.js";
import { change, onWork } from "./work.js";


const MOST_WEIGHT = 5; // the end of the slider, unless a weight is larger
const STEP = 0.5;
const PAUSE = 150; // milliseconds: keys move a slider many times a second
const rows = new Map(); // the id of an input: its row

export function startInputs() {
  onWork(draw);
  $("files").addEventListener("change", async () => {
    const files = [...$("files").files];
    $("files").value = ""; // the same file may be chosen again
    await read(files);
  });
  for (const kind of ["dragenter", "dragover"]) {
    addEventListener(kind, (event) => {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      document.body.classList.add("dropping");
    });
  }
  addEventListener("dragleave", ({ relatedTarget }) => relatedTarget || document.body.classList.remove("dropping"));
  addEventListener("drop", (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    document.body.classList.remove("dropping");
    read([...event.dataTransfer.files]);
  });
}

// One after another, so that they arrive in the order in which they were dropped.
async function read(files) {
  $("reading").replaceChildren();
  const lines = files.map((file) => $("reading").appendChild(element("li", { class: "note" }, `Reading ${file.name}\u2026`)));
  for (const [i, file] of files.entries()) {
    try {
      expectNames();
      const { said = [] } = await upload(file);
      lines[i].replaceWith(...said.map((text) => element("li", { class: "note" }, text)));
    } catch (error) {
      const text = error.message.includes(file.name) ? error.message : `${file.name}: ${error.message}`;
      lines[i].replaceWith(element("li", { class: "wrong", role: "alert" }, text));
    }
  }
}

function draw({ question }) {
  const { inputs, data } = question;
  const on = inputs.filter((one) => one.on).length;
  $("inputs-count").textContent = inputs.length ? `${on} of ${inputs.length} on` : "";
  $("weights-head").hidden = !inputs.length;
  const areSame = inputs.length === rows.size && inputs.every(({ id }, i) => [...rows.keys()][i] === id) && !data;
  if (!areSame) {
    const known = new Map(rows);
    rows.clear();
    for (const input of inputs) rows.set(input.id, known.get(input.id) || rowOf(input.id));
    renew($("inputs"), ...[...rows.values()].map(({ row }) => row), data && dataRow(data));
  }
  for (const input of inputs) rows.get(input.id).tell(input, input.id in question.drawings);
}

function dataRow({ id, name }) {
  return element(
    "li",
    {},
    element("span", { class: "who" }, "Data: ", element("strong", {}, name)),
    element("button", {
      type: "button",
      class: "plain",
      "data-key": `remove ${id}`,
      "aria-label": `Remove ${name}`,
      onclick: ({ target }) => change({ kind: "remove-data" }, target.closest("li")),
    }, "\u00d7"),
  );
}

function rowOf(id) {
  const edit = element("button", { type: "button", class: "edit", "data-key": `edit ${id}`, hidden: true }, "Edit");
  const box = element("input", { type: "checkbox", "data-key": `on ${id}` });
  const label = element("span");
  const slider = element("input", { type: "range", min: 0, max: MOST_WEIGHT, step: STEP, "data-key": `weight ${id}` });
  const value = element("output");
  const renamed = element("input", { type: "text", hidden: true, maxlength: 200, spellcheck: "false", "data-key": `name ${id}` });
  const rename = element("button", { type: "button", class: "plain", "data-key": `rename ${id}` }, "\u270e");
  const remove = element("button", { type: "button", class: "plain", "data-key": `remove ${id}` }, "\u00d7");
  const row = element(
    "li",
    {},
    element("label", { class: "who" }, box, label),
    slider,
    value,
    rename,
    remove,
    renamed,
    edit,
  );
  edit.addEventListener("click", () => openBoard(id, edit));
  let timer = 0; // for a weight that was chosen but not sent yet
  let held = { name: "" };

  box.addEventListener("change", () => change({ kind: "switch", id, on: box.checked }, row));
  slider.addEventListener("input", () => {
    value.textContent = slider.value;
    slider.setAttribute("aria-valuetext", slider.value);
    clearTimeout(timer);
  });
  slider.addEventListener("change", () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = 0;
      change({ kind: "weight", id, weight: slider.value }, row);
    }, PAUSE);
  });
  remove.addEventListener("click", () => change({ kind: "remove-input", id }, row));
  rename.addEventListener("click", () => {
    renamed.value = held.name;
    renamed.hidden = false;
    renamed.select();
    renamed.focus();
  });
  const finish = (isMeant) => {
    if (renamed.hidden) return;
    renamed.hidden = true;
    const wanted = renamed.value.trim();
    if (isMeant && wanted && wanted !== held.name) change({ kind: "rename", id, name: wanted }, row);
  };
  renamed.addEventListener("blur", () => finish(true));
  renamed.addEventListener("keydown", ({ key }) => {
    if (key !== "Enter" && key !== "Escape") return;
    finish(key === "Enter");
    rename.focus();
  });

  function tell(input, isDrawn) {
    held = input;
    box.checked = input.on;
    fill(label, input.name);
    row.classList.toggle("off", !input.on);
    if (!timer && !slider.matches(":active")) {
      slider.max = Math.max(MOST_WEIGHT, Math.ceil(Number(input.weight)));
      slider.step = Number.isInteger(Number(input.weight) / STEP) ? STEP : "any";
      slider.value = input.weight;
      value.textContent = input.weight;
      slider.setAttribute("aria-valuetext", input.weight);
    }
    slider.disabled = !input.on;
    setLabel(slider, `Weight of ${input.name}`);
    setLabel(renamed, `New name of ${input.name}`);
    setLabel(rename, `Rename ${input.name}`);
    setLabel(remove, `Remove ${input.name}`);
    edit.hidden = !isDrawn;
    setLabel(edit, `Edit the drawing ${input.name}`);
  }
  return { row, tell };
}
