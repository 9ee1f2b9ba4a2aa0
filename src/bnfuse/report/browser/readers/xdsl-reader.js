// XDSL, the files of GeNIe: files/xdsl.py describes the format.
import { ReadingError, counted, quoted, shortened } from "./reading-error.js";
import { stripped } from "./spaces.js";
import { MOST_FILLED, networkOf, tableSize } from "./table-checks.js";
import { numbersOf } from "./xml-numbers.js";
import { XmlText } from "./xml-parser.js";

const FORM = { root: "smile", texts: new Set(["parents", "probabilities", "resultingstates", "property"]) };
const KINDS = new Map([
  ["noisymax", "a noisy-MAX node"],
  ["noisyadder", "a noisy-adder node"],
  ["demorgan", "a DeMorgan node"],
  ["equation", "an equation node"],
  ["decision", "a decision node"],
  ["utility", "a utility node"],
  ["mau", "a multi-attribute utility node"],
]);
const CUTS = "bnfuse_cuts";
const PYAGRUM = "aGrUM"; // how its files name the program that wrote them

export function readXdsl(text, path, warn) {
  const reader = new XdslReader(new XmlText(text, path, FORM), warn);
  reader.file.parse(reader);
  return [reader.read()];
}

const wordsIn = (text) => text.split(/[ \t\n\r\f\v]+/).filter(Boolean);

class XdslReader {
  constructor(file, warn) {
    Object.assign(this, { file, warn, nodes: new Map(), node: null, mark: "", filled: 0, writer: "" });
  }

  read() {
    if (!this.nodes.size) throw new ReadingError(this.file.path, "not an XDSL file of a Bayesian network: it has no <cpt> nodes");
    const variables = new Map([...this.nodes].map(([name, { labels, place }]) => [name, { labels: [...labels], place }]));
    const definitions = new Map([...this.nodes].map(([name, node]) => [name, this.definition(node)]));
    if (this.writer.startsWith(PYAGRUM) && [...definitions.values()].some(({ parents }) => parents.length > 1)) {
      for (const known of definitions.values()) known.parents.reverse();
      this.warn(
        `${this.file.path}: was written by pyAgrum (${shortened(this.writer, 40)}), which lists tables with two or more ` +
          "parents in a different order from GeNIe; they are read in pyAgrum's order",
      );
    }
    const [first, ...others] = [...this.nodes.values()].map(({ marks }) => marks);
    const marks = new Set([...first].filter((mark) => others.every((own) => own.has(mark))));
    return networkOf(this.file, "", variables, definitions, { marks, childSlowest: false, warn: this.warn });
  }

  start(tag, attributes) {
    const { elements, place } = this.file;
    const name = attributes.get("id") ?? "";
    if (elements[1] === "nodes" && elements.length === 3) this.startNode(tag, name);
    else if (elements[1] === "nodes" && elements.length === 4 && tag === "state") {
      if (!name) throw this.file.error(`a <state> of node ${quoted(this.node.name)} has no id`, place);
      if (this.node.labels.has(name)) throw this.file.error(`node ${quoted(this.node.name)} has the state ${quoted(name)} twice`, place);
      this.node.labels.add(name);
    } else if (elements[1] === "nodes" && elements.length === 4 && tag === "property") this.mark = name;
    else if (elements.join("/") === "smile/extensions/genie") this.writer = attributes.get("app") ?? "";
    else if (elements[1] === "dynamic") {
      throw this.file.error("is a dynamic network, which bnfuse does not read; unroll it in GeNIe", place);
    }
  }

  textOf(tag, text) {
    const { elements, place } = this.file;
    if (!this.node || elements[1] !== "nodes" || elements.length !== 3) return;
    if (tag === "property") {
      if (this.mark !== CUTS) this.node.marks.add(`${this.mark} = ${stripped(text)}`);
    } else if (this.node.texts.has(tag)) throw this.file.error(`node ${quoted(this.node.name)} has a second <${tag}>`, place);
    else this.node.texts.set(tag, { text, place });
  }

  end() {
    if (this.file.elements.join("/") === "smile/nodes") this.node = null;
  }

  startNode(tag, name) {
    const { place } = this.file;
    if (tag !== "cpt" && tag !== "deterministic") {
      const kind = KINDS.get(tag) || `of the kind <${shortened(tag, 40)}>`;
      throw this.file.error(
        `node ${quoted(name)} is ${kind}; bnfuse reads chance nodes with tables (<cpt>) and <deterministic> ones: ` +
          "in GeNIe, change the node's type to Chance - General",
        place,
      );
    }
    if (!name) throw this.file.error(`a <${tag}> has no id`, place);
    if (this.nodes.has(name)) throw this.file.error(`node ${quoted(name)} is declared twice`, place);
    this.node = { name, place, isDeterministic: tag === "deterministic", labels: new Set(), texts: new Map(), marks: new Set() };
    this.nodes.set(name, this.node);
  }

  definition(node) {
    const { name, labels, texts } = node;
    if (!labels.size) throw this.file.error(`node ${quoted(name)} has no <state>`, node.place);
    const parents = wordsIn(texts.get("parents")?.text ?? "");
    const seen = new Set([name]);
    for (const parent of parents) {
      const { place } = texts.get("parents");
      if (!this.nodes.has(parent)) throw this.file.error(`node ${quoted(name)} has the unknown parent ${quoted(parent)}`, place);
      if (seen.has(parent)) {
        const problem = parent === name ? "is its own parent" : `has the parent ${quoted(parent)} twice`;
        throw this.file.error(`node ${quoted(name)} ${problem}`, place);
      }
      seen.add(parent);
    }
    const element = node.isDeterministic ? "resultingstates" : "probabilities";
    if (!texts.has(element)) throw this.file.error(`node ${quoted(name)} has no <${element}>`, node.place);
    const { text, place } = texts.get(element);
    const sizes = [...parents, name].map((one) => this.nodes.get(one).labels.size);
    const numbers = node.isDeterministic ? this.certain(node, sizes, text, place) : numbersOf(this.file, name, sizes, text, place);
    return { parents, numbers, place, isWhole: false };
  }

  // The table of a node whose state is determined by those of its parents.
  certain({ name, labels }, sizes, text, place) {
    const words = wordsIn(text);
    const size = tableSize(this.file, name, sizes, MOST_FILLED - this.filled, place);
    this.filled += size;
    const needed = size / labels.size;
    if (words.length !== needed) {
      throw this.file.error(`node ${quoted(name)} needs ${counted(needed)} resulting states, got ${counted(words.length)}`, place);
    }
    const number = new Map([...labels].map((label, i) => [label, i]));
    const table = new Float64Array(size);
    words.forEach((word, row) => {
      if (!number.has(word)) {
        throw this.file.error(`node ${quoted(name)} has no state ${shortened(quoted(word), 40)}, which it should result in`, place);
      }
      table[row * labels.size + number.get(word)] = 1;
    });
    return table;
  }
}
