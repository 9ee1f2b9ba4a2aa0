"use strict";
// Everything that comes from networks is put on the page as text (textContent), never as markup.

const data = JSON.parse(document.getElementById("data").textContent);
const { variables, facts, layout } = data;
const n = variables.length;
const MANY_ARCS = 2500; // of one view: more are drawn as a few long paths, which cannot be pointed at
const MANY_ROWS = 250; // of a table at a time
const FIRST_BARS = 12;

const $ = (id) => document.getElementById(id);

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "class") node.className = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

function drawn(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

const number = (value, digits = 2) => value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
const whole = (value) => Number(value).toLocaleString("en", { maximumFractionDigits: Number.isInteger(value) ? 0 : 2 });
const percent = (share) => `${Math.round(100 * share)}\u00a0%`;
const count = (value, noun) => `${whole(value)} ${noun}${value === 1 ? "" : "s"}`;
const METRIC = facts.metric === "smhd" ? "SMHD" : "FSim";

// Large whole numbers come as text: a clique table may have more numbers than JavaScript can count.
function large(text) {
  return text.length <= 9 ? whole(Number(text)) : `${text[0]}.${text.slice(1, 3)}\u00b710^${text.length - 1}`;
}

// ---- Networks -------------------------------------------------------------------------------------------------------

function decoded(steps) {
  let code = 0;
  return new Set(steps.map((step) => (code += step)));
}
const sourceOf = (code) => Math.floor(code / n);
const targetOf = (code) => code % n;
const turned = (code) => targetOf(code) * n + sourceOf(code);
const named = (code) => `${variables[sourceOf(code)]} \u2192 ${variables[targetOf(code)]}`;

const consensus = decoded(data.consensus);
const fusion = data.fusion && decoded(data.fusion);
const inputs = data.inputs.map((input) => ({ ...input, arcs: decoded(input.arcs) }));
const hasInputs = inputs.length > 0;
const sameWeights = new Set(inputs.map((input) => input.weight)).size <= 1;

const owners = new Map(); // an arc: the numbers of the inputs that have it
inputs.forEach((input, i) => input.arcs.forEach((code) => {
  if (owners.has(code)) owners.get(code).push(i);
  else owners.set(code, [i]);
}));
const shares = new Map(hasInputs
  ? [...owners].map(([code, who]) => [code, who.reduce((sum, i) => sum + inputs[i].weight, 0) / data.weight])
  : data.counts.map(([code, weight]) => [code, weight / data.weight]));
const share = (code) => shares.get(code) || 0;
const ownersOf = (code) => owners.get(code) || [];
const reasons = new Map(data.reasons.map(([code, change, cycle, allowed, clique, least]) =>
  [code, { change, cycle, allowed, clique, least }]));

function having(code) {
  if (!hasInputs) return `${percent(share(code))} of the weight`;
  const text = `${ownersOf(code).length} of ${inputs.length} inputs`;
  return sameWeights ? text : `${text} (${percent(share(code))} by weight)`;
}

// What an arc is, seen from the consensus.
function statusOf(code) {
  if (consensus.has(code)) return share(code) + share(turned(code)) === 0 ? "added" : share(code) < share(turned(code)) ? "reversed" : "kept";
  if (consensus.has(turned(code))) return "reversed";
  return share(code) > 0 ? "dropped" : "added";
}
const STATUS = {
  kept: "kept", dropped: "dropped", added: "added by fusion",
  reversed: "reversed",
};
function statusText(code) {
  const status = statusOf(code);
  if (status === "reversed") return consensus.has(code) ? "kept, reversed in more inputs" : "reversed in the consensus";
  if (status === "added" && consensus.has(code)) return "in the consensus only";
  return STATUS[status];
}

// Why an arc is not in the consensus, in sentences.
function why(code) {
  const reason = reasons.get(code);
  if (!reason || consensus.has(code)) return [];
  const isTurned = consensus.has(turned(code));
  const doing = isTurned ? "Turning it round" : "Adding it";
  if (!reason.allowed) return ["The constraints do not allow it."];
  if (reason.cycle) return [`${doing} would close a cycle with other arcs of the consensus.`];
  const said = [];
  const both = share(code) + share(turned(code));
  if (!isTurned && both < 0.5) said.push(`Fewer than half of the inputs have it${share(turned(code)) ? ", either way round" : ""}.`);
  if (isTurned && share(code) < share(turned(code))) said.push("Fewer inputs have it this way round.");
  if (reason.clique !== null && reason.clique > facts.limit) {
    said.push(reason.least > facts.limit
      ? `${doing} needs a clique of at least ${reason.least}: the limit is ${facts.limit}.`
      : `${doing} makes a clique of ${reason.clique}, as far as is known: the limit is ${facts.limit}.`);
  }
  if (reason.change !== null) {
    const size = Math.abs(reason.change);
    const amount = size >= 0.005 ? number(size) : size.toPrecision(1);
    if (size < 1e-9) said.push(`${doing} would not change the mean distance.`);
    else if (reason.change > 0) said.push(`${doing} would raise the mean distance by ${amount}${both >= 0.5 ? ": it marries other variables too" : ""}.`);
    else said.push(`${doing} alone would lower the mean distance by ${amount}${reason.clique === null ? "; the clique it would make was not looked for" : reason.clique > facts.limit ? "" : ": this search did not find that"}.`);
  }
  return said;
}

// ---- Views ----------------------------------------------------------------------------------------------------------

// A network by its key: "consensus", "fusion", or the number of an input.
const networkOf = (key) => (key === "consensus" ? consensus : key === "fusion" ? fusion : inputs[Number(key)].arcs);
const nameOf = (key) => (key === "consensus" ? "consensus" : key === "fusion" ? "full fusion" : inputs[Number(key)].name);

function leastShare() {
  const parts = hasInputs ? inputs.length : 20;
  return Number($("least").value) / parts;
}

// The arcs of a view as [code, kind], and what the kinds mean there.
function viewed() {
  const key = $("view").value;
  if (key === "consensus") {
    const arcs = [...consensus].map((code) => [code, statusOf(code)]);
    const least = leastShare() - 1e-9;
    for (const [code, part] of shares) {
      const back = share(turned(code));
      const stronger = part > back || (part === back && sourceOf(code) < targetOf(code));
      if (stronger && part + back >= least && !consensus.has(code) && !consensus.has(turned(code))) arcs.push([code, "dropped"]);
    }
    return [arcs, { kept: "kept", reversed: "kept, reversed in more inputs", added: "in no input", dropped: "dropped" }];
  }
  if (key === "difference") {
    const [one, other] = [$("one").value, $("other").value];
    return [difference(networkOf(one), networkOf(other)), {
      kept: "in both", dropped: `only in ${nameOf(one)}`, added: `only in ${nameOf(other)}`, reversed: `other way round in ${nameOf(other)}`,
    }];
  }
  if (key === "fusion") {
    return [[...fusion].map((code) => [code, seen(code)]), {
      kept: "in the consensus", dropped: "dropped", added: "added by fusion: no input has it", reversed: "other way round in the consensus",
    }];
  }
  return [difference(networkOf(key), consensus), {
    kept: "in the consensus too", dropped: "not in the consensus", added: "in the consensus only", reversed: "other way round in the consensus",
  }];
}

function seen(code) {
  if (consensus.has(code)) return "kept";
  if (consensus.has(turned(code))) return "reversed";
  return share(code) + share(turned(code)) > 0 ? "dropped" : "added";
}

function difference(one, other) {
  const arcs = [...one].map((code) => [code, other.has(code) ? "kept" : other.has(turned(code)) ? "reversed" : "dropped"]);
  other.forEach((code) => {
    if (!one.has(code) && !one.has(turned(code))) arcs.push([code, "added"]);
  });
  return arcs;
}

// ---- The picture ----------------------------------------------------------------------------------------------------

const net = $("net");
const nodes = [...net.querySelectorAll(".node")];
const routes = new Map(layout.routes.map(([code, ...numbers]) => [code, numbers]));

const port = (dx, width) => Math.max(-0.32 * width, Math.min(0.32 * width, 0.16 * dx));

// The way of an arc, as in picture.py.
function curve(code) {
  const [a, b] = [sourceOf(code), targetOf(code)];
  const [x0, y0, x1, y1] = [layout.x[a], layout.y[a], layout.x[b], layout.y[b]];
  const half = layout.height / 2;
  const at = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  if (y0 === y1) {
    const depth = 24 + Math.min(60, Math.abs(x1 - x0) / 8);
    const end = y1 + half + layout.head;
    return `M${at(x0, y0 + half)}C${at(x0, y0 + half + depth)} ${at(x1, end + depth)} ${at(x1, end)}`;
  }
  const down = y1 > y0 ? 1 : -1;
  const bends = routes.get(code) || [];
  const aside = down === 1 ? 0 : 6;
  const points = [[x0 + aside + port((bends.length ? bends[0] : x1) - x0, layout.widths[a]), y0 + down * half]];
  for (let i = 0; i < bends.length; i += 2) points.push([bends[i], bends[i + 1]]);
  points.push([x1 + aside + port((bends.length ? bends[bends.length - 2] : x0) - x1, layout.widths[b]), y1 - down * (half + layout.head)]);
  let way = `M${at(...points[0])}C`;
  for (let i = 0; i + 1 < points.length; i++) {
    const [here, there] = [points[i], points[i + 1]];
    const ends = [0.15 * (there[0] - here[0]), 0.5 * (there[1] - here[1])];
    const tangent = (before, after) => [(after[0] - before[0]) / 24, (after[1] - before[1]) / 5];
    const leaving = i === 0 ? ends : tangent(points[i - 1], there);
    const arriving = i === points.length - 2 ? ends : tangent(here, points[i + 2]);
    way += ` ${at(here[0] + leaving[0], here[1] + leaving[1])} ${at(there[0] - arriving[0], there[1] - arriving[1])} ${at(...there)}`;
  }
  return way;
}

const thickness = (code) => (1.2 + 3.2 * (share(code) + share(turned(code)))).toFixed(2);
let shown = []; // [code, kind] of the view
let meaning = {};
let arcNodes = new Map();
let chosen = null; // {arc: code} or {variable: number}

function drawArcs() {
  [shown, meaning] = viewed();
  shown.sort((a, b) => (a[1] === "kept") - (b[1] === "kept") || a[0] - b[0]); // what is kept lies on top
  arcNodes = new Map();
  const group = $("arcs");
  group.replaceChildren();
  const single = shown.length <= MANY_ARCS ? shown
    : chosen && "variable" in chosen ? shown.filter(([code]) => touches(code, chosen.variable)).slice(0, MANY_ARCS) : [];
  if (single.length < shown.length) {
    const ways = {};
    for (const [code, kind] of shown) (ways[kind] ||= []).push(curve(code));
    for (const [kind, all] of Object.entries(ways)) {
      group.append(drawn("path", { class: `line arc ${kind}`, "pointer-events": "none", "stroke-width": 1, "stroke-opacity": 0.5, d: all.join("") }));
    }
  }
  single.forEach(([code, kind], i) => {
    const d = curve(code);
    const arc = drawn("g", {
      class: `arc ${kind}`, "data-a": code, tabindex: i ? -1 : 0, role: "button", "aria-label": `${named(code)}: ${meaning[kind]}, ${having(code)}`,
    }, drawn("path", { class: "hit", d }), drawn("path", { class: "line", d, "stroke-width": thickness(code), "marker-end": `url(#bnfuse-${kind})` }));
    arc.querySelector(".line").style.strokeWidth = thickness(code);
    arcNodes.set(code, arc);
    group.append(arc);
  });
  drawLegend(single.length < shown.length);
  highlight();
}

const touches = (code, variable) => sourceOf(code) === variable || targetOf(code) === variable;

function drawLegend(isMerged) {
  const tally = {};
  for (const [, kind] of shown) tally[kind] = (tally[kind] || 0) + 1;
  const items = Object.keys(meaning).filter((kind) => tally[kind]).map((kind) => element("li", {},
    drawn("svg", { viewBox: "0 0 34 10" }, drawn("path", { class: `line ${kind}`, d: "M0 5H34", "stroke-width": 2.5 })),
    `${meaning[kind]} (${whole(tally[kind])})`));
  if (!shown.length) items.push(element("li", {}, "no arcs"));
  else if (isMerged) items.push(element("li", {}, "too many arcs to point at: choose a variable to see its own"));
  else items.push(element("li", { class: "hint" }, "thicker: more inputs have it"));
  $("legend").replaceChildren(...items);
}

// ---- What was chosen or pointed at ----------------------------------------------------------------------------------

function family(variable) {
  const parents = [], children = [], spouses = new Set();
  for (const [code, kind] of shown) {
    if (!isPart(code, kind)) continue;
    if (targetOf(code) === variable) parents.push(sourceOf(code));
    if (sourceOf(code) === variable) children.push(targetOf(code));
  }
  const isChild = new Set(children);
  for (const [code, kind] of shown) {
    if (isPart(code, kind) && isChild.has(targetOf(code)) && sourceOf(code) !== variable) spouses.add(sourceOf(code));
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
  for (const [code, arc] of arcNodes) arc.classList.toggle("near", touches(code, chosen.variable) || (isPart(code) && isChild.has(targetOf(code))));
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
    panel.replaceChildren(element("h2", {}, "Details"), element("p", { class: "note" },
      "Point at an arc, or reach it with the Tab and arrow keys, to see who has it and why it is in or out. Click a variable to see its family, its Markov blanket and its parameters."));
  } else if ("arc" in what) panel.replaceChildren(...arcFacts(what.arc));
  else panel.replaceChildren(...variableFacts(what.variable));
}

function nameList(who) {
  return element("div", { class: "chips" }, ...who.slice(0, 60).map((i) => element("span", {}, inputs[i].name)),
    who.length > 60 ? element("span", {}, `and ${who.length - 60} more`) : null);
}

function arcFacts(code) {
  const back = turned(code);
  const kind = seen(code);
  const parts = [element("h3", {}, named(code)), element("span", { class: `kind ${kind}` }, statusText(code))];
  parts.push(element("p", {}, share(code) ? `${having(code)} ${inputs.length && ownersOf(code).length === 1 ? "has" : "have"} it this way round.` : `No input has it this way round.`));
  if (ownersOf(code).length && ownersOf(code).length < inputs.length) parts.push(nameList(ownersOf(code)));
  if (share(back)) {
    parts.push(element("p", {}, `${having(back)}: the other way round.`));
    if (hasInputs) parts.push(nameList(ownersOf(back)));
  }
  for (const text of why(code)) parts.push(element("p", {}, text));
  if (!share(code) && !share(back)) parts.push(element("p", {}, consensus.has(code)
    ? "It stands for dependences that inputs have through other variables." : "Fusing the inputs under one order of the variables needs it."));
  return parts;
}

function variableFacts(variable) {
  const { parents, children, spouses } = family(variable);
  const links = (title, list) => [element("div", { class: "group" }, `${title} (${list.length})`),
    element("div", { class: "chips" }, ...list.slice(0, 80).map((v) => element("button", { type: "button", onclick: () => goTo(v) }, variables[v])),
      list.length > 80 ? element("span", {}, `and ${list.length - 80} more`) : null)];
  const where = $("view").value === "difference" ? nameOf($("one").value) : nameOf($("view").value);
  const parts = [element("h3", {}, variables[variable]), element("p", { class: "note" },
    `Markov blanket of ${count(parents.length + children.length + spouses.length, "variable")} in the ${where === "consensus" || where === "full fusion" ? where : `network ${where}`}`)];
  parts.push(...links("Parents", parents), ...links("Children", children), ...links("Other parents of its children", spouses));
  parts.push(...parameterTable(variable));
  return parts;
}

function parameterTable(variable) {
  const tables = data.tables;
  if (!tables) return [];
  const title = element("div", { class: "group" }, "Parameters in the consensus");
  const values = tables.values[variable];
  if (!values) return [title, element("p", {}, `${whole(tables.sizes[variable])} numbers: too many for this page. The network's own file has them.`)];
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
    body.push(element("tr", {}, ...labels, ...states.map((_, i) => element("td", { class: "number" }, values[row * states.length + i].toFixed(3)))));
  }
  return [title, element("div", { class: "scroll" }, element("table", { class: "chances" },
    element("thead", {}, element("tr", {}, ...parents.map((v) => element("th", { scope: "col" }, variables[v])), ...states.map((state) => element("th", { scope: "col", class: "number" }, state)))),
    element("tbody", {}, ...body))), rows > 100 ? element("p", { class: "note" }, `the first 100 of ${whole(rows)} rows`) : null].filter(Boolean);
}

