// The list of inputs: on or off, weights, contents; files are dropped anywhere on the page, or chosen.
import { $, element, fill, setLabel } from "./elements.js";
import { addNetworks, change, held, onHeld, remove, removeAll } from "./held-inputs.js";
import { count } from "./number-texts.js";
import { readNetworks } from "./reading-files.js";

const MOST_WEIGHT = 1000;
const MOST_LINES = 12; // of what was wrong with files
const rows = new Map(); // the id of an input: its row
let queue = Promise.resolve();
let waiting = 0; // groups of files that were dropped together

export function startInputRows() {
  onHeld(draw);
  $("files").addEventListener("change", () => {
    const files = [...$("files").files];
    $("files").value = ""; // the same file may be chosen again
    take(files);
  });
  for (const kind of ["dragenter", "dragover"]) {
    addEventListener(kind, (event) => {
      event.preventDefault(); // a dropped file must never open in place of the page
      if (event.dataTransfer?.types.includes("Files")) document.body.classList.add("dropping");
    });
  }
  addEventListener("dragleave", ({ relatedTarget }) => relatedTarget || document.body.classList.remove("dropping"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    take([...(event.dataTransfer?.files ?? [])]);
  });
  $("remove-all").addEventListener("click", () => {
    removeAll();
    $("reading").replaceChildren();
    $("files").focus();
  });
}

// One after another, so that they arrive in the order in which they were dropped.
function take(files) {
  document.body.dataset.reading = ++waiting;
  queue = queue.then(() => read(files)).finally(() => {
    if (--waiting) document.body.dataset.reading = waiting;
    else delete document.body.dataset.reading;
  });
}

async function read(files) {
  $("reading").replaceChildren();
  const line = $("reading").appendChild(element("li", { class: "note" }));
  const said = [];
  for (const [i, file] of files.entries()) {
    fill(line, `Reading ${file.name}${files.length > 1 ? ` (${i + 1} of ${files.length})` : ""}\u2026`);
    const { problem, networks, warnings, file: about } = await readNetworks(file);
    if (problem) said.push(["wrong", problem]);
    else {
      const left = addNetworks(about, networks);
      said.push(...warnings.map((text) => ["note", text]));
      if (left) said.push(["wrong", `${file.name}: ${count(left, "network")} left out: this page holds no more; use the installed program`]);
    }
  }
  tell(said);
}

// Errors first.
function tell(said) {
  const sorted = [...said].sort((one, other) => (one[0] === "wrong" ? 0 : 1) - (other[0] === "wrong" ? 0 : 1));
  const lines = sorted.slice(0, MOST_LINES).map(([kind, text]) => element("li", { class: kind, ...(kind === "wrong" ? { role: "alert" } : {}) }, text));
  if (said.length > MOST_LINES) lines.push(element("li", { class: "note" }, `and ${said.length - MOST_LINES} more`));
  $("reading").replaceChildren(...lines);
}

function draw({ inputs }) {
  const on = inputs.filter((input) => input.isOn && input.weight > 0).length;
  $("inputs-count").textContent = inputs.length ? `${on} of ${inputs.length} on` : "";
  $("inputs-head").hidden = $("remove-all").hidden = !inputs.length;
  document.body.classList.toggle("empty", !inputs.length);
  const isSame = inputs.length === rows.size && inputs.every(({ id }) => rows.has(id));
  if (!isSame) {
    const known = new Map(rows);
    rows.clear();
    for (const { id } of inputs) rows.set(id, known.get(id) || rowOf(id));
    $("inputs").replaceChildren(...[...rows.values()].map(({ row }) => row));
  }
  for (const input of inputs) rows.get(input.id).tell(input);
}

function rowOf(id) {
  const box = element("input", { type: "checkbox" });
  const [name, what] = [element("span", { class: "name" }), element("span", { class: "note" })];
  const weight = element("input", { type: "number", min: 0, max: MOST_WEIGHT, step: "any", inputmode: "decimal" });
  const away = element("button", { type: "button", class: "plain" }, "\u00d7");
  const row = element("li", {}, element("label", { class: "who" }, box, element("span", {}, name, what)), weight, away);
  box.addEventListener("change", () => change(id, { isOn: box.checked }));
  weight.addEventListener("change", () => {
    const value = Number(weight.value);
    const isFit = weight.value.trim() !== "" && value >= 0 && value <= MOST_WEIGHT;
    const known = held.inputs.find((input) => input.id === id).weight;
    change(id, { weight: isFit ? Math.round(value * 1000) / 1000 : known });
    weight.value = held.inputs.find((input) => input.id === id).weight;
  });
  away.addEventListener("click", () => {
    const next = (row.nextElementSibling || row.previousElementSibling)?.querySelector("button");
    remove(id);
    (next || $("files")).focus();
  });
  function tell(input) {
    box.checked = input.isOn;
    fill(name, input.name);
    fill(what, `${count(input.arcs.length, "arc")}, ${count(input.variables.length, "variable")}${input.tables ? "" : ", no tables"}`);
    row.classList.toggle("off", !input.isOn || !input.weight);
    if (document.activeElement !== weight) weight.value = input.weight;
    weight.disabled = !input.isOn;
    setLabel(weight, `Weight of ${input.name}`);
    setLabel(away, `Remove ${input.name}`);
  }
  return { row, tell };
}
