// The content of a file: unpacked if it is gzipped, and as text.
import { ReadingError } from "./reading-error.js";

export const MOST_BYTES = 64 * 2 ** 20; // the largest size of a file once unpacked: a small .gz can unpack to any size

const tooLarge = (path) => new ReadingError(path, `holds more than ${MOST_BYTES / 2 ** 20} MiB, which is more than this page reads; use the installed program`);
const isPacked = (bytes) => bytes[0] === 0x1f && bytes[1] === 0x8b;

export async function unpacked(bytes, path) {
  if (bytes.length > MOST_BYTES) throw tooLarge(path);
  if (!isPacked(bytes)) {
    if (/\.gz$/i.test(path) && bytes.length) throw new ReadingError(path, "is not gzipped, although its name ends in .gz");
    return bytes;
  }
  const plain = await inflated(bytes, path);
  if (isPacked(plain)) throw new ReadingError(path, "is gzipped twice; unpack it once");
  return plain;
}

async function inflated(bytes, path) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const chunks = [];
  let size = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.length;
      if (size > MOST_BYTES) break;
      chunks.push(part.value);
    }
  } catch {
    throw new ReadingError(path, "the gzipped content is damaged or ends too early");
  }
  if (size > MOST_BYTES) {
    await reader.cancel();
    throw tooLarge(path);
  }
  const plain = new Uint8Array(size);
  let place = 0;
  for (const chunk of chunks) {
    plain.set(chunk, place);
    place += chunk.length;
  }
  return plain;
}

const startsWith = (bytes, ...start) => start.every((byte, i) => bytes[i] === byte);
const latin = (bytes) => new TextDecoder("latin1").decode(bytes); // for ASCII alone

// Refuse content that cannot be the text of a network, before its format is identified.
export function checkText(bytes, path) {
  if (startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0xfe, 0xff)) throw new ReadingError(path, "is encoded in UTF-16; save it as UTF-8");
  if (startsWith(bytes, 0x50, 0x41, 0x52, 0x31)) {
    throw new ReadingError(path, `is a Parquet file, which holds data, not a network; learning from data needs the installed program: bnfuse bootstrap ${path}`);
  }
  const isNumpy = startsWith(bytes, 0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59);
  if (bytes.includes(0) && !isNumpy) throw new ReadingError(path, "is a binary file, not a network");
  if (!bytes.some((byte) => byte !== 32 && (byte < 9 || byte > 13))) throw new ReadingError(path, "is empty");
}

export const headOf = (bytes, most) => new TextDecoder().decode(bytes.subarray(0, most));

const ENCODING = /^<\?xml[^<>]*?encoding[ \t-\r]*=[ \t-\r]*["']([A-Za-z0-9._-]+)["']/;

export function decoded(bytes, path) {
  const declared = ENCODING.exec(latin(bytes.subarray(0, 1 << 16)));
  const encoding = declared ? declared[1].toLowerCase() : "utf-8";
  if (/^(?:utf-?8|(?:us-)?ascii)$/.test(encoding)) return fromUtf8(bytes, path);
  const part = /^iso-8859-([1-9]|1[03456])$/.exec(encoding)?.[1];
  const page = /^windows-125[0-8]$/.test(encoding);
  if (!part && !page) throw new ReadingError(path, `is encoded in ${encoding}; save it as UTF-8`);
  try {
    return part ? fromLatin(bytes, part) : fromWindows(bytes, encoding);
  } catch {
    throw new ReadingError(path, "is not valid UTF-8 text; save it as UTF-8");
  }
}

// Browsers read parts 1 and 9 as the pages of Windows, which have other characters in place of control characters.
function fromLatin(bytes, part) {
  const text = new TextDecoder(`iso-8859-${part}`, { fatal: true }).decode(bytes);
  if (part !== "1" && part !== "9") return text;
  return text.replace(/[^\x00-\x7f]/g, (one, place) => (bytes[place] < 0xa0 ? String.fromCharCode(bytes[place]) : one));
}

function fromWindows(bytes, encoding) {
  const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  if (/[\x80-\x9f]/.test(text)) throw new TypeError("bytes that stand for no character");
  return text;
}

function fromUtf8(bytes, path) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const place = firstInvalid(bytes);
    let [line, start] = [1, startsWith(bytes, 0xef, 0xbb, 0xbf) ? 3 : 0];
    for (let i = bytes.indexOf(10); i >= 0 && i < place; i = bytes.indexOf(10, i + 1)) [line, start] = [line + 1, i + 1];
    throw new ReadingError(path, "is not valid UTF-8 text; save it as UTF-8", line, place - start + 1);
  }
}

// Where the first character starts that is not UTF-8: found by halves.
function firstInvalid(bytes) {
  const isValid = (size) => {
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, size), { stream: true });
      return true;
    } catch {
      return false;
    }
  };
  let [good, bad] = [0, bytes.length + 1];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isValid(middle)) good = middle;
    else bad = middle;
  }
  let lead = good;
  while (lead > 0 && good - lead < 3 && (bytes[lead - 1] & 0xc0) === 0x80) lead--;
  const first = lead > 0 ? bytes[lead - 1] : 0;
  const needed = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 1;
  return needed > good - lead + 1 ? lead - 1 : good;
}
