// Who disagrees: distances between the inputs, and each beside the consensus.

const LEVELS = 9;
const levelColour = (level) =>
  `color-mix(in oklab, var(--kept) ${Math.round(8 + (92 * level) / (LEVELS - 1))}%, var(--card))`;

function drawBetween() {
  const place = $("between");
  const between = data.between;
  if (!between) {
    place.replaceChildren(
      element(
        "p",
        { class: "note" },
        hasInputs ? "There is one input." : "A tally has only counts: who disagrees is not known.",
      ),
    );
    return;
  }
  const { inputs: members, values } = between;
  const size = members.length;
  const others = values.flatMap((row, i) => row.filter((_, j) => i !== j));
  const [least, most] = [Math.min(...others), Math.max(...others)];
  const part = (value) => (value - least) / (most - least || 1);
  const hasLabels = size <= 60;
  const labelWidth = hasLabels ? Math.min(150, 12 + 6.6 * Math.max(...members.map((i) => inputs[i].name.length))) : 6;
  const cell = Math.min(46, (600 - labelWidth) / size);
  const fontSize = Math.min(12, cell * 0.9);
  const top = hasLabels ? labelWidth : 6;
  const picture = drawn("svg", {
    class: "plot",
    viewBox: `0 0 ${labelWidth + cell * size + 8} ${top + cell * size + 4}`,
    role: "img",
    "aria-label": betweenText(members, values),
  });
  picture.style.maxWidth = `${Math.round(1.1 * (labelWidth + cell * size + 8))}px`;
  const ways = Array.from({ length: LEVELS }, () => "");
  values.forEach((row, i) =>
    row.forEach((value, j) => {
      if (i !== j) {
        ways[Math.round(part(value) * (LEVELS - 1))] += `M${(labelWidth + j * cell).toFixed(1)} ${
          (top + i * cell).toFixed(1)
        }h${cell.toFixed(1)}v${cell.toFixed(1)}h${-cell.toFixed(1)}z`;
      }
    })
  );
  ways.forEach((d, level) => {
    if (d) picture.append(drawn("path", { d, style: `fill: ${levelColour(level)}` }));
  });
  if (hasLabels) {
    members.forEach((member, i) => {
      const { name, apart } = inputs[member];
      const text = name.length > 20 ? `${name.slice(0, 19)}\u2026` : name;
      const style = `font-size: ${fontSize}px${apart ? "; fill: var(--dropped); font-weight: 700" : ""}`;
      picture.append(
        words(labelWidth - 6, top + (i + 0.5) * cell + fontSize * 0.35, text, { "text-anchor": "end", style }),
      );
      const x = labelWidth + (i + 0.5) * cell + fontSize * 0.35;
      picture.append(words(x, top - 6, text, { transform: `rotate(-90 ${x} ${top - 6})`, style }));
    });
  }
  if (size <= 14) {
    values.forEach((row, i) =>
      row.forEach((value, j) =>
        picture.append(
          words(labelWidth + (j + 0.5) * cell, top + (i + 0.5) * cell + 4, whole(value), {
            "text-anchor": "middle",
            style: `fill: ${i !== j && part(value) > 0.55 ? "var(--card)" : "var(--ink)"}`,
          }),
        )
      )
    );
  }
  const told = element("p", { class: "told", "aria-live": "polite" }, "Point at a field to see whose distance it is.");
  picture.addEventListener("pointermove", (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
    const [j, i] = [Math.floor((at.x - labelWidth) / cell), Math.floor((at.y - top) / cell)];
    if (i >= 0 && j >= 0 && i < size && j < size) {
      told.textContent = i === j
        ? inputs[members[i]].name
        : `${inputs[members[i]].name} and ${inputs[members[j]].name}: ${whole(values[i][j])}`;
    }
  });
  const ramp = element("i");
  ramp.style.background = `linear-gradient(90deg, ${levelColour(0)}, ${levelColour(LEVELS - 1)})`;
  place.replaceChildren(
    element("h2", {}, "Distances between the inputs"),
    picture,
    element("div", { class: "scale" }, whole(least), ramp, `${whole(most)} differing moral edges (SMHD)`),
    told,
    element(
      "p",
      { class: "note" },
      "Similar inputs stand side by side: light squares along the diagonal are groups that agree.",
    ),
  );
  if (size < inputs.length) {
    place.append(
      element("p", { class: "note" }, `The ${size} inputs that are farthest from the consensus, of ${inputs.length}.`),
    );
  }
}

function betweenText(members, values) {
  let [near, far] = [[Infinity], [-1]];
  values.forEach((row, i) =>
    row.forEach((value, j) => {
      if (i < j && value < near[0]) near = [value, i, j];
      if (i < j && value > far[0]) far = [value, i, j];
    })
  );
  const pair = ([value, i, j]) => `${inputs[members[i]].name} and ${inputs[members[j]].name} (${value})`;
  return `Heat map of distances between inputs. Closest: ${pair(near)}. Farthest apart: ${pair(far)}.`;
}

// How an input stands to the consensus, in numbers of arcs.
function standing(input, i) {
  const own = [...input.arcs];
  return {
    i,
    input,
    arcs: own.length,
    kept: own.filter((code) => consensus.has(code)).length,
    turned: own.filter((code) => consensus.has(turned(code))).length,
    missing: [...consensus].filter((code) => !input.arcs.has(code) && !input.arcs.has(turned(code))).length,
    alone: own.filter((code) => ownersOf(code).length === 1 && !ownersOf(turned(code)).length).length,
  };
}

function tellApart() {
  if (!hasInputs) {
    $("apart").remove();
    return;
  }
  const rows = inputs.map(standing).sort((a, b) => b.input.distance - a.input.distance || a.i - b.i);
  const table = element("div");
  $("apart").replaceChildren(
    element("h2", {}, "Each input beside the consensus"),
    element("p", {}, sentence(facts.who)),
    table,
    element(
      "p",
      { class: "note" },
      "An input stands apart when its distance to the consensus is more than three robust standard deviations above " +
        "the median (1.4826 times the median absolute deviation, at least 1). Its weight plays no part in that.",
    ),
  );
  makeTable(
    table,
    "Inputs",
    [
      {
        name: "Input",
        of: (row) => row.input.name,
        show: (row) => element("button", { type: "button", onclick: () => showInput(row.i) }, row.input.name),
      },
      ...(sameWeights ? [] : [{ name: "Weight", of: (row) => row.input.weight, isNumber: true }]),
      { name: "Distance", of: (row) => row.input.distance, show: (row) => whole(row.input.distance), isNumber: true },
      { name: "Arcs", of: (row) => row.arcs, isNumber: true },
      { name: "kept", of: (row) => row.kept, isNumber: true },
      { name: "reversed", of: (row) => row.turned, isNumber: true },
      { name: "dropped", of: (row) => row.arcs - row.kept - row.turned, isNumber: true },
      { name: "its own alone", of: (row) => row.alone, isNumber: true },
      { name: "lacks", of: (row) => row.missing, isNumber: true },
    ],
    rows,
    {
      isPlain: inputs.length < 12,
      strong: (row) => row.input.apart,
      note: "Its own alone: arcs that no other input has, either way round. " +
        "Lacks: arcs of the consensus that it does not have.",
    },
  );
}

function showInput(i) {
  $("view").value = String(i);
  changeView();
  $("first").scrollIntoView();
}
