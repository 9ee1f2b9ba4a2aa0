// The document type of an XML file: its declarations are checked, and the values that they give to attributes taken.

const INVALID = "syntax error";
const EXTERNAL = /(?:SYSTEM(?=[ \t\r\n])|PUBLIC(?=[ \t\r\n]))/y;
const PUBLIC = /^[ \r\na-zA-Z0-9\-'()+,./:=?;!*#@$_%]*$/;
const TYPES = /(?:CDATA|IDREFS?|ID|ENTIT(?:Y|IES)|NMTOKENS?)(?=[ \t\r\n])/y;
const TOKEN = /[\p{L}\p{M}\p{Nd}_:.\-\u00b7]+/yu;
const MOST = 100_000; // brackets of one content model

// file: an XmlText that stands before a <!DOCTYPE.
export function readDoctype(file) {
  file.at += "<!DOCTYPE".length;
  needSpace(file);
  file.name();
  const isApart = file.skip();
  if (isApart && externalId(file, false)) file.skip();
  if (file.starts("[")) {
    file.at++;
    while (!file.starts("]")) declaration(file);
    file.at++;
    file.skip();
  }
  if (!file.starts(">")) throw file.invalid(file.at < file.text.length ? INVALID : "no element found");
  file.at++;
}

function needSpace(file) {
  if (!file.skip()) throw file.invalid(INVALID);
}

function literal(file) {
  const mark = file.text[file.at];
  if (mark !== '"' && mark !== "'") throw file.invalid(INVALID);
  file.at++;
  return file.upTo(mark);
}

// SYSTEM "file" or PUBLIC "name" "file"; that of a notation may lack the file.
function externalId(file, isNotation) {
  EXTERNAL.lastIndex = file.at;
  const [kind] = EXTERNAL.exec(file.text) || [];
  if (!kind) return false;
  file.at += kind.length;
  needSpace(file);
  const text = literal(file);
  if (kind === "SYSTEM") return true;
  if (!PUBLIC.test(text)) throw file.invalid("illegal character(s) in public id");
  const isApart = file.skip();
  if (isNotation && file.starts(">")) return true;
  if (!isApart) throw file.invalid(INVALID);
  literal(file);
  return true;
}

function declaration(file) {
  file.skip();
  if (file.starts("]")) return;
  if (file.starts("<!\u002d-")) file.comment();
  else if (file.starts("<?")) file.instruction();
  else if (file.starts("%")) {
    file.at++;
    file.name();
    if (!file.starts(";")) throw file.invalid();
    file.at++; // what it stands for is not read
    file.isPartial = true;
  } else if (keyword(file, "<!ENTITY")) throw file.entity();
  else if (keyword(file, "<!ELEMENT")) elementType(file);
  else if (keyword(file, "<!ATTLIST")) attributeList(file);
  else if (keyword(file, "<!NOTATION")) {
    file.name();
    needSpace(file);
    if (!externalId(file, true)) throw file.invalid(INVALID);
    close(file);
  } else throw file.invalid(file.at < file.text.length ? INVALID : "no element found");
}

function keyword(file, text) {
  if (!file.starts(text)) return false;
  file.at += text.length;
  needSpace(file);
  return true;
}

function close(file) {
  file.skip();
  if (!file.starts(">")) throw file.invalid(INVALID);
  file.at++;
}

function elementType(file) {
  file.name();
  needSpace(file);
  if (file.starts("EMPTY")) file.at += 5;
  else if (file.starts("ANY")) file.at += 3;
  else contentModel(file);
  close(file);
}

// Names in brackets, with one kind of sign between those of one bracket.
function contentModel(file) {
  if (!file.starts("(")) throw file.invalid(INVALID);
  file.at++;
  file.skip();
  if (file.starts("#PCDATA")) return mixed(file);
  const signs = [""]; // of each bracket that is open
  let isDue = true; // a name or a bracket
  for (let i = 0; i < MOST; i++) {
    file.skip();
    const sign = file.text[file.at];
    if (isDue && sign === "(") {
      file.at++;
      signs.push("");
    } else if (isDue) {
      file.name();
      repetition(file);
      isDue = false;
    } else if (sign === ")") {
      file.at++;
      repetition(file);
      signs.pop();
      if (!signs.length) return;
    } else if ((sign === "," || sign === "|") && (!signs.at(-1) || signs.at(-1) === sign)) {
      file.at++;
      signs[signs.length - 1] = sign;
      isDue = true;
    } else throw file.invalid(INVALID);
  }
  throw file.invalid(INVALID);
}

function repetition(file) {
  if ("?*+".includes(file.text[file.at] || " ")) file.at++;
}

function mixed(file) {
  file.at += "#PCDATA".length;
  let hasNames = false;
  for (file.skip(); file.starts("|"); file.skip()) {
    file.at++;
    file.skip();
    file.name();
    hasNames = true;
  }
  if (!file.starts(")")) throw file.invalid(INVALID);
  file.at++;
  if (file.starts("*")) file.at++;
  else if (hasNames) throw file.invalid(INVALID);
}

function attributeList(file) {
  const element = file.name();
  if (!file.defaults.has(element)) file.defaults.set(element, new Map());
  const own = file.defaults.get(element);
  for (;;) {
    const isApart = file.skip();
    if (file.starts(">")) break;
    if (!isApart) throw file.invalid(INVALID);
    const name = file.name();
    needSpace(file);
    const isPlain = attributeType(file);
    needSpace(file);
    const value = defaultValue(file);
    if (!own.has(name)) own.set(name, { isPlain, value: value === null || isPlain ? value : tokens(value) });
  }
  file.at++;
}

// Whether its values are kept as they are: those of other types are words with one space between them.
function attributeType(file) {
  TYPES.lastIndex = file.at;
  const [type] = TYPES.exec(file.text) || [];
  if (type) {
    file.at += type.length;
    return type === "CDATA";
  }
  if (keywordHere(file, "NOTATION")) needSpace(file);
  if (!file.starts("(")) throw file.invalid(INVALID);
  do {
    file.at++;
    file.skip();
    TOKEN.lastIndex = file.at;
    const [token] = TOKEN.exec(file.text) || [];
    if (!token) throw file.invalid(INVALID);
    file.at += token.length;
    file.skip();
  } while (file.starts("|"));
  if (!file.starts(")")) throw file.invalid(INVALID);
  file.at++;
  return false;
}

function keywordHere(file, text) {
  if (!file.starts(text)) return false;
  file.at += text.length;
  return true;
}

function defaultValue(file) {
  if (keywordHere(file, "#REQUIRED") || keywordHere(file, "#IMPLIED")) return null;
  if (keywordHere(file, "#FIXED")) needSpace(file);
  return file.value();
}

export const tokens = (value) => value.split(" ").filter(Boolean).join(" ");
