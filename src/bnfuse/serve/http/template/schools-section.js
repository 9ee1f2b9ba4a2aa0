// The schools among the inputs: their networks next to each other, the separating arcs, and the members.
import { bridge } from "./bridge.js";
import { $, element, fill, note, svgElement } from "./elements.js";

let drawn = null; // the result

export function startSchools() {
  const { schools } = bridge;
  $("schools-number").value = schools.number;
  $("schools-number").addEventListener("change", ({ target }) => (schools.number = target.value));
  $("schools-button").addEventListener("click", () => bridge.askSchools());
  tellSchools();
}

export function tellSchools() {
  const { found, isAsked, isOld, problem } = bridge.schools;
  const words = isAsked ? "Looking for schools\u2026" : problem;
  if ($("schools-said").textContent !== words) fill($("schools-said"), words);
  $("schools-said").classList.toggle("wrong", !isAsked && problem !== "");
  $("schools-button").setAttribute("aria-disabled", isAsked); // and keeps the focus
  fill($("schools-button"), found ? "Look again" : "Look for schools");
  $("schools-old").hidden = !isOld;
  $("schools-found").classList.toggle("old", isOld);
  if (found && drawn !== found) draw(found);
}

function draw(found) {
  drawn = found;
  const { page } = found;
  fill($("schools-headline"), page.headline);
  $("schools-lead").replaceChildren(...page.lead.map((text) => element("p", {}, text)), ...found.notes.map((text) => note(`Note: ${text}`)));
  $("schools-legend").hidden = found.k === 1;
  $("schools-pictures").replaceChildren(...page.pictures.map((picture) => figure(page, picture)));
  $("schools-parts").replaceChildren(...page.parts.map(part));
  $("schools-found").hidden = false;
}

function figure({ width, height, scale, is_wide: isWide, boxes }, { title, facts, who, arcs }) {
  const svg = svgElement(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, width: scale * width, height: scale * height, role: "img", "aria-label": `${title}: ${facts}`, "font-size": 13 },
    svgElement("g", { fill: "none" }, ...arcs.map(line)),
    svgElement("g", { "text-anchor": "middle" }, ...boxes.map(box)),
  );
  if (isWide) svg.classList.add("wide");
  return element(
    "figure",
    { class: "card school" },
    element("figcaption", {}, element("h3", {}, title), note(facts), element("p", { class: "who" }, who)),
    element("div", { class: "school-picture", tabindex: 0, role: "group", "aria-label": `${title}: its network` }, svg),
  );
}

const line = ({ path, kind, thickness, words }) =>
  svgElement("path", { class: kind, d: path, "stroke-width": thickness, "marker-end": `url(#school-${kind})` }, svgElement("title", {}, words));

const box = ({ x, y, width, height, label, name }) =>
  svgElement(
    "g",
    {},
    svgElement("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: 6 }),
    svgElement("text", { x, y: y + 4 }, label),
    ...(label === name ? [] : [svgElement("title", {}, name)]),
  );

const part = ({ name, title, texts, table }) =>
  element(
    "div",
    { class: "card", id: `school-part-${name}` },
    element("h3", {}, title),
    ...texts.map((text) => (table ? note(text) : element("p", {}, text))),
    ...(table ? folded(table) : []),
  );

// Rows beyond the first ones are folded away.
function folded({ name, headers, rows, most }) {
  const shown = rowsOf(name, headers, rows.slice(0, most));
  if (rows.length <= most) return [shown];
  return [shown, element("details", {}, element("summary", {}, `${rows.length - most} more`), rowsOf(`more of ${name}`, headers, rows.slice(most)))];
}

const rowsOf = (name, headers, rows) =>
  element(
    "div",
    { class: "scroll", tabindex: 0, role: "group", "aria-label": name },
    element(
      "table",
      {},
      element("thead", {}, element("tr", {}, ...headers.map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map(cell)))),
    ),
  );

const cell = ({ text, bold }) => (bold ? element("td", {}, element("strong", {}, bold), ` ${text}`) : element("td", {}, text));
