// Tables that sort, filter and copy.

// columns: {name, of(row): value, show(row): text or node, isNumber}
function makeTable(
  place,
  title,
  columns,
  rows,
  { note = "", strong = () => false, isPlain = false, choices = null } = {},
) {
  let [by, direction, visible] = [-1, 1, MANY_ROWS];
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
      ...matching.slice(0, visible).map((row) =>
        element(
          "tr",
          { class: strong(row) ? "strong" : "" },
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
  );
  if (note) place.append(element("p", { class: "note" }, note));
  update();
}

const csvCell = (value) => (/[",\r\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : String(value));

async function toClipboard(text) {
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

function tellComparison() {
  const columns = [
    { name: "Network", of: (one) => one.name },
    { name: `Mean ${METRIC}`, of: (one) => one.distance, show: (one) => number(one.distance), isNumber: true },
    { name: "Largest clique", of: (one) => Number.parseInt(one.clique, 10), show: (one) => one.clique, isNumber: true },
    { name: "Arcs", of: (one) => one.arcs, show: (one) => whole(one.arcs), isNumber: true },
  ];
  makeTable($("compared"), "If each of these were the consensus", columns, data.compared, {
    strong: (one) => one === data.compared[0],
    isPlain: data.compared.length < 12,
    note:
      "Majority vote: arcs that more than half of the inputs have, strongest first, within the limit: what people " +
      `use today. Clique tables of the consensus: ${large(facts.tables)} numbers` +
      `${facts.states_known ? "" : ", with two states for each variable"}.`,
  });
}

function tellArcs() {
  const codes = new Set([...consensus, ...shares.keys(), ...(fusion || [])]);
  const rows = [...codes].sort((a, b) => consensus.has(b) - consensus.has(a) || share(b) - share(a) || a - b);
  const group = (code) => STATUS[statusOf(code)];
  const show = (code) => element("button", { type: "button", onclick: () => showArc(code) }, variables[sourceOf(code)]);
  const counts = hasInputs && sameWeights;
  const many = counts ? (code) => ownersOf(code).length : (code) => Number((100 * share(code)).toFixed(1));
  const columns = [
    { name: "From", of: (code) => variables[sourceOf(code)], show },
    { name: "To", of: (code) => variables[targetOf(code)] },
    { name: "Status", of: statusText },
    { name: counts ? `Inputs (of ${inputs.length})` : "Share in %", of: many, isNumber: true },
    { name: "Other way round", of: (code) => many(turned(code)), isNumber: true },
    { name: "Why it is out", of: (code) => why(code).join(" ") },
  ];
  const looked = [...reasons.values()].filter((reason) => reason.clique !== null).length;
  makeTable($("arc-table"), "Arcs", columns, rows, {
    choices: { options: Object.values(STATUS), of: group },
    note: `Every arc of the consensus, of the inputs${fusion ? " and of their full fusion" : ""}.${
      reasons.size > looked
        ? ` The clique that a dropped arc would make was looked for in ${whole(looked)} of ${
          whole(reasons.size)
        } cases: first where the arc would bring the consensus closer, then by support.`
        : ""
    }`,
  });
}

function showArc(code) {
  const find = () => shown.some(([one]) => one === code);
  if (!find()) {
    const owner = ownersOf(code)[0];
    $("view").value = consensus.has(code)
      ? "consensus"
      : owner !== undefined
      ? String(owner)
      : fusion && fusion.has(code)
      ? "fusion"
      : "consensus";
    changeView();
  }
  goTo(sourceOf(code));
  choose({ arc: code });
  $("first").scrollIntoView();
}

function tellCliques() {
  const columns = [
    { name: "Size", of: (row) => row.length - 1, isNumber: true },
    { name: "Variables", of: (row) => row.slice(1).map((v) => variables[v]).join(", ") },
    { name: "Numbers in its table", of: (row) => Number(row[0]), show: (row) => large(row[0]), isNumber: true },
  ];
  makeTable($("clique-table"), "Cliques", columns, data.cliques.shown, {
    note: `The maximal cliques of the triangulated moral graph: what exact inference in the consensus works with.${
      data.cliques.shown.length < data.cliques.all ? ` The largest of ${whole(data.cliques.all)}.` : ""
    }${facts.states_known ? "" : " Two states are assumed for each variable."}`,
  });
}

function tellParameters() {
  const place = $("parameters");
  if (!data.tables) {
    place.replaceChildren(
      element("h3", {}, "Parameters"),
      element("p", { class: "note" }, "This consensus is a structure: it has no probability tables."),
    );
    return;
  }
  const rows = variables.map((_, i) => i);
  makeTable(
    place,
    "Parameters",
    [
      {
        name: "Variable",
        of: (v) => variables[v],
        show: (v) =>
          element("button", {
            type: "button",
            onclick: () => {
              goTo(v);
              $("first").scrollIntoView();
            },
          }, variables[v]),
      },
      { name: "States", of: (v) => data.tables.states[v].join(", ") },
      {
        name: "Numbers in its table",
        of: (v) => data.tables.sizes[v],
        show: (v) => whole(data.tables.sizes[v]),
        isNumber: true,
      },
    ],
    rows,
    { note: "Choose a variable to see its table beside the network." },
  );
}