// ---- Moving and zooming ---------------------------------------------------------------------------------------------

const box = { x: 0, y: 0, scale: 1 }; // the top left corner of what is seen, and pixels for each unit
let isMoved = false;

function place() {
  net.setAttribute("viewBox", [box.x, box.y, net.clientWidth / box.scale, net.clientHeight / box.scale].map((value) => value.toFixed(2)).join(" "));
}

function fit() {
  const [width, height] = layout.size;
  box.scale = Math.min(1.4, net.clientWidth / width, net.clientHeight / height) || 1;
  box.x = (width - net.clientWidth / box.scale) / 2;
  box.y = (height - net.clientHeight / box.scale) / 2;
  isMoved = false;
  place();
}

function zoom(factor, x = net.clientWidth / 2, y = net.clientHeight / 2) {
  const scale = Math.max(0.02, Math.min(6, box.scale * factor));
  box.x += x / box.scale - x / scale;
  box.y += y / box.scale - y / scale;
  box.scale = scale;
  isMoved = true;
  place();
}

function shift(dx, dy) {
  box.x += dx / box.scale;
  box.y += dy / box.scale;
  isMoved = true;
  place();
}

function goTo(variable) {
  const scale = Math.max(box.scale, 0.9);
  if (scale !== box.scale || !isInSight(variable)) {
    box.scale = scale;
    box.x = layout.x[variable] - net.clientWidth / scale / 2;
    box.y = layout.y[variable] - net.clientHeight / scale / 2;
    isMoved = true;
    place();
  }
  choose({ variable });
}

