// The permanent part of the page: the inputs, the settings, and the line with the answer. The report below is renewed
// for every answer.
import { clearFigures, tellFigures, tellRefused, tellTrouble, tellWorking } from "./answer-line.js";
import { lackingText, questionOf } from "./asked-question.js";
import { startSettings } from "./asked-settings.js";
import { bridge } from "./bridge.js";
import { commandOf } from "./command-of.js";
import { startEarlyColours } from "./early-colours.js";
import { $, element } from "./elements.js";
import { held, onHeld } from "./held-inputs.js";
import { startInputRows } from "./input-rows.js";
import { unpacked } from "./packed-texts.js";
import { hasSolver, solve, stop } from "./page-search.js";
import { makePage } from "./reading-files.js";

const PAUSE = 120; // milliseconds: sliders move many times a second
const VERSION = document.querySelector("meta[name=version]").content;
let shown = null; // { key, variables, layout, arcs } of the answer that is on the page
let settled = null; // the same for the last question that was answered completely: changes are shown since then
let newest = 0; // the number of the question that is being answered
let timer = 0;

const endEarlyColours = startEarlyColours();
startSettings();
startInputRows();
onHeld(() => {
  newest++;
  $("line").dataset.state = "working";
  clearTimeout(timer);
  timer = setTimeout(renew, PAUSE);
});
$("stop").addEventListener("click", stop);
$("solver-missing").hidden = hasSolver;

async function renew() {
  const question = questionOf(held.inputs, held.settings);
  tellTrouble(lackingText(question));
  if (!question.inputs.length || !hasSolver) return showNothing(question);
  const mine = newest;
  const isNewest = () => mine === newest;
  const show = inOrder((answer) => put(question, answer, isNewest));
  let last = null;
  tellWorking("Searching\u2026", { canStop: true });
  try {
    await solve(question, (event) => {
      if (!isNewest()) return;
      if (event.kind === "answer") last = show(event.answer);
      else tellWorking(`Searching\u2026 ${Math.floor(100 * event.share)} %`, { canStop: true });
    });
    await last;
    if (!isNewest()) return;
    settled = shown;
    tellWorking("");
    $("line").dataset.state = "answered";
  } catch (error) {
    if (!isNewest()) return;
    tellWorking("");
    tellRefused(`No consensus was found: ${error.message}.`);
  }
}

// Work on one thing at a time; older requests that have not begun are skipped.
function inOrder(work) {
  let [newestThing, running] = [null, Promise.resolve()];
  return (thing) => {
    newestThing = thing;
    running = running.then(() => (thing === newestThing ? work(thing) : undefined));
    return running;
  };
}

// The main part of the page is the report; before there is one, it is the text from which the report is made.
function showReport(isThere) {
  document.querySelector("main").hidden = $("nav").hidden = !isThere;
  $("work").setAttribute("role", isThere ? "complementary" : "main");
}

function showNothing({ inputs }) {
  showReport(false);
  clearFigures();
  tellWorking(held.inputs.length && !inputs.length ? "All inputs are off. Switch one on to see the consensus." : "");
  $("line").dataset.state = "empty";
  shown = settled = null;
}

async function put(question, answer, isNewest) {
  const key = JSON.stringify([newest, answer.arcs, answer.bound, answer.stoppedBy]);
  if (!isNewest() || shown?.key === key) return; // a longer search without a better network
  const isSame = (one) => one && JSON.stringify(one.variables) === JSON.stringify(question.variables);
  const page = {
    before: { layout: isSame(shown) ? shown.layout : null, arcs: isSame(settled) ? settled.arcs : null },
    states: question.states.some(Boolean) ? question.states.map((count) => count ?? 2) : null,
    files: [...held.files.values()],
    command: commandOf(question, [...held.files.keys()]),
    version: VERSION,
    time: new Date().toISOString().replace("T", " ").slice(0, 16),
    leftOut: question.leftOut,
  };
  const { problem, text, facts, layout } = await makePage({ question, answer, page, networks: question.inputs.map(networkOf) });
  if (!isNewest()) return;
  if (problem) throw new Error(problem);
  shown = { key, variables: question.variables, layout, arcs: answer.arcs };
  tellFigures(facts);
  showReport(true);
  $("data").textContent = text;
  document.title = `Consensus: ${facts.what}`;
  if (bridge.answer) bridge.answer.renew();
  else start();
}

// An input as it was read, for its tables; null if it has none.
function networkOf({ id }) {
  const input = held.inputs.find((one) => one.id === id);
  return input?.tables ? { variables: input.variables, arcs: input.arcs, states: input.states, tables: input.tables } : null;
}

// The page's policy has the hash of this script.
function start() {
  endEarlyColours();
  const script = element("script");
  script.textContent = unpacked("answer-script");
  document.body.append(script);
  script.remove();
}
