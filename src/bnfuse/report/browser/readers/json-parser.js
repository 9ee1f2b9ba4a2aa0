// JSON with the positions of errors. Objects are Maps, in which no key has a special meaning, and no key may be
// repeated.
import { ReadingError, lineAndColumn, quoted } from "./reading-error.js";

const DEEPEST = 900;
const LONGEST_WHOLE = 4300; // digits, as in Python
const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const PLAIN = /[^"\\\x00-\x1f]*/y;
const WORDS = [["null", null], ["true", true], ["false", false]];
const CONSTANTS = ["NaN", "Infinity", "-Infinity"];
const ESCAPES = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

export function parseJson(text, path) {
  const parser = new JsonParser(text, path);
  const value = parser.value(0);
  parser.skip();
  if (parser.at < text.length) throw parser.error("Extra data");
  return value;
}

class JsonParser {
  constructor(text, path) {
    Object.assign(this, { text, path, at: 0 });
    this.skip();
  }

  error(problem, place = this.at) {
    return new ReadingError(this.path, `not valid JSON: ${problem}`, ...lineAndColumn(this.text, place));
  }

  skip() {
    SPACE.lastIndex = this.at;
    SPACE.test(this.text);
    this.at = SPACE.lastIndex;
  }

  takes(sign) {
    if (this.text[this.at] !== sign) return false;
    this.at++;
    return true;
  }

  value(depth) {
    if (depth > DEEPEST) throw new ReadingError(this.path, "not an ensemble file: its brackets are nested too deeply");
    if (this.takes('"')) return this.string();
    if (this.takes("{")) return this.object(depth);
    if (this.takes("[")) return this.list(depth);
    for (const [word, value] of WORDS) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    for (const constant of CONSTANTS) {
      if (this.text.startsWith(constant, this.at)) throw new ReadingError(this.path, `not valid JSON: ${constant}`);
    }
    NUMBER.lastIndex = this.at;
    const [number] = NUMBER.exec(this.text) || [];
    if (number === undefined) throw this.error("Expecting value");
    this.at += number.length;
    if (number.length > LONGEST_WHOLE && /^-?\d+$/.test(number) && number.replace("-", "").length > LONGEST_WHOLE) {
      throw new ReadingError(this.path, "not an ensemble file: it holds a number of thousands of digits");
    }
    return Number(number);
  }

  list(depth) {
    const values = [];
    this.skip();
    if (this.takes("]")) return values;
    for (;;) {
      this.skip();
      values.push(this.value(depth + 1));
      this.skip();
      if (this.takes("]")) return values;
      if (!this.takes(",")) throw this.error("Expecting ',' delimiter");
    }
  }

  object(depth) {
    const fields = new Map();
    let twice = null;
    this.skip();
    if (this.takes("}")) return fields;
    for (;;) {
      this.skip();
      if (!this.takes('"')) throw this.error("Expecting property name enclosed in double quotes");
      const key = this.string();
      this.skip();
      if (!this.takes(":")) throw this.error("Expecting ':' delimiter");
      this.skip();
      const value = this.value(depth + 1);
      if (fields.has(key)) twice ??= key;
      fields.set(key, value);
      this.skip();
      if (this.takes("}")) break;
      if (!this.takes(",")) throw this.error("Expecting ',' delimiter");
    }
    if (twice !== null) {
      const shown = quoted(twice, { isAscii: true, most: 60 });
      throw new ReadingError(this.path, `not an ensemble file: an object has the key ${shown} twice`);
    }
    return fields;
  }

  string() {
    const start = this.at - 1;
    const parts = [];
    for (;;) {
      PLAIN.lastIndex = this.at;
      PLAIN.test(this.text);
      parts.push(this.text.slice(this.at, PLAIN.lastIndex));
      this.at = PLAIN.lastIndex;
      if (this.at >= this.text.length) throw this.error("Unterminated string starting at", start);
      if (this.takes('"')) return parts.join("");
      if (!this.takes("\\")) throw this.error("Invalid control character at");
      parts.push(this.escaped(start));
    }
  }

  escaped(start) {
    const sign = this.text[this.at];
    if (sign === undefined) throw this.error("Unterminated string starting at", start);
    if (Object.hasOwn(ESCAPES, sign)) {
      this.at++;
      return ESCAPES[sign];
    }
    if (sign !== "u") throw this.error("Invalid \\escape", this.at - 1);
    const code = this.text.slice(this.at + 1, this.at + 5);
    if (!/^[0-9a-fA-F]{4}$/.test(code)) throw this.error("Invalid \\uXXXX escape", this.at);
    this.at += 5;
    return String.fromCharCode(parseInt(code, 16));
  }
}
