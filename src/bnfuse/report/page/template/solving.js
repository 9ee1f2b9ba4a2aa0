// Solves again in this page: starts the worker on the first request, and shows its results. The newest question counts;
// a quick search comes first.
import { asked, isChanged, questionAsked } from "./asked.js";
import { $ } from "./elements.js";
import { keepPlace } from "./kept-place.js";
import { codeOf } from "./networks.js";
import { data, facts, limit, limits, solved, variables } from "./page-data.js";
import { unpacked } from "./packed-texts.js";
import { inTurns, remembered, restart } from "./restart.js";
import { startSolver } from "./solver.js";
import { wholeWeights } from "./exact-weights.js";
import { tellFirst } from "./first-screen.js";

export const canSolve = Boolean(data.question);

// tell: is told how far the search is; see solving-panel.js. It stays while the page is made anew, and so does the solver.
export const solving = remembered("solving", {});
solving.tell ??= () => {};
solving.count ??= 0;

const EFFORTS = { quick: ["quick"], normal: ["quick", "normal"], thorough: ["quick", "normal", "thorough"] };

const startedSolver = () => startSolver(unpacked("packed-worker"), $("packed-kernel").textContent);

// What this run of the page can do that an earlier one cannot.
export function startSolving() {
  solving.again = () => {
    solving.fill?.();
    solveAgain();
  };
  solving.show = () => {
    if (limits) limit.place = limits.own;
    const putBack = keepPlace();
    inTurns(true); // so that no pause is felt
    restart("again"); // the part above the network may change its height
    putBack();
  };
  solving.refresh = () => {
    const { bound } = solved.answer;
    Object.assign(facts, { bound, gap: facts.distance === bound ? 0 : bound ? (facts.distance - bound) / bound : null });
    tellFirst();
  };
}

// Asks the present question; without changes, the report is shown as it was sent.
export async function solveAgain() {
  asked.onChange?.();
  if (!isChanged()) return backToReport();
  const mine = ++solving.count;
  solving.tell({ kind: "started" });
  let question = null;
  try {
    question = questionAsked();
  } catch (error) {
    return solving.tell({ kind: "refused", why: error.message });
  }
  const heard = (event) => {
    if (mine !== solving.count) return;
    if (event.kind === "answer") show(event, question);
    if (event.kind === "bound" && solved.answer) {
      solved.answer.bound = event.bound;
      solving.refresh();
    }
    solving.tell(event);
  };
  const efforts = EFFORTS[data.question.effort];
  solving.solver ||= startedSolver();
  const answer = await solving.solver.solve(question, heard, efforts);
  if (answer && mine === solving.count) solving.tell({ kind: "done", ...answer });
}

export const stopSolving = () => solving.solver?.stop();

export function backToReport() {
  solving.count++;
  stopSolving();
  asked.now = structuredClone(asked.sent);
  asked.onChange?.();
  solving.tell({ kind: "back" });
  if (!solved.answer) return;
  solved.answer = null;
  solving.show();
}

function show(event, question) {
  const place = new Map(variables.map((name, i) => [name, i]));
  const code = ([source, target]) => codeOf(place.get(source), place.get(target));
  const { on, weights, limit: cliques, maxTable, metric, maxParents } = asked.now;
  const used = weights.map((weight, i) => (on[i] ? weight : "0"));
  const before = solved.answer && String(solved.answer.arcs);
  const arcs = event.arcs.map(code);
  solved.answer = {
    ...{ arcs, metric, maxTable, maxParents, limit: cliques },
    ...{ distance: event.distance, bound: event.bound, clique: event.clique, isStopped: event.isStopped },
    required: question.required.map(code),
    order: event.order.map((name) => place.get(name)),
    given: used,
    weights: wholeWeights(used).map(Number),
    key: JSON.stringify(asked.now),
  };
  if (before === String(arcs) && solved.shown === solved.answer.key) solving.refresh();
  else {
    solved.shown = solved.answer.key;
    solving.show();
  }
}
