// Runs in a worker: reads files, and makes the report's data of an answer, so that the page stays responsive and can
// end work that takes too long.
import { TooLargeError } from "./factors.js";
import { pageOf } from "./page-of-answer.js";
import { NotPooledError, panelTables } from "./panel-tables.js";
import { readFile } from "./read-file.js";
import { ReadingError } from "./reading-error.js";

self.addEventListener("message", async ({ data }) => self.postMessage(data.question ? tried(data) : await read(data)));
self.postMessage({ isReady: true });

async function read({ path, bytes }) {
  try {
    const { networks, warnings } = await readFile(path, bytes);
    return { networks, warnings };
  } catch (error) {
    const isTold = error instanceof ReadingError;
    return { problem: isTold ? error.message : `${path}: cannot be read: ${error?.message ?? error}` };
  }
}

function tried(request) {
  try {
    return made(request);
  } catch (error) {
    return { problem: `the report cannot be made: ${error?.message ?? error}` };
  }
}

// networks: of each input of the question the one that was read, if it has tables.
function made({ question, answer, page, networks }) {
  const data = pageOf(question, answer, { ...page, ...pooled(question, answer, networks) });
  return { text: JSON.stringify(data), facts: data.facts, layout: data.layout };
}

// The tables of the consensus, if inputs have tables and they are small; otherwise a note gives the reason why there
// are none.
function pooled({ variables, inputs }, { arcs, order }, networks) {
  if (!networks.some(Boolean)) return { tables: null, notes: [] };
  try {
    return panelTables({ variables, arcs, order, inputs: inputs.map(({ name, weight }, i) => ({ name, weight, network: networks[i] })) });
  } catch (error) {
    if (!(error instanceof NotPooledError || error instanceof TooLargeError)) throw error;
    return { tables: null, notes: [`the tables were not pooled: ${error.message}`] };
  }
}
