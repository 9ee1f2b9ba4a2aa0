// Bytes as letters, four as five of 85, whose order is that of RFC 1924, but for a comma in the place of <.

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;,=>?@^_`{|}~";

// A text whose letters are the bytes.
export function fromBase85(text) {
  let bytes = "";
  for (let start = 0; start < text.length; start += 5) {
    let value = 0;
    for (let i = start; i < start + 5; i++) value = value * 85 + LETTERS.indexOf(text[i]);
    bytes += String.fromCharCode(value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);
  }
  return bytes;
}
