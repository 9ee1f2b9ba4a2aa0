// XML, read once from its first element to its last. Nothing outside the file is read, and only the five entities of
// XML are expanded: a file that declares others is refused. The browser's own parser is not used: workers lack it, it
// expands the declarations of a file, and it does not report positions.
import { readDoctype, tokens } from "./xml-declarations.js";
import { ReadingError, lineAndColumn, shortened } from "./reading-error.js";

const DEEPEST = 32; // levels of elements; a network needs five
const SPACE = /[ \t\r\n]*/y;
const NAME = /[\p{L}_:][\p{L}\p{M}\p{Nd}_:.\-\u00b7]*/yu;
const TEXT = /[^<&\]]*/y;
const FORBIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;
const REFERENCE = /&(?:#(?:x([0-9a-fA-F]+)|(\d+))|([^;\s&<]*));/y;
const KNOWN = new Map([["lt", "<"], ["gt", ">"], ["amp", "&"], ["apos", "'"], ["quot", '"']]);
const COMMENT = "<!\u002d-"; // spelled so that no page takes it for one
const INVALID = "not well-formed (invalid token)";
const UNCLOSED = "unclosed token";

const withPlainEnds = (text) => (text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text);

// A format says what its elements mean: it has `root`, the name of the first element, `texts`, those whose text matters, and
// start(tag, attributes, place), textOf(tag, text, place), end(tag), with `elements` holding the names of those that are open.
export class XmlText {
  constructor(text, path, { root, texts, renamed = (tag) => tag }) {
    Object.assign(this, { path, root, texts, renamed, elements: [], place: 0, at: 0 });
    this.text = text.startsWith("\ufeff") ? text.slice(1) : text;
    this.pieces = null; // of the text of the element that was opened last, if it matters
    this.tags = []; // as they are written
    this.defaults = new Map(); // attributes that a declaration gives to elements
  }

  error(problem, place) {
    return new ReadingError(this.path, problem, ...lineAndColumn(this.text, place));
  }

  invalid(problem = INVALID, place = this.at) {
    return this.error(`not valid XML: ${problem}`, place);
  }

  entity() {
    const problem = "declares or uses an entity of its own, which bnfuse does not expand; write its text instead";
    return this.error(problem, this.at);
  }

  parse(handler) {
    const forbidden = this.text.search(FORBIDDEN);
    if (forbidden >= 0) throw this.invalid(INVALID, forbidden);
    this.handler = handler;
    this.declaration();
    this.misc(true);
    if (this.at === this.text.length) throw this.invalid("no element found");
    this.element();
    while (this.elements.length) this.content();
    this.misc(false);
    if (this.at < this.text.length) throw this.invalid("junk after document element");
  }

  // Pieces

  starts(text) {
    return this.text.startsWith(text, this.at);
  }

  // Behind white space; whether there was any.
  skip() {
    SPACE.lastIndex = this.at;
    SPACE.test(this.text);
    const isThere = SPACE.lastIndex > this.at;
    this.at = SPACE.lastIndex;
    return isThere;
  }

  name() {
    NAME.lastIndex = this.at;
    const found = NAME.exec(this.text);
    if (!found) throw this.invalid(this.at < this.text.length ? INVALID : UNCLOSED);
    this.at += found[0].length;
    return found[0];
  }

  // The text up to a sign, which must come.
  upTo(sign, problem = UNCLOSED) {
    const end = this.text.indexOf(sign, this.at);
    if (end < 0) throw this.invalid(problem);
    const text = this.text.slice(this.at, end);
    this.at = end + sign.length;
    return text;
  }

  reference() {
    REFERENCE.lastIndex = this.at;
    const found = REFERENCE.exec(this.text);
    if (!found) throw this.invalid();
    const [whole, hexadecimal, decimal, name] = found;
    let character = KNOWN.get(name);
    if (name !== undefined && character === undefined) {
      NAME.lastIndex = this.at + 1;
      const isName = NAME.test(this.text) && NAME.lastIndex === this.at + 1 + name.length;
      throw isName ? this.entity() : this.invalid();
    }
    if (name === undefined) {
      const code = hexadecimal ? parseInt(hexadecimal, 16) : parseInt(decimal, 10);
      const isSurrogate = code >= 0xd800 && code <= 0xdfff;
      if (!(code <= 0x10ffff) || isSurrogate || FORBIDDEN.test(String.fromCodePoint(code))) {
        throw this.invalid("reference to invalid character number");
      }
      character = String.fromCodePoint(code);
    }
    this.at += whole.length;
    return character;
  }

  // A value in quotes, as an attribute has it.
  value() {
    const mark = this.text[this.at];
    if (mark !== '"' && mark !== "'") throw this.invalid(this.at < this.text.length ? INVALID : UNCLOSED);
    const start = this.at++;
    const end = this.text.indexOf(mark, this.at);
    if (end < 0) throw this.invalid(UNCLOSED, start);
    const parts = [];
    while (this.at < end) {
      let stop = this.at;
      while (stop < end && this.text[stop] !== "&" && this.text[stop] !== "<") stop++;
      parts.push(withPlainEnds(this.text.slice(this.at, stop)).replace(/[\t\n]/g, " "));
      this.at = stop;
      if (stop < end) {
        if (this.text[stop] === "<") throw this.invalid();
        parts.push(this.reference());
      }
    }
    if (this.at !== end) throw this.invalid(); // a reference that has the quote in it
    this.at = end + 1;
    return parts.join("");
  }

  // Parts

  declaration() {
    if (!/^<\?xml[ \t\r\n]/.test(this.text)) return;
    const end = this.text.indexOf("?>");
    if (end < 0) throw this.invalid(UNCLOSED, 0);
    const form =
      /^<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(["'])[\w.\-]*\1(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(["'])[A-Za-z][\w.\-]*\2)?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(["'])(?:yes|no)\3)?[ \t\r\n]*\?>$/;
    if (!form.test(this.text.slice(0, end + 2))) throw this.invalid("XML declaration not well-formed", 0);
    this.at = end + 2;
  }

  // What may stand before and after the elements.
  misc(isBefore) {
    for (;;) {
      this.skip();
      if (this.starts(COMMENT)) this.comment();
      else if (this.starts("<?")) this.instruction();
      else if (isBefore && this.starts("<!DOCTYPE") && !this.hasDoctype) {
        this.hasDoctype = true;
        readDoctype(this);
      } else return;
    }
  }

  comment() {
    const start = this.at;
    this.at += 4;
    const end = this.text.indexOf("--", this.at);
    if (end < 0) throw this.invalid(UNCLOSED, start);
    if (this.text[end + 2] !== ">") throw this.invalid(end + 2 < this.text.length ? INVALID : UNCLOSED, end + 2);
    this.at = end + 3;
    this.pieces?.push(" "); // it divides what stands around it
  }

  instruction() {
    const start = this.at;
    this.at += 2;
    const target = this.name();
    if (target === "xml") throw this.invalid("XML or text declaration not at start of entity", start);
    if (/^xml$/i.test(target)) throw this.invalid(INVALID, start);
    if (!this.starts("?>") && !this.skip()) throw this.invalid();
    this.upTo("?>");
  }

  content() {
    TEXT.lastIndex = this.at;
    TEXT.test(this.text);
    if (TEXT.lastIndex > this.at) this.pieces?.push(withPlainEnds(this.text.slice(this.at, TEXT.lastIndex)));
    this.at = TEXT.lastIndex;
    if (this.at === this.text.length) throw this.invalid("no element found");
    if (this.text[this.at] === "]") {
      if (this.starts("]]>")) throw this.invalid();
      this.pieces?.push("]");
      this.at++;
    } else if (this.text[this.at] === "&") {
      const character = this.reference();
      this.pieces?.push(character);
    } else if (this.starts("</")) this.endTag();
    else if (this.starts(COMMENT)) this.comment();
    else if (this.starts("<![CDATA[")) {
      this.at += 9;
      const text = this.upTo("]]>", "unclosed CDATA section");
      this.pieces?.push(withPlainEnds(text));
    } else if (this.starts("<?")) this.instruction();
    else this.element();
  }

  element() {
    const start = this.at;
    if (!this.starts("<")) throw this.invalid(this.elements.length ? INVALID : "syntax error");
    this.at++;
    const written = this.name();
    const declared = this.defaults.get(written) || new Map();
    const attributes = this.attributes(declared);
    const isEmpty = this.starts("/>");
    if (!isEmpty && !this.starts(">")) throw this.invalid(this.at < this.text.length ? INVALID : UNCLOSED);
    this.at += isEmpty ? 2 : 1;
    for (const [name, { value }] of declared) {
      if (value !== null && !attributes.has(name)) attributes.set(name, value);
    }
    this.opened(written, start, attributes);
    if (isEmpty) this.closed();
  }

  attributes(declared) {
    const attributes = new Map();
    for (;;) {
      const isApart = this.skip();
      const sign = this.text[this.at];
      if (sign === ">" || sign === "/" || sign === undefined) return attributes;
      if (!isApart) throw this.invalid();
      const place = this.at;
      const name = this.name();
      if (attributes.has(name)) throw this.invalid("duplicate attribute", place);
      this.skip();
      if (!this.starts("=")) throw this.invalid(this.at < this.text.length ? INVALID : UNCLOSED);
      this.at++;
      this.skip();
      const value = this.value();
      attributes.set(name, declared.get(name)?.isPlain === false ? tokens(value) : value);
    }
  }

  opened(written, start, attributes) {
    const tag = this.renamed(written);
    this.place = start;
    if (!this.elements.length && tag !== this.root) throw this.error(`expected <${this.root}>, got <${shortened(tag, 40)}>`, start);
    if (this.elements.length === DEEPEST) throw this.error(`elements are nested more than ${DEEPEST} deep`, start);
    this.elements.push(tag);
    this.tags.push(written);
    this.pieces = this.texts.has(tag) ? [] : null;
    this.handler.start(tag, attributes);
  }

  endTag() {
    const start = this.at;
    this.at += 2;
    const tag = this.name();
    this.skip();
    if (!this.starts(">")) throw this.invalid(this.at < this.text.length ? INVALID : UNCLOSED);
    if (tag !== this.tags.at(-1)) throw this.invalid("mismatched tag", start + 2);
    this.at++;
    this.closed();
  }

  closed() {
    const tag = this.elements.pop();
    this.tags.pop();
    if (!this.pieces) this.handler.end(tag);
    else {
      const text = this.pieces.join("");
      this.pieces = null;
      this.handler.textOf(tag, text);
    }
  }
}