function isInSight(variable) {
  const [x, y] = [(layout.x[variable] - box.x) * box.scale, (layout.y[variable] - box.y) * box.scale];
  return x > 40 && y > 20 && x < net.clientWidth - 40 && y < net.clientHeight - 20;
}

function listenToPicture() {
  let drag = null;
  const arcAt = (event) => event.target.closest && event.target.closest("[data-a]");
  const nodeAt = (event) => event.target.closest && event.target.closest("[data-v]");
  net.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    drag = { x: event.clientX, y: event.clientY, moved: false };
  });
  net.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const [dx, dy] = [drag.x - event.clientX, drag.y - event.clientY];
    if (!drag.moved && Math.hypot(dx, dy) < 4) return;
    if (!drag.moved) net.setPointerCapture(event.pointerId);
    shift(dx, dy);
    drag = { x: event.clientX, y: event.clientY, moved: true };
    net.classList.add("dragged");
  });
  net.addEventListener("pointerup", (event) => {
    const wasDrag = drag && drag.moved;
    drag = null;
    net.classList.remove("dragged");
    if (wasDrag || event.button) return;
    if (arcAt(event)) choose({ arc: Number(arcAt(event).dataset.a) });
    else if (nodeAt(event)) choose({ variable: Number(nodeAt(event).dataset.v) });
    else choose(null);
  });
  net.addEventListener("pointercancel", () => { drag = null; net.classList.remove("dragged"); });
  net.addEventListener("pointerover", (event) => { if (!drag && arcAt(event)) tell({ arc: Number(arcAt(event).dataset.a) }); });
  net.addEventListener("pointerout", (event) => { if (arcAt(event) && !net.contains(document.activeElement.closest("[data-a]"))) tell(chosen); });
  net.addEventListener("focusin", (event) => {
    if (arcAt(event)) tell({ arc: Number(arcAt(event).dataset.a) });
  });
  net.addEventListener("wheel", (event) => {
    // The page scrolls on, unless the picture is what the reader works with.
    if (!event.ctrlKey && !net.contains(document.activeElement)) return;
    event.preventDefault();
    const place = net.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 400), event.clientX - place.left, event.clientY - place.top);
  }, { passive: false });
  net.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arc = arcAt(event), node = nodeAt(event);
    const moves = { ArrowLeft: [-60, 0], ArrowRight: [60, 0], ArrowUp: [0, -60], ArrowDown: [0, 60] };
    if (event.key === "+" || event.key === "=") zoom(1.25);
    else if (event.key === "-") zoom(0.8);
    else if (event.key === "0") fit();
    else if (event.key === "Escape") choose(null);
    else if ((event.key === "Enter" || event.key === " ") && arc) choose({ arc: Number(arc.dataset.a) });
    else if ((event.key === "Enter" || event.key === " ") && node) choose({ variable: Number(node.dataset.v) });
    else if (event.key in moves) {
      if (arc || node) roam(arc || node, event.key === "ArrowRight" || event.key === "ArrowDown" ? 1 : -1);
      else shift(...moves[event.key]);
    } else return;
    event.preventDefault();
  });
}

