// The picture of the network: its arcs, its boxes, and its legend. Boxes and arcs are elements; of a large picture they are painted,
// and only those that are pointed at or have the focus are in the page.
import { countedArcs } from "./counted-arcs.js";
import { $, element, setLabel, svgElement } from "./elements.js";
import { family, isPart } from "./families.js";
import { arcGeometry, headless, pathOf } from "./geometry.js";
import {
  having,
  isCounted,
  isWhole,
  measure,
  named,
  reversible,
  shareEitherWay,
  sourceOf,
  targetOf,
  touches,
  turned,
  unjudgedWith,
} from "./networks.js";
import { listed, whole } from "./number-texts.js";
import { isOfResamples, layout, variables } from "./page-data.js";
import { paintScene, repaint, startPaint } from "./painted-picture.js";
import { geometry, homeOf } from "./places.js";
import { isWhole as isWholePicture, placing } from "./placing.js";
import { inWords } from "./stability.js";
import { chosenVariable, onChoice, onView, stage } from "./stage.js";
import { lackedIn, viewed } from "./views.js";

export const MANY_ARCS = 2500; // arcs of one view: more are drawn as a few long paths, which cannot be pointed at
const MOST_ELEMENTS = 600; // boxes and arcs: more are painted

const net = $("net");
const boxGroup = net.querySelector(".nodes");
const thickness = (code) => (1.2 + 3.2 * shareEitherWay(code)).toFixed(2);

export const nodes = [...net.querySelectorAll(".node")];
const labels = nodes.map((node) => node.querySelector("text").textContent);
export const arcNodes = new Map(); // an arc of the view: its element
let shown = []; // [code, kind, whether it has no head] of the view
let isPainted = false;
let pointed = null; // an element
let merged = []; // what is painted of arcs that are too many to be elements
let ownGeometry = null; // of a neighbourhood
let measured = null; // the neighbourhood that it is of

export const isOnCanvas = () => isPainted;
export const boxesShown = () => placing().members.map((v) => nodes[v]);

// Whether the direction of an arc is free, where the picture is of the consensus.
const isFree = (code) => stage.view.key === "consensus" && reversible.has(code);

export const isShown = (code) => shown.some(([one]) => one === code);

export function draw() {
  const [arcs, meaning, all = arcs] = viewed(stage.view);
  shown = ofMembers(arcs);
  shown.sort((a, b) => (a[1] === "kept") - (b[1] === "kept") || a[0] - b[0]); // what is kept lies on top
  isPainted = stage.view.key !== "beside" && placing().members.length + shown.length > MOST_ELEMENTS;
  const single = shown.length <= MANY_ARCS ? shown : shown.filter(isNearChoice()).slice(0, MANY_ARCS);
  const isMerged = single.length < shown.length;
  const ways = waysOf(single);
  arcNodes.clear();
  arcElements(single, meaning, ways).forEach((arc, i) => arcNodes.set(single[i][0], arc));
  single.length && arcNodes.get(single[0][0]).setAttribute("tabindex", 0);
  placeBoxes();
  merged = isMerged ? masses() : [];
  paintScene(isPainted ? { boxes: boxesToPaint(), arcs: arcsToPaint(single, ways), masses: merged } : null, layout.head);
  pointed = null;
  if (isPainted) settle();
  else {
    $("arcs").replaceChildren(...arcNodes.values());
    if (!areInPage(boxesShown())) boxGroup.replaceChildren(...boxesShown());
  }
  drawLegend(ofMembers(all), meaning, isMerged);
  highlight();
}

// Among many arcs, those of the chosen variable, or those that the chosen sentence counts.
function isNearChoice() {
  const variable = chosenVariable();
  const counted = new Set(stage.chosen?.told && countedArcs(stage.chosen.told));
  return ([code]) => counted.has(code) || (variable !== null && touches(code, variable));
}

// Boxes that stay keep the focus.
const areInPage = (boxes) => boxes.length === boxGroup.children.length && boxes.every((one, i) => one === boxGroup.children[i]);

// Among the arcs of a view, those between variables of the picture.
export function ofMembers(arcs) {
  const isMember = new Set(placing().members);
  return arcs.filter(([code]) => isMember.has(sourceOf(code)) && isMember.has(targetOf(code)));
}

function waysOf(arcs) {
  if (!isWholePicture() && measured !== placing()) [measured, ownGeometry] = [placing(), arcGeometry(placing())];
  return (isWholePicture() ? geometry() : ownGeometry).ways(arcs.map(([code]) => code));
}

export const arcElements = (arcs, meaning, ways = waysOf(arcs)) =>
  arcs.map(([code, kind, isBare]) => arcElement(code, kind, wayOf(ways.get(code), isBare), isBare, meaning[kind]));

const wayOf = (way, isBare) => (isBare ? headless(way, layout.head) : way);

// The offset of a box from the position of its element.
const aside = (v) => {
  const [x, y] = homeOf(v);
  return [placing().x[v] - x, placing().y[v] - y];
};

