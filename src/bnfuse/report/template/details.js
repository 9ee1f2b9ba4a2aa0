// What was chosen or pointed at.

function family(variable) {
  const parents = [], children = [], spouses = new Set();
  for (const [code] of shown) {
    if (!isPart(code)) continue;
    if (targetOf(code) === variable) parents.push(sourceOf(code));
    if (sourceOf(code) === variable) children.push(targetOf(code));
  }
  const isChild = new Set(children);
  for (const [code] of shown) {
    if (isPart(code) && isChild.has(targetOf(code)) && sourceOf(code) !== variable) spouses.add(sourceOf(code));
  }
  for (const one of [...parents, ...children]) spouses.delete(one);
  return { parents, children, spouses: [...spouses] };
}

// Whether an arc of the view belongs to the network that is shown, and is not only there for comparison.
function isPart(code) {
  const key = $("view").value;
  return (key === "difference" ? networkOf($("one").value) : networkOf(key)).has(code);
}

function highlight() {
  net.classList.toggle("some", Boolean(chosen && "variable" in chosen));
  for (const node of nodes) node.classList.remove("chosen", "parent", "child", "spouse", "near");
  for (const [code, arc] of arcNodes) arc.classList.toggle("chosen", Boolean(chosen && chosen.arc === code));
  if (!chosen || !("variable" in chosen)) return;
  const { parents, children, spouses } = family(chosen.variable);
  nodes[chosen.variable].classList.add("chosen", "near");
  parents.forEach((v) => nodes[v].classList.add("parent", "near"));
  children.forEach((v) => nodes[v].classList.add("child", "near"));
  spouses.forEach((v) => nodes[v].classList.add("spouse", "near"));
  const isChild = new Set(children);
  for (const [code, arc] of arcNodes) {
    arc.classList.toggle("near", touches(code, chosen.variable) || (isPart(code) && isChild.has(targetOf(code))));
  }
}

function choose(what) {
  const isRedrawn = shown.length > MANY_ARCS;
  chosen = what;
  if (isRedrawn) drawArcs();
  else highlight();
  tell(what);
}

function tell(what) {
  const panel = $("details");
  if (!what) {
    panel.replaceChildren(
      element("h2", {}, "Details"),
      element(
        "p",
        { class: "note" },
        "Point at an arc, or reach it with the Tab and arrow keys, to see who has it and why it is in " +
          "or out. Click a variable to see its family, its Markov blanket and its parameters.",
      ),
    );
  } else if ("arc" in what) panel.replaceChildren(...arcFacts(what.arc));
  else panel.replaceChildren(...variableFacts(what.variable));
}

function nameList(who) {
  return element(
    "div",
    { class: "chips" },
    ...who.slice(0, 60).map((i) => element("span", {}, inputs[i].name)),
    who.length > 60 ? element("span", {}, `and ${who.length - 60} more`) : null,
  );
}

function arcFacts(code) {
  const back = turned(code);
  const kind = seen(code);
  const parts = [element("h3", {}, named(code)), element("span", { class: `kind ${kind}` }, statusText(code))];
  parts.push(
    element(
      "p",
      {},
      share(code)
        ? `${having(code)} ${inputs.length && ownersOf(code).length === 1 ? "has" : "have"} it this way round.`
        : `No input has it this way round.`,
    ),
  );
  if (ownersOf(code).length && ownersOf(code).length < inputs.length) parts.push(nameList(ownersOf(code)));
  if (share(back)) {
    parts.push(element("p", {}, `${having(back)}: the other way round.`));
    if (hasInputs) parts.push(nameList(ownersOf(back)));
  }
  for (const text of why(code)) parts.push(element("p", {}, text));
  if (!share(code) && !share(back)) {
    parts.push(element(
      "p",
      {},
      consensus.has(code)
        ? "It stands for dependences that inputs have through other variables."
        : "Fusing the inputs under one order of the variables needs it.",
    ));
  }
  return parts;
}

function variableFacts(variable) {
  const { parents, children, spouses } = family(variable);
  const links = (
    title,
    list,
  ) => [
    element("div", { class: "group" }, `${title} (${list.length})`),
    element(
      "div",
      { class: "chips" },
      ...list.slice(0, 80).map((v) => element("button", { type: "button", onclick: () => goTo(v) }, variables[v])),
      list.length > 80 ? element("span", {}, `and ${list.length - 80} more`) : null,
    ),
  ];
  const where = inWords($("view").value === "difference" ? $("one").value : $("view").value);
  const blanket = parents.length + children.length + spouses.length;
  const parts = [
    element("h3", {}, variables[variable]),
    element(
      "p",
      { class: "note" },
      `Markov blanket of ${count(blanket, "variable")} in ${where}`,
    ),
  ];
  parts.push(
    ...links("Parents", parents),
    ...links("Children", children),
    ...links("Other parents of its children", spouses),
  );
  parts.push(...parameterTable(variable));
  return parts;
}

function parameterTable(variable) {
  const tables = data.tables;
  if (!tables) return [];
  const title = element("div", { class: "group" }, "Parameters in the consensus");
  const values = tables.values[variable];
  if (!values) {
    return [
      title,
      element(
        "p",
        {},
        `${whole(tables.sizes[variable])} numbers: too many for this page. The network's own file has them.`,
      ),
    ];
  }
  const parents = [...consensus].filter((code) => targetOf(code) === variable).map(sourceOf).sort((a, b) => a - b);
  const states = tables.states[variable];
  const rows = values.length / states.length;
  const body = [];
  for (let row = 0; row < Math.min(rows, 100); row++) {
    const labels = [];
    for (let i = parents.length - 1, rest = row; i >= 0; i--) {
      const own = tables.states[parents[i]];
      labels.unshift(element("td", {}, own[rest % own.length]));
      rest = Math.floor(rest / own.length);
    }
    body.push(
      element(
        "tr",
        {},
        ...labels,
        ...states.map((_, i) => element("td", { class: "number" }, values[row * states.length + i].toFixed(3))),
      ),
    );
  }
  return [
    title,
    element(
      "div",
      { class: "scroll" },
      element(
        "table",
        { class: "chances" },
        element(
          "thead",
          {},
          element(
            "tr",
            {},
            ...parents.map((v) => element("th", { scope: "col" }, variables[v])),
            ...states.map((state) => element("th", { scope: "col", class: "number" }, state)),
          ),
        ),
        element("tbody", {}, ...body),
      ),
    ),
    rows > 100 ? element("p", { class: "note" }, `the first 100 of ${whole(rows)} rows`) : null,
  ].filter(Boolean);
}
