// The state of the page, in its address: report.html#view=difference&one=consensus&other=.harbour. That address shows
// the same to everybody. Addresses of parts of the page, such as #tables, have no equals sign; the state of the page is
// put before them: #view=difference&one=consensus&other=.harbour&part=tables.
import { asked, changesText, readChanges } from "./asked.js";
import { countedArcs } from "./counted-arcs.js";
import { $ } from "./elements.js";
import { bars, findings, onEvidence, replaceFindings, showBars } from "./evidence.js";
import { findingOf, isSet, stateOf } from "./findings.js";
import { codeOf, inputs, isKnown, sourceOf, targetOf } from "./networks.js";
import { limit, limits, variables } from "./page-data.js";
import { statesOf, tables } from "./page-tables.js";
import { drag, drop, moved, onMove, putBack } from "./places.js";
import { extent } from "./placing.js";
import { remembered, restart, signal } from "./restart.js";
import { choose, onChoice, onView, show, stage } from "./stage.js";
import { fit, fitReadable, isReadable, lookAt, sight } from "./viewport.js";
import { firstThreshold, isOfTwo, thresholdSteps } from "./views.js";

const PAUSE = 250; // milliseconds: browsers slow down pages that change their address too often
const MOST_MOVED = 40; // boxes that an address has room for

const TOP = "first"; // the part at which the page begins, which no address needs

const solving = remembered("solving", {}); // of solving.js, where the page solves again
const progress = remembered("fragment", { isRead: false, part: null });
let timer = 0;

// Networks by their names: an input's begins with a dot, so that none is mistaken for the consensus.
const textOf = (key) => (inputs[key] ? `.${inputs[key].name}` : key);
const keyOf = (text) => {
  if (!text || !text.startsWith(".")) return [...$("view").options].some(({ value }) => value === text) ? text : null;
  const i = inputs.findIndex(({ name }) => name === text.slice(1));
  return i < 0 ? null : String(i);
};

function stateText() {
  const words = new URLSearchParams();
  if (asked.now && changesText()) words.append("ask", changesText());
  if (limits && limit.place !== limits.own) words.append("limit", limits.limits[limit.place]);
  const { view: { key, one, other, least, around, heads }, chosen } = stage;
  if (key !== "consensus") words.append("view", textOf(key));
  else if (least !== firstThreshold) words.append("least", least);
  if (heads) words.append("heads", "hollow");
  if (isOfTwo(key)) {
    words.append("one", textOf(one));
    words.append("other", textOf(other));
  }
  if (around) words.append("around", `${around.steps},${variables[around.variable]}`);
  if (chosen && "arc" in chosen) {
    words.append("from", variables[sourceOf(chosen.arc)]);
    words.append("to", variables[targetOf(chosen.arc)]);
  } else if (chosen && "told" in chosen) words.append("told", chosen.told);
  else if (chosen) words.append("variable", variables[chosen.variable]);
  for (const [variable, finding] of tables ? findings : []) {
    words.append(isSet(finding) ? "do" : "given", variables[variable]);
    if (Array.isArray(finding)) words.append("fits", finding.join());
    else words.append("is", statesOf(variable)[stateOf(finding)]);
  }
  if (bars.areAlways) words.append("bars", "all");
  if (moved.size <= MOST_MOVED) moved.forEach(([x, y], variable) => words.append("moved", `${x},${y},${variables[variable]}`));
  const { x, y, width, height, how } = sight();
  // The middle, and the width, so that another screen shows the same part.
  if (how === "moved") words.append("at", [x + width / 2, y + height / 2, width].map((one) => Number(one.toFixed(1))).join());
  else if (how === "whole" && !isReadable()) words.append("at", "whole");
  return String(words);
}

const isState = () => location.hash.includes("=");
const partIn = (text) => ($(text)?.matches("main [id]") && text !== TOP ? text : null);

