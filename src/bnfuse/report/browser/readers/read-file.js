// A file, as its name and its bytes, turned into networks: { name, variables, states, arcs, tables }, with arcs as pairs of
// numbers of variables, and tables that have the parents in the order of the variables and the variable itself last.
import { ENDINGS, byEnding, detected, endingOf, stemOf } from "./file-formats.js";
import { checkText, decoded, headOf, unpacked } from "./file-text.js";
import { ReadingError } from "./reading-error.js";

const HEAD = 1 << 16;

export async function readFile(path, packed) {
  const bytes = await unpacked(packed, path);
  checkText(bytes, path);
  const format = formatOf(path, bytes);
  if (!format.read) throw needsProgram(path, format);
  const text = decoded(bytes, path);
  const warnings = [];
  let networks;
  try {
    networks = format.read(text, path, (warning) => warnings.push(warning));
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error;
    const likely = detected(text);
    if (!likely || likely === format) throw error;
    throw new ReadingError(error.message, `the content looks like ${likely.label}, not ${format.label}`);
  }
  return { networks: named(networks, format, stemOf(path)), warnings, format: format.label };
}

function formatOf(path, bytes) {
  const ending = endingOf(path);
  const owner = byEnding(ending);
  const found = detected(headOf(bytes, HEAD));
  if (owner) return found?.alsoIn?.includes(ending) ? found : owner;
  if (!found) throw new ReadingError(path, `neither the name nor the content determines the format; known: ${ENDINGS.join(", ")}`);
  return found;
}

const NUMBERS = ["Gaussian JSON", "pgmpy JSON"]; // of networks without tables

function needsProgram(path, { label }) {
  if (label === "DOT" || label === "GraphML") {
    return new ReadingError(path, `${label} files can only be written; to read the arcs, use a CSV file with the header from,to`);
  }
  const problem = label === "saved consensus" ? "is a saved consensus" : `is a file of the format ${label}`;
  const [format, ending] = NUMBERS.includes(label) ? ["CSV", "csv"] : ["BIF", "bif"];
  const remedy = `turn it into ${format} with the installed program: bnfuse convert ${path} ${stemOf(path)}.${ending}`;
  return new ReadingError(path, `${problem}, which this page does not read; ${remedy}`);
}

// With their own names if the format keeps them, otherwise named after the file.
function named(networks, { keepsNames }, stem) {
  return networks.map((network, i) => {
    const own = keepsNames ? network.name : "";
    return { ...network, name: own || (networks.length === 1 ? stem : `${stem}-${i + 1}`) };
  });
}
