// How the answer is searched: the limit, the distance, the method, and the effort.
import { $, element, note } from "./elements.js";
import { change, onWork } from "./work.js";

const PAUSE = 150; // milliseconds: keys move a slider many times a second
const CLIQUES = [2, 12];
const USUAL_TABLE = "10000";
const USUAL_CLIQUE = 4;

const CHOICES = [
  ["metric", "Compare", [
    ["smhd", "edges (SMHD)"],
    ["shd", "directed arcs (SHD)"],
    ["fsim", "independences (FSim)"],
  ]],
  ["directions", "Arcs may run", [
    ["any", "any direction"],
    ["seen", "as in at least one input"],
    ["majority", "as in most inputs"],
  ]],
  ["variables", "Variables", [
    ["same", "same in all inputs"],
    ["union", "all of any input"],
    ["shared", "those that all share"],
  ]],
  ["method", "Search", [
    ["direct", "direct search"],
    ["majority", "majority vote"],
    ["genetic", "genetic (paper)"],
    ["greedy", "greedy (paper)"],
    ["min-cut", "min-cut"],
  ]],
  ["effort", "Then improve", [
    ["quick", "not at all"],
    ["normal", "normally"],
    ["thorough", "thoroughly"],
  ]],
];

export function startSettings() {
  const limit = limitRow();
  const selects = CHOICES.map(choiceRow);
  $("settings").append(limit.row, ...selects.map(({ row }) => row));
  onWork(({ question }) => {
    limit.tell(question);
    for (const one of selects) one.tell(question);
  });
}

function choiceRow([field, label, options]) {
  const select = element("select", {}, ...options.map(([value, text]) => element("option", { value }, text)));
  const row = element("label", { class: "setting" }, element("span", {}, label), select);
  select.addEventListener("change", () => change({ kind: "set", field, value: select.value }, row));
  return {
    row,
    tell(question) {
      if ([...select.options].every(({ value }) => value !== question[field])) {
        select.append(element("option", { value: question[field] }, question[field]));
      }
      select.value = question[field];
    },
  };
}

// The limit is on cliques, or on their tables.
function limitRow() {
  const kind = element(
    "select",
    { "aria-label": "Type of limit" },
    element("option", { value: "max_clique" }, "Largest clique"),
    element("option", { value: "max_table" }, "Largest clique table"),
  );
  const slider = element("input", { type: "range", min: CLIQUES[0], max: CLIQUES[1], step: 1, "aria-label": "Largest clique" });
  const value = element("output");
  const table = element("input", { type: "text", "aria-label": "Numbers in the largest clique table" });
  const small = note("");
  const row = element("div", { class: "setting limit" }, kind, slider, value, table);
  let timer = 0;
  const later = (changes) => {
    clearTimeout(timer);
    timer = setTimeout(() => change(changes, small), PAUSE);
  };
  kind.addEventListener("change", () => {
    const isTable = kind.value === "max_table";
    change([
      { kind: "set", field: "max_table", value: isTable ? USUAL_TABLE : null },
      { kind: "set", field: "max_clique", value: isTable ? null : USUAL_CLIQUE },
    ], small);
  });
  slider.addEventListener("input", () => say(Number(slider.value)));
  slider.addEventListener("change", () => later({ kind: "set", field: "max_clique", value: Number(slider.value) }));
  table.addEventListener("change", () => later({ kind: "set", field: "max_table", value: table.value }));
  const say = (size) => {
    value.textContent = size;
    small.textContent = `Smaller is easier to read and to compute with.`;
  };
  return {
    row: element("div", {}, row, small),
    tell({ max_clique: most, max_table: numbers }) {
      const isTable = numbers !== null;
      kind.value = isTable ? "max_table" : "max_clique";
      slider.hidden = value.hidden = isTable;
      table.hidden = !isTable;
      if (isTable) {
        table.value = numbers;
        small.textContent = "The largest size of a table in numbers; or bytes, such as 64MB.";
      } else if (!slider.matches(":active")) {
        slider.max = Math.max(CLIQUES[1], most ?? 0);
        slider.value = most ?? USUAL_CLIQUE;
        say(most ?? USUAL_CLIQUE);
      }
    },
  };
}