// At once if somebody goes to a part of the page: a state that is written later would replace that address.
function write() {
  clearTimeout(timer);
  if (signal.aborted || !progress.isRead) return;
  if (!isState()) progress.part = partIn(location.hash.slice(1));
  const { part } = progress;
  const state = stateText();
  const text = state && part ? `${state}&${new URLSearchParams({ part })}` : state || part || "";
  if (state ? location.hash !== `#${text}` : isState()) {
    history.replaceState(null, "", text ? `#${text}` : location.href.replace(/#.*/s, ""));
  }
}

const writeSoon = () => {
  clearTimeout(timer);
  timer = setTimeout(write, PAUSE);
};

export function linkHere() {
  write();
  return location.href;
}

// Unknown parts of an address are ignored.
function read() {
  const words = new URLSearchParams(location.hash.slice(1));
  progress.part = partIn(words.get("part"));
  if (limits) {
    const wanted = limits.limits.indexOf(Number(words.get("limit") ?? NaN));
    const there = wanted < 0 ? limits.own : wanted;
    if (there !== limit.place) {
      limit.place = there;
      goToPart();
      return restart(progress.part); // and reads on
    }
  }
  progress.isRead = true;
  if (asked.now && readChanges(words.get("ask"))) solving.again?.();
  readPlaces(words);
  readFindings(words);
  const [key, one, other] = ["view", "one", "other"].map((name) => keyOf(words.get(name)));
  const least = Math.round(Number(words.get("least")));
  show({
    key: key ?? "consensus",
    ...(one !== null && !isOfTwo(one) ? { one } : {}),
    ...(other !== null && !isOfTwo(other) ? { other } : {}),
    least: least >= 1 && least <= thresholdSteps ? least : firstThreshold,
    around: aroundIn(words),
    heads: words.get("heads") === "hollow",
  });
  choose(chosenIn(words));
  readView(words);
  goToPart();
}

function goToPart() {
  if (progress.part) $(progress.part).scrollIntoView({ behavior: "instant" });
}

function aroundIn(words) {
  const [, steps, name] = /^([12]),(.*)$/s.exec(words.get("around") || "") || [];
  return variables.includes(name) ? { variable: variables.indexOf(name), steps: Number(steps) } : null;
}

function chosenIn(words) {
  const [variable, source, target] = ["variable", "from", "to"].map((name) => variables.indexOf(words.get(name)));
  if (variable >= 0) return { variable };
  if (countedArcs(words.get("told")).length) return { told: words.get("told") };
  const arc = codeOf(source, target);
  return source >= 0 && target >= 0 && source !== target && isKnown(arc) ? { arc } : null;
}

// Of each variable: given and is, or fits (a number for each state); do and is.
function readFindings(words) {
  const all = new Map();
  let [how, variable] = ["", -1];
  for (const [key, text] of tables ? words : []) {
    if (key === "given" || key === "do") [how, variable] = [key, variables.indexOf(text)];
    if ((key !== "is" && key !== "fits") || variable < 0 || all.has(variable)) continue;
    const finding = key === "is" ? statesOf(variable).indexOf(text) : weightsIn(text, statesOf(variable).length);
    if (finding !== null && !(finding < 0)) all.set(variable, how === "do" && key === "is" ? { to: finding } : finding);
  }
  replaceFindings([...all]);
  showBars(words.get("bars") === "all");
}

function weightsIn(text, size) {
  const weights = text.split(",").map(Number);
  return weights.length === size && weights.every((one) => one >= 0 && one < Infinity) ? findingOf(weights) : null;
}

function readPlaces(words) {
  putBack();
  for (const text of words.getAll("moved")) {
    const [, x, y, name] = /^(-?\d+),(\d+),(.*)$/s.exec(text) || [];
    if (variables.includes(name)) drag(variables.indexOf(name), Number(x), Number(y));
  }
  for (const [variable, [x, y]] of [...moved]) drop(variable, x, y); // none over another, whoever wrote the address
}

function readView(words) {
  const [x, y, wide] = (words.get("at") || "").split(",").map(Number);
  if (wide > 0 && isInPicture(x, y, wide)) lookAt(x, y, wide);
  else if (words.get("at") === "whole") fit();
  else fitReadable();
}

// Not so far away that nothing would be visible.
function isInPicture(x, y, seen) {
  const [left, wide, high] = extent();
  return Math.abs(x - left - wide / 2) <= (wide + seen) / 2 && Math.abs(y - high / 2) <= (high + seen) / 2;
}

export function startFragment() {
  asked.onChange = writeSoon;
  for (const on of [onView, onChoice, onEvidence, onMove]) on(writeSoon);
  const observer = new MutationObserver(writeSoon);
  observer.observe($("net"), { attributeFilter: ["viewBox"] });
  signal.addEventListener("abort", () => {
    observer.disconnect();
    clearTimeout(timer); // which would hold all of the page that was
  });
  addEventListener("hashchange", () => {
    if (!isState()) return write();
    progress.isRead = false;
    read();
  }, { signal });
  if (progress.isRead) writeSoon();
  else if (isState()) read();
  else progress.isRead = true;
}
