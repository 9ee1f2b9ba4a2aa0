// The text of a BIF file without its comments, and the small pieces that its blocks are made of.
// Every function reads each character once and returns the position after a piece, or -1 if there is none.
import { ReadingError, lineAndColumn, quoted } from "./reading-error.js";
import { SPACES, isAsciiSpace } from "./spaces.js";

const HIDING = /"|property(?=[ \t-\r"])|\/[/*]/g;
const NEXT_WORD = new RegExp(`[${SPACES}]*`, "y");
const WORD = new RegExp(`[^${SPACES}]{0,40}`, "yu");

// Behind a quoted text that begins here.
export function quotedEnd(text, place, limit) {
  if (text[place] !== '"') return -1;
  for (let i = place + 1; i < limit; i++) {
    if (text[i] === '"') return i + 1;
    if (text[i] === "\n") return -1;
    if (text[i] === "\\" && (++i >= limit || text[i] === "\n")) return -1;
  }
  return -1;
}

export class BifText {
  constructor(text, path) {
    this.path = path;
    this.text = text;
    if (text.includes("//") || text.includes("/*")) this.text = this.withoutComments();
    this.hasQuotes = this.text.includes('"');
  }

  error(problem, place) {
    return new ReadingError(this.path, problem, ...lineAndColumn(this.text, place));
  }

  unexpected(expected, place) {
    NEXT_WORD.lastIndex = place;
    NEXT_WORD.test(this.text);
    const start = WORD.lastIndex = NEXT_WORD.lastIndex;
    const [word] = WORD.exec(this.text);
    return this.error(`expected ${expected}, got ${word ? quoted(word) : "the end of the file"}`, start);
  }

  // Spaces instead of comments, so that all places stay what they are. An open quote or property hides the comment signs
  // behind it, up to where it must end.
  withoutComments() {
    const { text } = this;
    const parts = [];
    let done = 0;
    HIDING.lastIndex = 0;
    for (let found = HIDING.exec(text); found; found = HIDING.exec(text)) {
      const place = found.index;
      let end;
      if (found[0] === '"') end = this.openQuoteEnd(place);
      else if (found[0] === "property") end = place === 0 || /[ \t-\r{};]/.test(text[place - 1]) ? this.until(";", place) : place + 1;
      else {
        end = found[0] === "//" ? this.before("\n", place) : this.commentEnd(place);
        parts.push(text.slice(done, place), text.slice(place, end).replace(/[^\n]/g, " "));
        done = end;
      }
      HIDING.lastIndex = end;
    }
    return parts.join("") + text.slice(done);
  }

  before(sign, place) {
    const end = this.text.indexOf(sign, place);
    return end < 0 ? this.text.length : end;
  }

  until(sign, place) {
    return Math.min(this.before(sign, place) + sign.length, this.text.length);
  }

  commentEnd(place) {
    const end = this.text.indexOf("*/", place + 2);
    if (end < 0) throw this.error("this comment is not closed", place);
    return end + 2;
  }

  // The position after a quoted text, or where it stops being one.
  openQuoteEnd(place) {
    const { text } = this;
    for (let i = place + 1; i < text.length; i++) {
      if (text[i] === '"') return i + 1;
      if (text[i] === "\n") return i;
      if (text[i] === "\\") {
        if (i + 1 === text.length || text[i + 1] === "\n") return i;
        i++;
      }
    }
    return text.length;
  }

  quotedEnd(place, limit = this.text.length) {
    return quotedEnd(this.text, place, limit);
  }

  // The position after white space.
  skip(place, limit = this.text.length) {
    while (place < limit && isAsciiSpace(this.text.charCodeAt(place))) place++;
    return place;
  }

  isPropertyAt(place, limit = this.text.length) {
    if (!this.text.startsWith("property", place) || place + 8 >= limit) return false;
    return this.text[place + 8] === '"' || isAsciiSpace(this.text.charCodeAt(place + 8));
  }

  propertyEnd(place, limit = this.text.length) {
    if (!this.isPropertyAt(place, limit)) return -1;
    const end = this.text.indexOf(";", place);
    return end < 0 || end >= limit ? -1 : end + 1;
  }

  // The position after characters that are not among `stops`, and quoted texts.
  spanEnd(place, stops, limit = this.text.length) {
    while (place < limit) {
      if (this.text[place] === '"') {
        const end = this.quotedEnd(place, limit);
        if (end < 0) return place;
        place = end;
      } else if (stops.includes(this.text[place])) return place;
      else place++;
    }
    return place;
  }

  // The position after the rows of a probability block: properties may contain brackets.
  rowsEnd(place) {
    const { text } = this;
    while (place < text.length) {
      const sign = text[place];
      if (sign === "{" || sign === "}") return place;
      if (sign === '"') {
        const end = this.quotedEnd(place);
        if (end < 0) return place;
        place = end;
      } else if (sign === "p" && /[ \t-\r;{]/.test(text[place - 1]) && this.isPropertyAt(place)) place = this.until(";", place);
      else place++;
    }
    return place;
  }
}