// Boxes keep their elements and contents; if their positions differ from the page's layout, they are moved.
function placeBoxes() {
  for (const v of placing().members) {
    const [dx, dy] = aside(v);
    if (dx || dy) nodes[v].setAttribute("transform", `translate(${dx} ${dy})`);
    else nodes[v].removeAttribute("transform");
  }
  const stops = boxesShown().filter((node) => node.getAttribute("tabindex") === "0");
  if (!stops.length) stopAt(boxesShown()[0], nodes);
}

function boxesToPaint() {
  const { x, y, widths, height, members } = placing();
  return members.map((v) => {
    const [dx, dy] = aside(v);
    return { node: nodes[v], label: labels[v], x: x[v], y: y[v], width: widths[v], height, dx, dy };
  });
}

const arcsToPaint = (single, ways) =>
  single.map(([code, , isBare]) => {
    const element = arcNodes.get(code);
    const path = new Path2D(element.lastChild.getAttribute("d"));
    return { element, points: wayOf(ways.get(code), isBare), path, isBare, isFree: isFree(code) };
  });

// Of a painted picture the page has what is pointed at, and the stops of the Tab key.
function settle() {
  const isWanted = (one) => one === pointed || one.getAttribute("tabindex") === "0" || one === document.activeElement;
  for (const [group, all] of [[$("arcs"), [...arcNodes.values()]], [boxGroup, boxesShown()]]) {
    for (const one of [...group.children]) if (!all.includes(one) || !isWanted(one)) one.remove();
    for (const one of all) if (isWanted(one) && !one.isConnected) group.append(one);
  }
  repaint();
}

// Work that is done while the whole picture is in the page, painted or not.
export function withAll(work) {
  if (!isPainted) return work();
  $("arcs").replaceChildren(...merged.map(({ element }) => element), ...arcNodes.values());
  boxGroup.replaceChildren(...boxesShown());
  const result = work();
  settle();
  return result;
}

// Puts the item under the pointer into the page.
export function point(element) {
  if (!isPainted || element === pointed) return;
  pointed = element;
  settle();
}

// The Tab key comes to this one of them, and no other.
function stopAt(to, all) {
  for (const one of all) if (one.getAttribute("tabindex") === "0") one.setAttribute("tabindex", -1);
  to.setAttribute("tabindex", 0);
}

export function moveFocus(to, all) {
  stopAt(to, all);
  if (isPainted) settle(); // it must be in the page to have the focus, and the previous one may be removed only then
  to.focus({ preventScroll: true });
  if (isPainted) settle();
}

function arcElement(code, kind, way, isBare, meaning) {
  const d = pathOf(way);
  const head = isBare ? {} : { "marker-end": `url(#bnfuse-${isFree(code) ? `${kind}-free` : kind})` };
  const line = svgElement("path", { class: "line", d, ...head });
  line.style.strokeWidth = thickness(code);
  const direction = isFree(code) ? ", direction free" : isBare ? ", without a direction" : "";
  return svgElement(
    "g",
    {
      class: `arc ${kind}`,
      "data-a": code,
      tabindex: -1,
      role: "button",
      "aria-label": `${named(code)}: ${meaning}, ${isOfResamples ? inWords(code) : having(code)[0]}${direction}`,
    },
    svgElement("path", { class: "hit", d }),
    line,
  );
}

// All arcs of a kind as one path of straight lines: tens of thousands of curves with dashes take a browser too long.
function masses() {
  const { x, y } = placing();
  const ways = {};
  for (const [code, kind] of shown) {
    const [source, target] = [sourceOf(code), targetOf(code)];
    (ways[kind] ||= []).push(`M${x[source]} ${y[source]}L${x[target]} ${y[target]}`);
  }
  return Object.entries(ways).map(([kind, all]) => {
    const d = all.join("");
    return { element: svgElement("path", { class: `line mass arc ${kind}`, d }), path: new Path2D(d) };
  });
}

function drawLegend(all, meaning, isMerged) {
  const tally = {};
  for (const [, kind] of all) tally[kind] = (tally[kind] || 0) + 1;
  const items = Object.keys(meaning).filter((kind) => tally[kind]).map((kind) =>
    element(
      "li",
      {},
      svgElement(
        "svg",
        { viewBox: "0 0 34 10" },
        svgElement("path", { class: `line ${kind}`, d: "M0 5H34", "stroke-width": 2.5 }),
      ),
      `${meaning[kind]} (${whole(tally[kind])})`,
    )
  );
  const free = shown.filter(([code]) => isFree(code)).length;
  if (free && !isMerged) items.push(freeItem(free));
  const bare = all.filter(([code, , isBare]) => isBare && !isFree(code)).length;
  if (bare && !isMerged) items.push(element("li", {}, `no head: without a direction (${whole(bare)})`));
  if (!all.length) items.push(element("li", {}, "no arcs"));
  else if (isMerged) items.push(element("li", {}, "too many arcs to point at: choose a variable to see its own"));
  else items.push(element("li", { class: "hint" }, `thicker: ${thicker()}`));
  $("legend").replaceChildren(...items);
}