// One stop for the Tab key, arrow keys within: to the next arc, or variable.
function roam(from, step) {
  const all = from.dataset.a ? [...arcNodes.values()] : nodes;
  const to = all[(all.indexOf(from) + step + all.length) % all.length];
  from.setAttribute("tabindex", -1);
  to.setAttribute("tabindex", 0);
  to.focus({ preventScroll: true });
}

function find(text, isFinal) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return;
  let found = variables.findIndex((name) => name.toLowerCase() === wanted);
  if (found < 0 && isFinal) found = variables.findIndex((name) => name.toLowerCase().includes(wanted));
  if (found >= 0) goTo(found);
  else if (isFinal) $("details").replaceChildren(element("h3", {}, "Not found"), element("p", {}, `No variable is called \u201c${text.trim()}\u201d.`));
}

// ---- First screen ---------------------------------------------------------------------------------------------------

// A sentence of ours starts with a capital; one that starts with somebody's name is left alone.
const sentence = (text) => (facts.apart.length ? `${text}.` : `${text[0].toUpperCase()}${text.slice(1)}.`);

function tellFirst() {
  const who = hasInputs ? count(inputs.length, "network") : `A tally of weight ${whole(data.weight)}`;
  const proof = facts.gap === 0 ? ", proven optimal" : facts.gap === null ? "" : `, gap to the optimum at most ${gapText()}`;
  $("headline").textContent = `${who}, one consensus: ${count(facts.arcs, "arc")}${proof}`;
  const lead = $("lead");
  const first = facts.apart[0];
  if (first !== undefined) lead.append(element("strong", {}, first), `${facts.who.slice(first.length)}.`);
  else lead.append(sentence(facts.who));
  if (facts.stopped_by !== "finished") lead.append(` The search was stopped early (${facts.stopped_by}).`);
  const to = facts.target === "inputs" ? "the inputs" : "the full fusion";
  const tiles = [["Mean distance", number(facts.distance), `${METRIC} to ${to}`]];
  if (facts.bound !== null) {
    const below = facts.gap === 0 ? facts.distance : Math.floor(facts.bound * 100 + 1e-6) / 100; // rounded up it would claim too much
    tiles.push(["Proven bound", number(below), facts.gap === 0 ? "reached: nothing is closer" : `nothing is closer; gap ${gapText()}`]);
  }
  tiles.push(["Largest clique", String(facts.clique), `limit ${facts.limit}, treewidth ${facts.clique - 1}`]);
  if (facts.majority !== null) tiles.push(["Majority vote", number(facts.majority), "mean distance, the usual way"]);
  if (facts.fused) tiles.push(["Full fusion", number(facts.fused.distance), `largest clique ${facts.fused.clique}`]);
  $("facts").replaceChildren(...tiles.map(([name, value, more], i) => element("div", { class: i > 3 ? "extra" : "" },
    element("dt", {}, name), element("dd", {}, value, element("small", {}, more)))));
}

