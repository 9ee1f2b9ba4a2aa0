// Who disagrees with whom: distances between the inputs.
import { $, element, note, fill, svgElement } from "./elements.js";
import { hasInputs, inputs, isWhole } from "./networks.js";
import { whole } from "./number-texts.js";
import { data, facts, ONLY_COUNTS } from "./page-data.js";
import { words } from "./plot-frame.js";
import { showThere } from "./view-choice.js";

const COUNTED = facts.metric === "shd" ? "arcs to add, delete or reverse (SHD)" : "differing moral edges (SMHD)";
const NOTHING_IN_COMMON = "no pair of variables in common";
const LEVELS = 9;
const levelColour = (level) =>
  `color-mix(in oklab, var(--kept) ${Math.round(8 + (92 * level) / (LEVELS - 1))}%, var(--card))`;

export function drawHeatMap() {
  const place = $("between");
  if (!data.between) {
    place.replaceChildren(note(hasInputs ? "There is one input." : ONLY_COUNTS));
    return;
  }
  const { inputs: members, values } = data.between;
  const others = values.flatMap((row, i) => row.filter((value, j) => i !== j && value !== null));
  if (!others.length) {
    place.replaceChildren(note("No two inputs have a pair of variables in common."));
    return;
  }
  const [least, most] = [Math.min(...others), Math.max(...others)];
  const part = (value) => (value - least) / (most - least || 1);
  const grid = gridOf(members);
  const picture = svgElement("svg", {
    class: "plot is-choice",
    viewBox: `0 0 ${grid.width} ${grid.height}`,
    tabindex: 0,
    role: "group",
    "aria-label": `${textOf(members, values)} Arrow keys go from field to field, Enter compares the two.`,
  });
  picture.style.maxWidth = `${Math.round(1.1 * grid.width)}px`;
  picture.append(...fields(grid, values, part));
  if (grid.hasNames) picture.append(...members.flatMap((member, i) => namesAt(grid, inputs[member], i)));
  if (members.length <= 14) picture.append(...valuesAt(grid, values, part));
  const told = element("p", { class: "told", "aria-live": "polite" }, "Point at a field to see the two inputs; click it to compare them.");
  listenToFields(picture, grid, members, (i, j) => {
    const [one, other] = [inputs[members[i]].name, inputs[members[j]].name];
    const distance = values[i][j] === null ? NOTHING_IN_COMMON : whole(values[i][j]);
    fill(told, i === j ? one : `${one} and ${other}: ${distance}`);
  });
  const ramp = element("i");
  ramp.style.background = `linear-gradient(90deg, ${levelColour(0)}, ${levelColour(LEVELS - 1)})`;
  place.replaceChildren(
    element("h2", {}, "Distances between the inputs"),
    picture,
    element("div", { class: "scale" }, whole(least), ramp, element("span", {}, `${whole(most)} ${COUNTED}`)),
    told,
    note("Similar inputs are next to each other: light squares along the diagonal are groups that agree."),
  );
  if (!isWhole) place.append(note("Each on the pairs of variables that both inputs have."));
  if (members.length < inputs.length) {
    place.append(note(`The ${members.length} inputs that are farthest from the consensus, of ${inputs.length}.`));
  }
}

// A field under the pointer, or reached by arrow keys, is described; a click or Enter shows these two networks.
function listenToFields(picture, { left, top, cell }, members, tell) {
  const mark = svgElement("rect", { class: "field", width: cell, height: cell, visibility: "hidden" });
  picture.append(mark);
  let field = null;
  const point = (i, j) => {
    if (![i, j].every((one) => one >= 0 && one < members.length)) return;
    field = [i, j];
    Object.entries({ x: left + j * cell, y: top + i * cell, visibility: "visible" })
      .forEach(([name, value]) => mark.setAttribute(name, value));
    tell(i, j);
  };
  const open = () => {
    if (!field) return;
    const [one, other] = field.map((i) => String(members[i]));
    if (one === other) showThere(one);
    else showThere("difference", { one, other });
  };
  picture.addEventListener("pointermove", ({ clientX, clientY }) => {
    const at = new DOMPoint(clientX, clientY).matrixTransform(picture.getScreenCTM().inverse());
    point(Math.floor((at.y - top) / cell), Math.floor((at.x - left) / cell));
  });
  picture.addEventListener("click", open);
  picture.addEventListener("keydown", (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (event.key === "Enter") open();
    else if (step) point(...(field ? field.map((one, axis) => one + step[axis]) : [0, 0]));
    else return;
    event.preventDefault();
  });
}

// The positions of the fields of the heat map; names only if there is room for them.
function gridOf(members) {
  const size = members.length;
  const hasNames = size <= 60;
  const longest = Math.max(...members.map((i) => inputs[i].name.length));
  const left = hasNames ? Math.min(150, 12 + 6.6 * longest) : 6;
  const cell = Math.min(46, (600 - left) / size);
  return { hasNames, left, top: left, cell, width: left + cell * size + 8, height: left + cell * size + 4 };
}

// One path for all fields of a colour.
function fields({ left, top, cell }, values, part) {
  const ways = Array.from({ length: LEVELS }, () => "");
  const side = cell.toFixed(1);
  values.forEach((row, i) =>
    row.forEach((value, j) => {
      if (i === j || value === null) return;
      const corner = `${(left + j * cell).toFixed(1)} ${(top + i * cell).toFixed(1)}`;
      ways[Math.round(part(value) * (LEVELS - 1))] += `M${corner}h${side}v${side}h-${side}z`;
    })
  );
  return ways.map((d, level) => svgElement("path", { d, style: `fill: ${levelColour(level)}` }));
}

function namesAt({ left, top, cell }, { name, apart }, i) {
  const text = name.length > 20 ? `${name.slice(0, 19)}\u2026` : name;
  const size = Math.min(12, cell * 0.9);
  const style = `font-size: ${size}px${apart ? "; fill: var(--dropped); font-weight: 700" : ""}`;
  const middle = (i + 0.5) * cell + size * 0.35;
  return [
    words(left - 6, top + middle, text, { "text-anchor": "end", style }),
    words(left + middle, top - 6, text, { transform: `rotate(-90 ${left + middle} ${top - 6})`, style }),
  ];
}

function valuesAt({ left, top, cell }, values, part) {
  return values.flatMap((row, i) =>
    row.map((value, j) => {
      const colour = i !== j && part(value) > 0.55 ? "var(--card)" : "var(--ink)";
      const style = `fill: ${colour}`;
      const text = value === null ? "\u2013" : whole(value);
      return words(left + (j + 0.5) * cell, top + (i + 0.5) * cell + 4, text, {
        "text-anchor": "middle",
        style,
      });
    })
  );
}

function textOf(members, values) {
  let [near, far] = [[Infinity], [-1]];
  values.forEach((row, i) =>
    row.forEach((value, j) => {
      if (i >= j || value === null) return;
      if (value < near[0]) near = [value, i, j];
      if (value > far[0]) far = [value, i, j];
    })
  );
  const pair = ([value, i, j]) => `${inputs[members[i]].name} and ${inputs[members[j]].name} (${value})`;
  return `Heat map of distances between inputs. Closest: ${pair(near)}. Farthest apart: ${pair(far)}.`;
}
