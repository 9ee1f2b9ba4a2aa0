// Finds a consensus in a worker, so that the page never waits; solver.js starts it and passes the question.
import { kernelFor } from "./kernel-instance.js";
import { unpackedBytes } from "./lzma.js";
import { wordsOf } from "./question-words.js";

const TOLD_EVERY = 60; // milliseconds
let kernel = null; // compiled
let asked = 0; // the number of the newest question
let stopped = 0; // of the question whose search is to end

onmessage = ({ data }) => {
  if (data.kernel) kernel = WebAssembly.compile(unpackedBytes(data.kernel));
  else if (data.stop) stopped = data.stop;
  else {
    asked = data.number;
    answer(data.number, data.question, data.efforts).catch((error) => {
      if (data.number === asked) postMessage({ number: data.number, kind: "refused", why: error.message });
    });
  }
};

// Other messages come in between.
const channel = new MessageChannel();
const turn = () => new Promise((resolve) => {
  channel.port1.onmessage = resolve;
  channel.port2.postMessage(0);
});

async function answer(number, question, efforts) {
  const words = wordsOf(question);
  const tell = (kind, told) => postMessage({ number, kind, ...told });
  let bound = null;
  let network = null;
  for (const effort of efforts) {
    const isOver = () => number !== asked || number === stopped;
    const search = await kernelFor(await kernel, words, effort, question.seed ?? 0);
    let told = performance.now();
    for (let isDone = false; !isDone && !isOver();) {
      isDone = search.step();
      if (performance.now() - told > TOLD_EVERY) {
        told = performance.now();
        const [step, steps] = search.progress();
        tell("progress", { effort, step, steps, ...shown(search.best(), question) });
      }
      await turn();
    }
    if (number !== asked) return;
    const isStopped = number === stopped;
    const found = shown(search.finish(), question);
    // A search that is cut short may be behind the one before it.
    if (!isStopped || !network || found.distance < network.distance) network = found;
    const isLast = isStopped || effort === efforts.at(-1);
    tell("answer", { effort, isStopped, isLast, bound, ...network });
    if (bound === null) {
      await turn();
      if (number !== asked) return;
      bound = search.bound() / network.weight;
      tell("bound", { bound });
    }
    if (isStopped) return;
  }
}

function shown({ distance, weight, clique, arcs, order }, { variables }) {
  const name = (place) => variables[place];
  return { distance: distance / weight, weight, clique, arcs: arcs.map((ends) => ends.map(name)), order: order.map(name) };
}