const gapText = () => `${number(Math.ceil(1000 * facts.gap) / 10, 1)}\u00a0%`; // rounded up: what is proven

let isBarsWhole = false;
function drawBars() {
  if (!hasInputs) {
    $("bars-card").append(element("p", { class: "note" }, "A tally has only counts: who disagrees is not known."));
    return;
  }
  const sorted = inputs.map((input, i) => [input, i]).sort(([a, i], [b, j]) => b.distance - a.distance || i - j);
  const most = Math.max(1e-9, sorted[0][0].distance);
  const visible = isBarsWhole ? sorted : sorted.slice(0, FIRST_BARS);
  $("bars").replaceChildren(...visible.map(([input, i]) => {
    const bar = element("span", { class: "bar" });
    bar.style.width = `${(100 * input.distance) / most}%`;
    return element("li", {}, element("button", {
      type: "button", class: input.apart ? "apart" : "", "data-i": i, "aria-pressed": $("view").value === String(i),
      title: input.name, "aria-label": `${input.name}: distance ${whole(input.distance)}${input.apart ? ", stands apart" : ""}. Show it.`,
      onclick: () => { $("view").value = $("view").value === String(i) ? "consensus" : String(i); changeView(); },
    }, element("span", { class: "who" }, input.name, input.apart ? element("em", {}, "stands apart") : null), bar, element("span", { class: "value" }, whole(input.distance))));
  }));
  const button = $("all-bars");
  button.hidden = sorted.length <= FIRST_BARS;
  button.textContent = isBarsWhole ? `Show the ${FIRST_BARS} farthest` : `Show all ${sorted.length}`;
}

function changeView() {
  const key = $("view").value;
  $("pair").hidden = key !== "difference";
  $("threshold").hidden = key !== "consensus";
  const parts = hasInputs ? inputs.length : 20;
  $("least-text").textContent = hasInputs ? `${$("least").value} of ${parts}` : percent(Number($("least").value) / parts);
  for (const button of $("bars").querySelectorAll("[data-i]")) button.setAttribute("aria-pressed", button.dataset.i === key);
  drawArcs();
  tell(chosen);
}

function fillChoices() {
  const keys = ["consensus", ...(fusion ? ["fusion"] : []), ...inputs.map((_, i) => String(i))];
  const option = (key) => element("option", { value: key }, nameOf(key));
  const view = $("view");
  view.append(option("consensus"));
  if (fusion) {
    view.append(option("fusion"), element("option", { value: "difference" }, "difference of two"));
    view.append(element("optgroup", { label: "Inputs" }, ...inputs.map((_, i) => option(String(i)))));
    $("one").append(...keys.map(option));
    $("other").append(...keys.map(option));
    const farthest = inputs.reduce((best, input, i) => (input.distance > inputs[best].distance ? i : best), 0);
    $("other").value = String(farthest);
  }
  const parts = hasInputs ? inputs.length : 20;
  $("least").max = parts;
  $("least").value = Math.ceil(parts / 2);
  $("names").append(...variables.map((name) => element("option", { value: name })));
}

// ---- Charts ---------------------------------------------------------------------------------------------------------

function axisSteps(low, high, wanted) {
  const rough = (high - low) / wanted || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((part) => part * power).find((size) => size >= rough - 1e-12);
  const steps = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-6; at += step) steps.push(Number(at.toFixed(10)));
  return steps;
}

function card(title, ...content) {
  return element("div", { class: "card" }, element("h2", {}, title), ...content);
}

const line = (points, attributes) => drawn("path", { fill: "none", d: points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join(""), ...attributes });
const words = (x, y, text, attributes = {}) => {
  const node = drawn("text", { x, y, ...attributes });
  node.textContent = text;
  return node;
};

