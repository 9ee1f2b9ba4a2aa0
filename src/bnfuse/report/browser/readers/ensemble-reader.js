// Ensemble files, and the network of a saved consensus: files/ensemble.py and answer/persistence.py describe them.
import { checkNames, checkedArcs } from "./acyclic.js";
import { parseJson } from "./json-parser.js";
import { ContentError, ReadingError, counted, quoted, shortened } from "./reading-error.js";

const MOST_MEMORY = 4 * 2 ** 30; // bytes in the installed program, where the variables of a network decide
const KINDS = { object: "an object", list: "a list", text: "text" };

export function readEnsemble(text, path) {
  try {
    return networks(parseJson(text, path));
  } catch (error) {
    if (error instanceof ContentError) throw new ReadingError(path, error.message);
    throw error;
  }
}

const kindOf = (value) => (value instanceof Map ? "object" : Array.isArray(value) ? "list" : typeof value === "string" ? "text" : "other");

function shown(value) {
  const kind = kindOf(value);
  if (kind === "object" || kind === "list") return KINDS[kind];
  if (kind === "text") return quoted(value, { isAscii: true, most: 60 });
  return shortened(value === null ? "None" : value === true ? "True" : value === false ? "False" : String(value), 60);
}

function expected(value, kind, place) {
  if (kindOf(value) !== kind) throw new ContentError(`${place}: expected ${KINDS[kind]}, got ${shown(value)}`);
  return value;
}

function field(holder, key, kind, place) {
  if (!holder.has(key)) throw new ContentError(`not an ensemble: ${place} lacks the key ${quoted(key)}`);
  return expected(holder.get(key), kind, place === "the file" ? key : `${place}.${key}`);
}

// JSON can spell half a character, which no file and no screen can show.
function checkEncodable(name, place) {
  if (!name.isWellFormed()) throw new ContentError(`${place}: ${quoted(name, { isAscii: true })} is not valid Unicode text`);
}

function networks(content) {
  const ensemble = expected(content, "object", "the file");
  const variables = field(ensemble, "variables", "list", "the file");
  variables.forEach((name, i) => checkEncodable(expected(name, "text", `variables[${i}]`), `variables[${i}]`));
  const members = field(ensemble, "networks", "list", "the file");
  if (!members.length) throw new ContentError("networks: the list is empty");
  if (members.length * variables.length * Math.ceil(variables.length / 64) * 8 > MOST_MEMORY) {
    throw new ContentError(`${counted(members.length)} networks over ${counted(variables.length)} variables are too many; divide them among several files`);
  }
  checkNames(variables);
  return members.map((member, i) => network(member, `networks[${i}]`, variables));
}

function network(member, place, variables) {
  const name = expected(member, "object", place).has("name") ? member.get("name") : "";
  checkEncodable(expected(name, "text", `${place}.name`), `${place}.name`);
  const edges = field(member, "edges", "list", place);
  edges.forEach((edge, i) => {
    const isPair = Array.isArray(edge) && edge.length === 2 && edge.every((end) => typeof end === "string");
    if (!isPair) throw new ContentError(`${place}.edges[${i}]: expected a pair of names, got ${shown(edge)}`);
  });
  try {
    return { name, variables, arcs: checkedArcs(variables, edges), states: null, tables: null };
  } catch (error) {
    if (error instanceof ContentError) throw new ContentError(`${name ? `network ${quoted(name)}` : place}: ${error.message}`);
    throw error;
  }
}
