// The kernel of bnfuse in WebAssembly (src/bnfuse/_kernel/wasm/): one instance answers one question.
import { large } from "./question-words.js";

const EFFORTS = ["quick", "normal", "thorough"];
const NO_FILE = 8; // WASI's answer for a missing file

// words: of question-words.js. An error of the kernel is thrown, and ends the instance.
export async function kernelFor(module, words, effort, seed) {
  let kernel = null;
  const textAt = (at) => {
    const bytes = new Uint8Array(kernel.memory.buffer, at);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  };
  const clock = (id, precision, at) => {
    new DataView(kernel.memory.buffer).setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
    return 0;
  };
  const none = () => NO_FILE;
  const instance = await WebAssembly.instantiate(module, {
    page: {
      thrown: (at) => {
        throw new Error(textAt(at));
      },
    },
    wasi_snapshot_preview1: new Proxy({ clock_time_get: clock }, { get: (known, name) => known[name] || none }),
  });
  kernel = instance.exports;
  kernel._initialize?.();
  const at = kernel.question(words.length);
  new Int32Array(kernel.memory.buffer, at, words.length).set(words); // a view holds until the memory grows
  kernel.ask(EFFORTS.indexOf(effort), ...large(seed));

  const numbers = (start, count) => new Int32Array(kernel.memory.buffer, start, count);
  const wholeAt = (two) => exact(two[1] * 2 ** 32 + (two[0] >>> 0));
  // { distance and weight as sums, clique, arcs as pairs of places, order }
  const networkAt = (start) => {
    const [, , , , clique, count] = numbers(start, 6);
    const ends = numbers(start + 24, 2 * count);
    return {
      distance: wholeAt(numbers(start, 2)),
      weight: wholeAt(numbers(start + 8, 2)),
      clique,
      arcs: Array.from({ length: count }, (_, i) => [ends[2 * i], ends[2 * i + 1]]),
      order: [...numbers(start + 24 + 8 * count, words[0])],
    };
  };
  return {
    step: () => kernel.step(Infinity) !== 0,
    progress: () => [kernel.stepsDone(), kernel.steps()],
    best: () => networkAt(kernel.best()),
    finish: () => networkAt(kernel.finish()),
    bound: () => wholeAt(numbers(kernel.bound(), 2)),
  };
}

function exact(number) {
  if (!Number.isSafeInteger(number)) throw new Error("the weights are too large to be counted exactly in a browser");
  return number;
}