// A frame with grid and axes; returns the picture and how to turn values into places.
function frame(label, xs, low, high, right) {
  const [width, height, left, bottom, top] = [560, 270, 56, 40, 14];
  const end = width - (right ? 62 : 14);
  const [first, last] = [Math.min(...xs), Math.max(...xs)];
  const x = (value) => (first === last ? (left + end) / 2 : left + 14 + ((value - first) / (last - first)) * (end - left - 28));
  const y = (value) => height - bottom - ((value - low) / (high - low || 1)) * (height - bottom - top);
  const picture = drawn("svg", { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
  for (const step of axisSteps(low, high, 5)) {
    picture.append(drawn("path", { class: "grid", d: `M${left} ${y(step)}H${end}` }), words(left - 8, y(step) + 4, whole(step), { "text-anchor": "end" }));
  }
  const marks = xs.length <= 12 ? xs : axisSteps(first, last, 8).filter(Number.isInteger);
  for (const mark of marks) picture.append(words(x(mark), height - bottom + 18, whole(mark), { "text-anchor": "middle" }));
  picture.append(drawn("path", { class: "axis", d: `M${left} ${height - bottom}H${end}` }));
  return { picture, x, y, width, height, left, end, bottom, top };
}

function drawConvergence() {
  const steps = data.history;
  if (steps.length < 2) return null;
  const best = steps.map(([step, distance]) => [step, distance]);
  const means = steps.map(([step, , mean]) => [step, mean]);
  const hasPopulation = steps.some(([, distance, mean]) => mean !== distance);
  const values = [...best, ...(hasPopulation ? means : [])].map(([, value]) => value);
  if (facts.bound !== null) values.push(facts.bound);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const spare = (most - least) * 0.08 || 0.5;
  const plot = frame(`Convergence: from ${number(best[0][1])} to ${number(best[best.length - 1][1])} in ${count(steps.length, "step")}`,
    steps.map(([step]) => step), Math.max(0, least - spare), most + spare);
  const at = ([step, value]) => [plot.x(step), plot.y(value)];
  if (facts.bound !== null) {
    plot.picture.append(line([[plot.left, plot.y(facts.bound)], [plot.end, plot.y(facts.bound)]], { class: "line", stroke: "var(--soft)", "stroke-dasharray": "2 4" }),
      words(plot.end, plot.y(facts.bound) - 6, "proven bound", { "text-anchor": "end" }));
  }
  if (hasPopulation) plot.picture.append(line(means.map(at), { class: "line", stroke: "var(--reversed)", "stroke-dasharray": "6 4" }));
  plot.picture.append(line(best.map(at), { class: "line", stroke: "var(--kept)" }));
  plot.picture.append(words((plot.left + plot.end) / 2, plot.height - 4, "step of the search", { "text-anchor": "middle" }));
  return card("Convergence", plot.picture, element("p", { class: "note" },
    `Mean ${METRIC} of the best network so far (solid line)${hasPopulation ? " and of the whole population, where a network over the limit counts for more (dashed)" : ""}; found in ${number(facts.seconds)} s.`));
}

function drawFrontier() {
  const points = data.frontier;
  if (!points.length) return null;
  const limits = points.map((point) => point.max_clique);
  const most = Math.max(facts.distance, ...points.map((point) => point.distance));
  const powers = points.map((point) => point.tables);
  const [lowest, highest] = [Math.floor(Math.min(...powers)), Math.floor(Math.max(...powers)) + 1];
  const plot = frame(`Frontier: distance and cost of inference for limits ${limits[0]} to ${limits[limits.length - 1]}`,
    [...new Set([...limits, facts.limit])].sort((a, b) => a - b), 0, most * 1.08 || 1, true);
  const cost = (power) => plot.height - plot.bottom - ((power - lowest) / (highest - lowest)) * (plot.height - plot.bottom - plot.top);
  const ends = points.map((point, i) => [plot.x(limits[i]), plot.y(point.distance)]);
  const bounds = points.filter((point) => point.lower_bound !== null).map((point) => [plot.x(point.max_clique), plot.y(point.lower_bound)]);
  if (bounds.length) {
    const floor = plot.height - plot.bottom;
    plot.picture.append(line([[bounds[0][0], floor], ...bounds, [bounds[bounds.length - 1][0], floor]], { style: "fill: var(--kept); fill-opacity: 0.14" }),
      line(bounds, { class: "line", stroke: "var(--kept)", "stroke-dasharray": "2 3" }));
  }
  const costs = points.map((_, i) => [plot.x(limits[i]), cost(powers[i])]);
  plot.picture.append(line(costs, { class: "line", stroke: "var(--dropped)", "stroke-dasharray": "6 4" }));
  for (const [x, y] of costs) plot.picture.append(drawn("rect", { x: x - 3.5, y: y - 3.5, width: 7, height: 7, fill: "var(--dropped)" }));
  plot.picture.append(line(ends, { class: "line", stroke: "var(--kept)" }));
  for (const [x, y] of ends) plot.picture.append(drawn("circle", { cx: x, cy: y, r: 4, fill: "var(--kept)" }));
  for (let power = lowest; power <= highest; power += Math.max(1, Math.ceil((highest - lowest) / 5))) {
    plot.picture.append(words(plot.end + 6, cost(power) + 4, power < 7 ? whole(10 ** power) : `10^${power}`, { style: "fill: var(--dropped)" }));
  }
  const chosenX = plot.x(facts.limit);
  const isLate = chosenX > (plot.left + plot.end) / 2;
  plot.picture.append(line([[chosenX, plot.top], [chosenX, plot.height - plot.bottom]], { class: "line", stroke: "var(--ink)", "stroke-dasharray": "5 4" }),
    drawn("circle", { cx: chosenX, cy: plot.y(facts.distance), r: 7, fill: "none", stroke: "var(--ink)", "stroke-width": 2 }),
    words(chosenX + (isLate ? -7 : 7), plot.height - plot.bottom - 8, `chosen limit ${facts.limit}`, { class: "value", "text-anchor": isLate ? "end" : "start" }),
    words((plot.left + plot.end) / 2, plot.height - 4, "limit: largest clique allowed", { "text-anchor": "middle" }));
  return card("Frontier", plot.picture, element("p", { class: "note" },
    `Solid line, left axis: mean ${METRIC}${bounds.length ? "; shaded: where no network can be, proven" : ""}. Dashed line, right axis: numbers in the clique tables, the cost of exact inference${facts.states_known ? "" : " with two states for each variable"}. The dashed upright is the limit of this consensus.`));
}

// ---- Heat map -------------------------------------------------------------------------------------------------------

const LEVELS = 9;
const levelColour = (level) => `color-mix(in oklab, var(--kept) ${Math.round(8 + (92 * level) / (LEVELS - 1))}%, var(--card))`;

function drawBetween() {
  const place = $("between");
  const between = data.between;
  if (!between) {
    place.replaceChildren(element("p", { class: "note" }, hasInputs ? "There is one input." : "A tally has only counts: who disagrees is not known."));
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
  const picture = drawn("svg", { class: "plot", viewBox: `0 0 ${labelWidth + cell * size + 8} ${top + cell * size + 4}`, role: "img", "aria-label": betweenText(members, values) });
  picture.style.maxWidth = `${Math.round(1.1 * (labelWidth + cell * size + 8))}px`;
  const ways = Array.from({ length: LEVELS }, () => "");
  values.forEach((row, i) => row.forEach((value, j) => {
    if (i !== j) ways[Math.round(part(value) * (LEVELS - 1))] += `M${(labelWidth + j * cell).toFixed(1)} ${(top + i * cell).toFixed(1)}h${cell.toFixed(1)}v${cell.toFixed(1)}h${-cell.toFixed(1)}z`;
  }));
  ways.forEach((d, level) => { if (d) picture.append(drawn("path", { d, style: `fill: ${levelColour(level)}` })); });
  if (hasLabels) {
    members.forEach((member, i) => {
      const { name, apart } = inputs[member];
      const text = name.length > 20 ? `${name.slice(0, 19)}\u2026` : name;
      const style = `font-size: ${fontSize}px${apart ? "; fill: var(--dropped); font-weight: 700" : ""}`;
      picture.append(words(labelWidth - 6, top + (i + 0.5) * cell + fontSize * 0.35, text, { "text-anchor": "end", style }));
      const x = labelWidth + (i + 0.5) * cell + fontSize * 0.35;
      picture.append(words(x, top - 6, text, { transform: `rotate(-90 ${x} ${top - 6})`, style }));
    });
  }
  if (size <= 14) {
    values.forEach((row, i) => row.forEach((value, j) => picture.append(words(labelWidth + (j + 0.5) * cell, top + (i + 0.5) * cell + 4, whole(value),
      { "text-anchor": "middle", style: `fill: ${i !== j && part(value) > 0.55 ? "var(--card)" : "var(--ink)"}` }))));
  }
  const told = element("p", { class: "told", "aria-live": "polite" }, "Point at a field to see whose distance it is.");
  picture.addEventListener("pointermove", (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
    const [j, i] = [Math.floor((at.x - labelWidth) / cell), Math.floor((at.y - top) / cell)];
    if (i >= 0 && j >= 0 && i < size && j < size) {
      told.textContent = i === j ? inputs[members[i]].name : `${inputs[members[i]].name} and ${inputs[members[j]].name}: ${whole(values[i][j])}`;
    }
  });
  const ramp = element("i");
  ramp.style.background = `linear-gradient(90deg, ${levelColour(0)}, ${levelColour(LEVELS - 1)})`;
  place.replaceChildren(element("h2", {}, "Distances between the inputs"), picture, element("div", { class: "scale" }, whole(least), ramp, `${whole(most)} differing moral edges (SMHD)`), told,
    element("p", { class: "note" }, "Similar inputs stand side by side: light squares along the diagonal are groups that agree."));
  if (size < inputs.length) place.append(element("p", { class: "note" }, `The ${size} inputs that are farthest from the consensus, of ${inputs.length}.`));
}

function betweenText(members, values) {
  let [near, far] = [[Infinity], [-1]];
  values.forEach((row, i) => row.forEach((value, j) => {
    if (i < j && value < near[0]) near = [value, i, j];
    if (i < j && value > far[0]) far = [value, i, j];
  }));
  const pair = ([value, i, j]) => `${inputs[members[i]].name} and ${inputs[members[j]].name} (${value})`;
  return `Heat map of distances between inputs. Closest: ${pair(near)}. Farthest apart: ${pair(far)}.`;
}

// How an input stands to the consensus, in numbers of arcs.
function standing(input, i) {
  const own = [...input.arcs];
  return {
    i, input, arcs: own.length,
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
  $("apart").replaceChildren(element("h2", {}, "Each input beside the consensus"), element("p", {}, sentence(facts.who)), table,
    element("p", { class: "note" }, "An input stands apart when its distance to the consensus is more than three robust standard deviations above the median (1.4826 times the median absolute deviation, at least 1). Its weight plays no part in that."));
  makeTable(table, "Inputs", [
    { name: "Input", of: (row) => row.input.name, show: (row) => element("button", { type: "button", onclick: () => showInput(row.i) }, row.input.name) },
    ...(sameWeights ? [] : [{ name: "Weight", of: (row) => row.input.weight, isNumber: true }]),
    { name: "Distance", of: (row) => row.input.distance, show: (row) => whole(row.input.distance), isNumber: true },
    { name: "Arcs", of: (row) => row.arcs, isNumber: true },
    { name: "kept", of: (row) => row.kept, isNumber: true },
    { name: "reversed", of: (row) => row.turned, isNumber: true },
    { name: "dropped", of: (row) => row.arcs - row.kept - row.turned, isNumber: true },
    { name: "its own alone", of: (row) => row.alone, isNumber: true },
    { name: "lacks", of: (row) => row.missing, isNumber: true },
  ], rows, { isPlain: inputs.length < 12, strong: (row) => row.input.apart,
    note: "Its own alone: arcs that no other input has, either way round. Lacks: arcs of the consensus that it does not have." });
}

function showInput(i) {
  $("view").value = String(i);
  changeView();
  $("first").scrollIntoView();
}

// ---- Tables ---------------------------------------------------------------------------------------------------------

// columns: {name, of(row): value, show(row): text or node, isNumber}
function makeTable(place, title, columns, rows, { note = "", strong = () => false, isPlain = false, choices = null } = {}) {
  let [by, direction, visible] = [-1, 1, MANY_ROWS];
  const filter = element("input", { type: "search", placeholder: "Filter", "aria-label": `Filter ${title.toLowerCase()}`, spellcheck: "false" });
  const choice = choices && element("select", { "aria-label": "Which" }, element("option", { value: "" }, "all"), ...choices.options.map((name) => element("option", { value: name }, name)));
  const copied = element("span", { class: "note", role: "status" });
  const body = element("tbody");
  const heads = columns.map((column, i) => element("th", { scope: "col", "aria-sort": "none", class: column.isNumber ? "number" : "" },
    element("button", { type: "button", onclick: () => { direction = by === i ? -direction : column.isNumber ? -1 : 1; by = i; update(); } }, column.name)));
  const total = element("span", { class: "note" });
  const more = element("button", { type: "button", onclick: () => { visible += 4 * MANY_ROWS; update(); } }, "Show more");
  const text = (row) => columns.map((column) => column.of(row)).join("\n").toLowerCase();
  let matching = rows;

  function update() {
    const wanted = filter.value.trim().toLowerCase();
    const kind = choice ? choice.value : "";
    matching = rows.filter((row) => (!kind || choices.of(row) === kind) && (!wanted || text(row).includes(wanted)));
    if (by >= 0) {
      const { of } = columns[by];
      matching = matching.map((row) => [of(row), row]).sort(([a], [b]) => direction * (typeof a === "string" ? a.localeCompare(b, "en", { numeric: true }) : a - b)).map(([, row]) => row);
    }
    heads.forEach((head, i) => head.setAttribute("aria-sort", i !== by ? "none" : direction > 0 ? "ascending" : "descending"));
    body.replaceChildren(...matching.slice(0, visible).map((row) => element("tr", { class: strong(row) ? "strong" : "" },
      ...columns.map((column) => element("td", { class: column.isNumber ? "number" : "" }, column.show ? column.show(row) : String(column.of(row)))))));
    total.textContent = matching.length === rows.length ? `${whole(rows.length)} rows` : `${whole(matching.length)} of ${whole(rows.length)} rows`;
    more.hidden = matching.length <= visible;
  }
  filter.addEventListener("input", update);
  if (choice) choice.addEventListener("change", update);
  const copy = element("button", { type: "button", onclick: async () => {
    const cells = [columns.map((column) => column.name), ...matching.map((row) => columns.map((column) => column.of(row)))];
    await toClipboard(cells.map((row) => row.map(csvCell).join(",")).join("\r\n") + "\r\n");
    copied.textContent = `copied ${whole(matching.length)} rows`;
  } }, "Copy as CSV");
  place.replaceChildren(element("div", { class: "table-tools" }, element("h3", {}, title), ...(isPlain ? [] : [filter, choice, total]), copy, copied),
    element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title }, element("table", {}, element("thead", {}, element("tr", {}, ...heads)), body)), more);
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
    strong: (one) => one === data.compared[0], isPlain: data.compared.length < 12,
    note: `Majority vote: arcs that more than half of the inputs have, strongest first, within the limit: what people use today. Clique tables of the consensus: ${large(facts.tables)} numbers${facts.states_known ? "" : ", with two states for each variable"}.`,
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
    note: `Every arc of the consensus, of the inputs${fusion ? " and of their full fusion" : ""}.${reasons.size > looked ? ` The clique that a dropped arc would make was looked for in ${whole(looked)} of ${whole(reasons.size)} cases: first where the arc would bring the consensus closer, then by support.` : ""}`,
  });
}