function thicker() {
  if (isOfResamples) return "stronger";
  if (!isWhole) return `more of the ${isCounted ? "inputs that have both variables" : measure}`;
  return isCounted ? "more inputs have it" : `more ${measure}`;
}

function freeItem(count) {
  const line = stage.view.heads ? { d: "M0 5H25", "marker-end": "url(#bnfuse-kept-free)" } : { d: "M0 5H34" };
  return element(
    "li",
    { title: "If it is reversed, possibly with others, the network implies the same independences." },
    svgElement("svg", { viewBox: "0 0 34 10" }, svgElement("path", { class: "line kept", "stroke-width": 2.5, ...line })),
    `${stage.view.heads ? "hollow" : "no"} head: direction free (${whole(count)})`,
  );
}

// Grey: variables that an input of the view lacks or, with a chosen one, that no input has together with it.
function greyed() {
  const [lacked, whose] = lackedIn(stage.view);
  if (lacked.size) return [lacked, `${listed(whose)} ${whose.length > 1 ? "do not both have" : "lacks"} it`];
  const variable = chosenVariable();
  if (variable === null) return [new Set(), ""];
  return [new Set(unjudgedWith(variable)), `no input has it together with ${variables[variable]}`];
}

function drawGrey() {
  const [grey, why] = greyed();
  nodes.forEach((node, v) => {
    node.classList.toggle("unknown", grey.has(v));
    setLabel(node, grey.has(v) ? `${variables[v]}, grey: ${why}` : variables[v]);
  });
  $("legend").querySelector(".grey")?.remove();
  if (grey.size) $("legend").prepend(boxItem("grey", "unknown", `${why} (${whole(grey.size)})`));
}

const boxItem = (name, kind, text) =>
  element(
    "li",
    { class: name },
    svgElement(
      "svg",
      { viewBox: "0 0 34 10", class: `node ${kind}` },
      svgElement("rect", { x: 1.5, y: 1.5, width: 31, height: 7, rx: 2.5 }),
    ),
    text,
  );

// The meaning of the borders of boxes while a variable is chosen.
function drawFamilyLegend(members) {
  for (const item of $("legend").querySelectorAll(".family")) item.remove();
  const words = { parent: "parent", child: "child", spouse: "shares a child", neighbour: "neighbour" };
  const items = Object.entries(members).filter(([, all]) => all.length);
  $("legend").prepend(
    ...items.map(([kind, all]) => boxItem("family", kind, `${words[kind]} (${whole(all.length)})`)),
  );
}

function highlight() {
  const variable = chosenVariable();
  const told = stage.chosen?.told;
  net.classList.toggle("some", variable !== null || told !== undefined);
  drawGrey();
  for (const node of nodes) node.classList.remove("chosen", "parent", "child", "spouse", "neighbour", "near");
  for (const [code, , isBare] of shown) {
    const arc = arcNodes.get(code);
    if (!arc) continue;
    const chosen = stage.chosen && stage.chosen.arc;
    arc.classList.toggle("chosen", chosen === code || Boolean(isBare && chosen === turned(code)));
    arc.classList.remove("near");
  }
  drawFamilyLegend({});
  repaint();
  if (told !== undefined) highlightArcs(countedArcs(told));
  if (variable === null) return;
  const { parents, children, spouses, neighbours } = family(variable);
  drawFamilyLegend({ parent: parents, child: children, spouse: spouses, neighbour: neighbours });
  nodes[variable].classList.add("chosen", "near");
  neighbours.forEach((v) => nodes[v].classList.add("neighbour", "near"));
  parents.forEach((v) => nodes[v].classList.add("parent", "near"));
  children.forEach((v) => nodes[v].classList.add("child", "near"));
  spouses.forEach((v) => nodes[v].classList.add("spouse", "near"));
  const isChild = new Set(children);
  for (const [code, arc] of arcNodes) {
    arc.classList.toggle("near", touches(code, variable) || (isPart(code) && isChild.has(targetOf(code))));
  }
}

function highlightArcs(codes) {
  for (const code of codes) {
    (arcNodes.get(code) ?? arcNodes.get(turned(code)))?.classList.add("chosen", "near");
    for (const v of [sourceOf(code), targetOf(code)]) nodes[v].classList.add("near");
  }
}

export function startPicture() {
  nodes.forEach((node, i) => {
    node.setAttribute("tabindex", i ? -1 : 0);
    node.setAttribute("role", "button");
    setLabel(node, variables[i]);
  });
  if (nodes.length > MOST_ELEMENTS) boxGroup.replaceChildren(); // parts that will be painted cost nothing until then
  $("arcs").replaceChildren();
  startPaint();
  onView(draw);
  onChoice(() => (shown.length > MANY_ARCS ? draw() : highlight()));
}
