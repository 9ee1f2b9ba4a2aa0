// Tables that sort, filter and copy.
import { element, note as small } from "./elements.js";
import { whole } from "./number-texts.js";
import { remembered } from "./restart.js";
import { rowOrder } from "./row-order.js";
import { rowWindow } from "./row-window.js";

const MOST_ON_PAPER = 60;

// columns: {name, of(row): value, show(row): text or node, isNumber}; few: so many rows are in the page, all of them;
// choices: {options, of(row): its option, last: the option whose rows are shown only when it is chosen}
export function makeTable(
  place,
  title,
  columns,
  rows,
  { note = "", strong = () => false, isPlain = false, choices = null, few } = {},
) {
  const left = remembered(`table ${title}`, { by: -1, direction: 1, wanted: "", kind: "" });
  let { by, direction } = left;
  const filter = element("input", {
    type: "search",
    placeholder: "Filter",
    "aria-label": `Filter ${title.toLowerCase()}`,
    spellcheck: "false",
  });
  const choice = choices &&
    element(
      "select",
      { "aria-label": "Which" },
      element("option", { value: "" }, choices.options.includes(choices.last) ? `all but ${choices.last}` : "all"),
      ...choices.options.map((name) => element("option", { value: name }, name)),
    );
  filter.value = left.wanted;
  if (choice) choice.value = left.kind;
  const copied = element("span", { class: "note", role: "status" });
  const heads = columns.map((column, i) =>
    element(
      "th",
      { scope: "col", "aria-sort": "none", class: column.isNumber ? "number" : "" },
      element("button", {
        type: "button",
        onclick: () => {
          direction = by === i ? -direction : column.isNumber ? -1 : 1;
          by = i;
          update();
        },
      }, column.name),
    )
  );
  const total = element("span", { class: "note" });
  const onPaper = element("p", { class: "note only-paper" });
  const order = rowOrder(rows, columns);
  let matching = []; // places among all rows
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody"));
  const region = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title }, table);
  const showRows = rowWindow(region, table, rowAt, MOST_ON_PAPER, few);

  function rowAt(place) {
    const row = rows[matching[place]];
    const isOneOfMany = table.hasAttribute("aria-rowcount"); // texts are cut, then, to one line
    return element(
      "tr",
      {
        class: `${strong(row) ? "strong" : ""} ${place < MOST_ON_PAPER ? "" : "off-paper"}`.trim(),
        "aria-rowindex": isOneOfMany && place + 2,
      },
      ...columns.map((column) => {
        const text = String(column.of(row));
        return element(
          "td",
          { class: column.isNumber ? "number" : "", title: isOneOfMany && text.length > 50 && text },
          column.show ? column.show(row) : text,
        );
      }),
    );
  }

  function update() {
    const kind = choice ? choice.value : "";
    const isChosen = (row) => !choice || (kind ? choices.of(row) === kind : choices.of(row) !== choices.last);
    matching = order.matching(filter.value.trim().toLowerCase(), isChosen);
    if (by >= 0) order.sorted(matching, by, direction);
    heads.forEach((head, i) =>
      head.setAttribute("aria-sort", i !== by ? "none" : direction > 0 ? "ascending" : "descending")
    );
    showRows(matching.length);
    total.textContent = matching.length === rows.length
      ? `${whole(rows.length)} rows`
      : `${whole(matching.length)} of ${whole(rows.length)} rows`;
    onPaper.textContent = matching.length > MOST_ON_PAPER
      ? `The first ${MOST_ON_PAPER} of ${whole(matching.length)} rows: the page itself has them all.`
      : "";
    Object.assign(left, { by, direction, wanted: filter.value, kind });
  }
  filter.addEventListener("input", update);
  if (choice) choice.addEventListener("change", update);
  const copy = element("button", {
    type: "button",
    onclick: async () => {
      const cells = [
        columns.map((column) => column.name),
        ...Array.from(matching, (place) => columns.map((column) => column.of(rows[place]))),
      ];
      await toClipboard(cells.map((row) => row.map(csvCell).join(",")).join("\r\n") + "\r\n");
      copied.textContent = `copied ${whole(matching.length)} rows`;
    },
  }, "Copy as CSV");
  place.replaceChildren(
    element(
      "div",
      { class: "table-tools" },
      element("h3", {}, title),
      ...(isPlain ? [] : [filter, choice, total]),
      copy,
      copied,
    ),
    region,
    onPaper,
  );
  if (note) place.append(small(note));
  update();
}

export const csvCell = (value) => (/[",\r\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : String(value));

export async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = element("textarea", { "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}