function showArc(code) {
  const find = () => shown.some(([one]) => one === code);
  if (!find()) {
    const owner = ownersOf(code)[0];
    $("view").value = consensus.has(code) ? "consensus" : owner !== undefined ? String(owner) : fusion && fusion.has(code) ? "fusion" : "consensus";
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
    note: `The maximal cliques of the triangulated moral graph: what exact inference in the consensus works with.${data.cliques.shown.length < data.cliques.all ? ` The largest of ${whole(data.cliques.all)}.` : ""}${facts.states_known ? "" : " Two states are assumed for each variable."}`,
  });
}

function tellParameters() {
  const place = $("parameters");
  if (!data.tables) {
    place.replaceChildren(element("h3", {}, "Parameters"), element("p", { class: "note" }, "This consensus is a structure: it has no probability tables."));
    return;
  }
  const rows = variables.map((_, i) => i);
  makeTable(place, "Parameters", [
    { name: "Variable", of: (v) => variables[v], show: (v) => element("button", { type: "button", onclick: () => { goTo(v); $("first").scrollIntoView(); } }, variables[v]) },
    { name: "States", of: (v) => data.tables.states[v].join(", ") },
    { name: "Numbers in its table", of: (v) => data.tables.sizes[v], show: (v) => whole(data.tables.sizes[v]), isNumber: true },
  ], rows, { note: "Choose a variable to see its table beside the network." });
}

