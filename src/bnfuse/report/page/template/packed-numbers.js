// The numbers of a table as page_tables.py packs them.

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

export function unpacked(packed) {
  if (typeof packed === "string") return doubles(packed);
  if (Array.isArray(packed)) return Float64Array.from(packed);
  const { letters } = packed;
  const distinct = unpacked(packed.distinct);
  const digit = (i) => LETTERS.indexOf(letters[i]);
  return distinct.length <= LETTERS.length
    ? Float64Array.from(letters, (_, i) => distinct[digit(i)])
    : Float64Array.from({ length: letters.length / 2 }, (_, i) => distinct[LETTERS.length * digit(2 * i) + digit(2 * i + 1)]);
}

function doubles(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Float64Array.from({ length: bytes.length / 8 }, (_, i) => view.getFloat64(8 * i, true));
}
