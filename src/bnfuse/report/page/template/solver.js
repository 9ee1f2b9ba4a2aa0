// Solves again, in the page: the same network, distance and bound as bnfuse.consensus for the same question and seed.
//
//   const solver = startSolver(workerText, kernelText);
//   const answer = await solver.solve(question, onEvent, efforts);
//   solver.stop();
//
// workerText   solver-worker.js and what it imports, joined into one script (scripts.py)
// kernelText   the kernel, kernel.wasm, as compact.py packs it; the worker unpacks it, so that the page does not wait
// question     see question-words.js
// efforts      ["quick", "normal"] where none are given: each is a search of its own, and the last one's answer counts
// onEvent      is told, of this question only:
//   { kind: "progress", effort, step, steps, distance, weight, clique, arcs, order }   about every 60 ms: the best so far
//   { kind: "answer", effort, isStopped, isLast, bound, distance, weight, clique, arcs, order }   of each effort
//   { kind: "bound", bound }   as soon as it is known, after the first answer: no network has a smaller distance
//   { kind: "refused", why }   a sentence without its full stop
//   Distances are means; arcs are [from, to] by names, sorted by the places of the variables; order is the elimination order that
//   proves the clique size.
//
// solve gives the last answer, with its bound; null where the question was refused, or replaced by a newer one: a newer
// question ends the work for an older one at once. stop() ends the search under way: its best network so far is the answer.

const PATIENCE = 700; // milliseconds that a worker has to end a step of its work before it is replaced

export function startSolver(workerText, kernelText) {
  const address = URL.createObjectURL(new Blob([workerText], { type: "text/javascript" }));
  let worker = null;
  let current = null; // { number, onEvent, finish, last, best }
  let number = 0;
  let isWorking = false; // the worker, on whatever question
  let [takeover, ending] = [0, 0]; // timers

  function employ() {
    worker?.terminate();
    worker = new Worker(address);
    isWorking = false;
    worker.onmessage = ({ data }) => heard(data);
    worker.onerror = (event) => {
      event.preventDefault();
      refuse(event.message || "this browser does not run the search");
      worker = null;
    };
    worker.postMessage({ kernel: kernelText });
  }

  function heard(event) {
    if (event.number !== current?.number) return;
    clearTimeout(takeover);
    if (event.kind === "progress") current.best = event;
    if (event.kind === "answer") current.last = event;
    if (event.kind === "bound") current.last = { ...current.last, bound: event.bound };
    current.onEvent(event);
    if (event.kind === "refused") finish(null);
    else if (current.last?.isLast && current.last.bound !== null) finish(current.last);
  }

  function finish(answer) {
    const { finish: done } = current;
    clearTimeout(ending);
    current = null;
    isWorking = false;
    done(answer);
  }

  function refuse(why) {
    if (!current) return;
    current.onEvent({ kind: "refused", why });
    finish(null);
  }

  return {
    solve(question, onEvent = () => {}, efforts = ["quick", "normal"]) {
      clearTimeout(takeover);
      clearTimeout(ending);
      if (current) {
        const before = current;
        current = null;
        before.finish(null);
      }
      if (!worker) employ();
      const mine = { number: ++number, onEvent, finish: null, last: null, best: null };
      current = mine;
      const message = { number: mine.number, question, efforts };
      if (isWorking) { // with a step that may take long: then another one takes over
        takeover = setTimeout(() => {
          employ();
          isWorking = true;
          worker.postMessage(message);
        }, PATIENCE);
      }
      isWorking = true;
      worker.postMessage(message);
      return new Promise((resolve) => (mine.finish = resolve));
    },

    stop() {
      if (!current) return;
      worker.postMessage({ stop: current.number });
      clearTimeout(ending);
      ending = setTimeout(() => {
        if (!current || current.last?.isLast) return;
        const { last, best: found } = current;
        const best = last && !(found?.distance < last.distance) ? last : found;
        employ();
        if (!best) return refuse("the search was stopped before it had found a network");
        const answer = { ...best, kind: "answer", isStopped: true, isLast: true, bound: last?.bound ?? null };
        current.onEvent(answer);
        finish(answer);
      }, PATIENCE);
    },

    end() {
      worker?.terminate();
      worker = current = null;
      URL.revokeObjectURL(address);
    },
  };
}
