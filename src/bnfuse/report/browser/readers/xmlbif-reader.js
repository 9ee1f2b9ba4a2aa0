// XMLBIF: files/xmlbif.py describes the format.
import { ReadingError, quoted, shortened } from "./reading-error.js";
import { stripped } from "./spaces.js";
import { asMark, networkOf, unescaped } from "./table-checks.js";
import { numbersOf } from "./xml-numbers.js";
import { XmlText } from "./xml-parser.js";

const NAMES_OF_0_2 = new Map([["PROBABILITY", "DEFINITION"], ["VALUE", "OUTCOME"]]);
const FORM = {
  root: "BIF",
  texts: new Set(["NAME", "OUTCOME", "FOR", "GIVEN", "TABLE", "PROPERTY"]),
  renamed: (tag) => NAMES_OF_0_2.get(tag) || tag,
};

export function readXmlbif(text, path, warn) {
  const reader = new XmlbifReader(new XmlText(text, path, FORM), warn);
  reader.file.parse(reader);
  if (!reader.networks.length) throw new ReadingError(path, "not an XMLBIF file: it has no NETWORK");
  return reader.networks;
}

class XmlbifReader {
  constructor(file, warn) {
    Object.assign(this, { file, warn, networks: [], isEscaped: false });
    this.startNetwork();
    this.startVariable(0);
  }

  startNetwork() {
    this.network = { name: "", marks: new Set(), variables: new Map(), tables: [] };
  }

  startVariable(place) {
    this.variable = { names: [], labels: new Set(), place };
  }

  // The names of the elements that are open, as one text.
  get around() {
    return this.file.elements.join("/");
  }

  start(_, attributes) {
    const { place } = this.file;
    this.isEscaped = attributes.get("ESCAPED") === "yes";
    if (this.around === "BIF/NETWORK") this.startNetwork();
    else if (this.around === "BIF/NETWORK/VARIABLE") {
      this.startVariable(place);
      const kind = attributes.get("TYPE") ?? "nature";
      if (kind !== "nature") {
        throw this.file.error(`a ${shortened(kind, 40)} variable; bnfuse reads networks of chance (nature) variables`, place);
      }
    } else if (this.around === "BIF/NETWORK/DEFINITION") {
      this.network.tables.push({ place, variables: [], parents: [], text: null, textPlace: 0 });
    }
  }

  end(tag) {
    if (this.around === "BIF/NETWORK" && tag === "VARIABLE") this.readVariable();
    else if (this.around === "BIF" && tag === "NETWORK") this.readNetwork();
  }

  textOf(tag, text) {
    const table = this.network.tables.at(-1);
    this.take(`${this.around}/${tag}`, this.isEscaped ? unescaped(text) : stripped(text), table);
  }

  take(where, text, table) {
    const { place } = this.file;
    if (where === "BIF/NETWORK/NAME") this.network.name = text;
    else if (where === "BIF/NETWORK/PROPERTY") this.network.marks.add(asMark(text));
    else if (where === "BIF/NETWORK/VARIABLE/NAME") this.variable.names.push(text);
    else if (where === "BIF/NETWORK/VARIABLE/OUTCOME") {
      if (this.variable.labels.has(text)) throw this.file.error(`the state ${quoted(text)} is given twice`, place);
      this.variable.labels.add(text);
    } else if (where === "BIF/NETWORK/DEFINITION/FOR") table.variables.push(text);
    else if (where === "BIF/NETWORK/DEFINITION/GIVEN") table.parents.push(text);
    else if (where === "BIF/NETWORK/DEFINITION/TABLE") {
      if (table.text !== null) throw this.file.error("a second TABLE in a DEFINITION", place);
      Object.assign(table, { text, textPlace: place });
    }
  }

  readVariable() {
    const { names, labels, place } = this.variable;
    if (names.length !== 1 || !names[0]) throw this.file.error("a VARIABLE must have one NAME", place);
    const [name] = names;
    if (this.network.variables.has(name)) throw this.file.error(`variable ${quoted(name)} is declared twice`, place);
    if (!labels.size) throw this.file.error(`variable ${quoted(name)} has no OUTCOME`, place);
    this.network.variables.set(name, { labels: [...labels], place });
  }

  readNetwork() {
    const { name, marks, variables, tables } = this.network;
    const definitions = new Map();
    for (const table of tables) {
      const [variable, definition] = this.definition(table);
      if (definitions.has(variable)) throw this.file.error(`variable ${quoted(variable)} has a second DEFINITION`, table.place);
      definitions.set(variable, definition);
    }
    this.networks.push(networkOf(this.file, name, variables, definitions, { marks, childSlowest: false, warn: this.warn }));
  }

  definition({ place, variables, parents, text, textPlace }) {
    if (variables.length !== 1) throw this.file.error(`a DEFINITION must be FOR one variable, not ${variables.length}`, place);
    const seen = new Set();
    for (const name of [...variables, ...parents]) {
      if (!this.network.variables.has(name)) throw this.file.error(`unknown variable ${quoted(name)} in a DEFINITION`, place);
      if (seen.has(name)) throw this.file.error(`variable ${quoted(name)} occurs twice in a DEFINITION`, place);
      seen.add(name);
    }
    const [variable] = variables;
    if (text === null) throw this.file.error(`variable ${quoted(variable)} has no TABLE`, place);
    const sizes = [...parents, variable].map((name) => this.network.variables.get(name).labels.length);
    const numbers = numbersOf(this.file, variable, sizes, text, textPlace);
    return [variable, { parents, numbers, place: textPlace, isWhole: true }];
  }
}
