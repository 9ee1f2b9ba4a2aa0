// The work of workers for the page, which ends them if they take too long: files as networks, and the report's data of
// an answer.
import { unpacked } from "./packed-texts.js";

const SECONDS = 2; // for a file of any size, from when the worker has started
const SECONDS_PER_BYTE = 1 / 2 ** 20; // more for large ones
const SECONDS_TO_MAKE = 60;
const MOST_BYTES = 64 * 2 ** 20;
const TICK = 100; // milliseconds: time is counted in these, so that a machine that lets the page wait does not use it up

// One request at a time; each kind of work has its own worker.
class Helper {
  worker = null;
  isReady = false; // its first message tells
  last = Promise.resolve();

  started() {
    if (this.worker) return this.worker;
    const address = URL.createObjectURL(new Blob([unpacked("reader-script")], { type: "text/javascript" }));
    this.worker = new Worker(address);
    URL.revokeObjectURL(address);
    return this.worker;
  }

  // The result, or { problem }.
  ask(request, seconds, late, transfer = []) {
    this.last = this.last.then(() => this.answered(request, seconds, late, transfer));
    return this.last;
  }

  answered(request, seconds, late, transfer) {
    const worker = this.started();
    return new Promise((resolve) => {
      const settle = (answer, isBroken = false) => {
        clearInterval(timer);
        worker.onmessage = worker.onerror = null;
        if (isBroken) {
          worker.terminate();
          this.worker = null;
          this.isReady = false;
        }
        resolve(answer);
      };
      let left = Math.ceil((1000 * seconds) / TICK);
      const timer = setInterval(() => this.isReady && --left <= 0 && settle({ problem: late }, true), TICK);
      worker.onmessage = ({ data }) => (data.isReady ? (this.isReady = true) : settle(data));
      worker.onerror = (event) => {
        event.preventDefault();
        settle({ problem: event.message || "the reader failed" }, true);
      };
      worker.postMessage(request, transfer);
    });
  }
}

const [reader, maker] = [new Helper(), new Helper()];

// { networks, warnings, file } or { problem }, which is one line.
export async function readNetworks(file) {
  const path = file.name || "file";
  if (file.size > MOST_BYTES) {
    return { problem: `${path}: holds more than ${MOST_BYTES / 2 ** 20} MiB, which is more than this page reads; use the installed program` };
  }
  let bytes;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    return { problem: `${path}: cannot be read; a folder cannot be dropped here, only files` };
  }
  const about = { path, size: bytes.length, sha256: await digest(bytes), left_out: false };
  const late = `${path}: takes longer to read than any network should; the installed program may read it`;
  const answer = await reader.ask({ path, bytes }, SECONDS + bytes.length * SECONDS_PER_BYTE, late, [bytes.buffer]);
  return { ...answer, file: about };
}

// { text, facts, layout }: the data of the report, as JSON, and what this page needs of them; or { problem }.
export const makePage = (request) => maker.ask(request, SECONDS_TO_MAKE, "the report of these networks takes too long for a page");

// Not if a browser lacks this function for pages from files.
async function digest(bytes) {
  if (!globalThis.crypto?.subtle) return "";
  const found = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...found].map((one) => one.toString(16).padStart(2, "0")).join("");
}