// ---- Origin ---------------------------------------------------------------------------------------------------------

function tellOrigin() {
  const { files, command, version, time, options } = data.origin;
  const place = $("provenance");
  const pairs = Object.entries({ ...options, "time of the search": time, "search took": `${number(facts.seconds)} s, ${facts.stopped_by}`, "written by": `bnfuse ${version}` });
  const parts = [];
  if (command) {
    parts.push(element("h3", {}, "To repeat this run"), element("div", { class: "command" }, element("code", {}, command),
      element("button", { type: "button", onclick: () => toClipboard(command) }, "Copy")));
  }
  parts.push(element("dl", {}, ...pairs.filter(([, value]) => value !== null).flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, String(value))])));
  for (const text of facts.notes) parts.push(element("p", { class: "note" }, text));
  const list = element("div");
  parts.push(list);
  place.replaceChildren(...parts);
  if (files.length) {
    makeTable(list, "Files", [
      { name: "File", of: (file) => file.path },
      { name: "Bytes", of: (file) => file.size, show: (file) => whole(file.size), isNumber: true },
      { name: "SHA-256", of: (file) => file.sha256, show: (file) => element("code", {}, file.sha256) },
    ], files, { isPlain: files.length < 12 });
  } else list.append(element("p", { class: "note" }, "Made from networks in memory: no files are known."));
}

// ---- Light and dark -------------------------------------------------------------------------------------------------

function startTheme() {
  const root = document.documentElement;
  const button = $("theme");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  const say = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-pressed", isDark());
    button.setAttribute("aria-label", `Change to ${isDark() ? "light" : "dark"} colours`);
  };
  button.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; say(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", say);
  say();
}

// ---- Start ----------------------------------------------------------------------------------------------------------

startTheme();
tellFirst();
fillChoices();
nodes.forEach((node, i) => {
  node.setAttribute("tabindex", i ? -1 : 0);
  node.setAttribute("role", "button");
  node.setAttribute("aria-label", variables[i]);
});
drawBars();
fit();
changeView();
listenToPicture();
$("view").addEventListener("change", changeView);
for (const id of ["one", "other", "least"]) $(id).addEventListener("input", changeView);
$("closer").addEventListener("click", () => zoom(1.3));
$("farther").addEventListener("click", () => zoom(1 / 1.3));
$("whole").addEventListener("click", fit);
$("search").addEventListener("input", (event) => find(event.target.value, false));
$("search").addEventListener("keydown", (event) => { if (event.key === "Enter") find(event.target.value, true); });
$("all-bars").addEventListener("click", () => { isBarsWhole = !isBarsWhole; drawBars(); });
new ResizeObserver(() => (isMoved ? place() : fit())).observe(net);
drawBetween();
tellApart();
$("charts").append(...[drawFrontier(), drawConvergence()].filter(Boolean));
tellComparison();
tellArcs();
tellCliques();
tellParameters();
tellOrigin();
