// Tables that sort, filter and copy.
import { element, note as small } from "./elements.js";
import { whole } from "./number-texts.js";
import { remembered } from "./restart.js";

const MANY_ROWS = 250; // at a time
const MOST_ON_PAPER = 60;

// columns: {name, of(row): value, show(row): text or node, isNumber}
export function makeTable(
  place,
  title,
  columns,
  rows,
  { note = "", strong = () => false, isPlain = false, choices = null } = {},
) {
  const left = remembered(`table ${title}`, { by: -1, direction: 1, visible: MANY_ROWS, wanted: "", kind: "" });
  let { by, direction, visible } = left;
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
      element("option", { value: "" }, "all"),
      ...choices.options.map((name) => element("option", { value: name }, name)),
    );
  filter.value = left.wanted;
  if (choice) choice.value = left.kind;
  const copied = element("span", { class: "note", role: "status" });
  const body = element("tbody");
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
  const more = element("button", {
    type: "button",
    onclick: () => {
      visible += 4 * MANY_ROWS;
      update();
    },
  }, "Show more");
  const text = (row) => columns.map((column) => column.of(row)).join("\n").toLowerCase();
  let matching = rows;

  function update() {
    const wanted = filter.value.trim().toLowerCase();
    const kind = choice ? choice.value : "";
    matching = rows.filter((row) => (!kind || choices.of(row) === kind) && (!wanted || text(row).includes(wanted)));
    if (by >= 0) {
      const { of } = columns[by];
      matching = matching.map((row) => [of(row), row]).sort(([a], [b]) =>
        direction * (typeof a === "string" ? a.localeCompare(b, "en", { numeric: true }) : a - b)
      ).map(([, row]) => row);
    }
    heads.forEach((head, i) =>
      head.setAttribute("aria-sort", i !== by ? "none" : direction > 0 ? "ascending" : "descending")
    );
    body.replaceChildren(
      ...matching.slice(0, visible).map((row, i) =>
        element(
          "tr",
          { class: `${strong(row) ? "strong" : ""} ${i < MOST_ON_PAPER ? "" : "off-paper"}`.trim() },
          ...columns.map((column) =>
            element(
              "td",
              { class: column.isNumber ? "number" : "" },
              column.show ? column.show(row) : String(column.of(row)),
            )
          ),
        )
      ),
    );
    total.textContent = matching.length === rows.length
      ? `${whole(rows.length)} rows`
      : `${whole(matching.length)} of ${whole(rows.length)} rows`;
    more.hidden = matching.length <= visible;
    onPaper.textContent = matching.length > MOST_ON_PAPER
      ? `The first ${MOST_ON_PAPER} of ${whole(matching.length)} rows: the page itself has them all.`
      : "";
    Object.assign(left, { by, direction, visible, wanted: filter.value, kind });
  }
  filter.addEventListener("input", update);
  if (choice) choice.addEventListener("change", update);
  const copy = element("button", {
    type: "button",
    onclick: async () => {
      const cells = [
        columns.map((column) => column.name),
        ...matching.map((row) => columns.map((column) => column.of(row))),
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
    element(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": title },
      element("table", {}, element("thead", {}, element("tr", {}, ...heads)), body),
    ),
    more,
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
