// The search for the page: each answer that is found, followed by better ones.
import { $ } from "./elements.js";
import { unpacked } from "./packed-texts.js";
import { startSolver } from "./solver.js";

// A page that was made without the kernel has an empty place for it.
export const hasSolver = Boolean($("kernel").textContent);
let solver = null;

// question: as asked-question.js makes it, with numbers for names. onEvent is told { kind: "progress", share } and
// { kind: "answer", answer } with { arcs, order, bound, seconds, stoppedBy }; what is refused is thrown. A newer question
// ends the work for an older one, which is then never told of again.
export async function solve(question, onEvent) {
  solver ??= startSolver(unpacked("solver-script"), $("kernel").textContent);
  const { variables } = question;
  const places = new Map(variables.map((name, i) => [name, i]));
  const started = performance.now();
  let bound = null;
  let refused = null;
  let last = null;
  const tell = () => {
    const arcs = last.arcs.map((ends) => ends.map((name) => places.get(name)));
    const order = last.order.map((name) => places.get(name));
    const seconds = (performance.now() - started) / 1000;
    onEvent({ kind: "answer", answer: { arcs, order, bound, seconds, stoppedBy: last.isStopped ? "interrupted" : "finished" } });
  };
  await solver.solve(inNames(question), (event) => {
    if (event.kind === "refused") refused = event.why;
    else if (event.kind === "progress") onEvent({ kind: "progress", share: event.step / event.steps, effort: event.effort });
    else {
      if (event.kind === "bound") bound = event.bound;
      else last = event;
      if (last && (bound !== null || event.kind === "answer")) tell();
    }
  });
  if (refused !== null) throw new Error(refused);
}

export const stop = () => solver?.stop();

function inNames({ inputs, states, ...asked }) {
  const { variables } = asked;
  return {
    ...asked,
    states: states.includes(null) ? null : states,
    seed: 0,
    inputs: inputs.map(({ name, weight, arcs, has }) => ({
      name,
      weight,
      variables: variables.filter((_, v) => has[v]),
      arcs: arcs.map((ends) => ends.map((v) => variables[v])),
    })),
  };
}
