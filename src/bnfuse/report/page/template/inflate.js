// Unpacks DEFLATE (RFC 1951). A browser can do it too, but only later: until then, a page would be shown, scrolled and
// printed without its script.

const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]; // in which lengths of lengths come
const LONGEST_CODE = 15;

// bytes: a text whose letters are the bytes. The bytes that they stand for.
export function inflated(bytes) {
  const bits = bitReader(bytes);
  const found = [];
  for (let isLast = 0; !isLast;) {
    isLast = bits.next(1);
    const kind = bits.next(2);
    if (kind === 0) copyStored(bits, found);
    else decode(bits, ...(kind === 1 ? fixedCodes() : dynamicCodes(bits)), found);
  }
  return Uint8Array.from(found);
}

// Numbers of some bits, the lowest first.
function bitReader(bytes) {
  let place = 0;
  return {
    next(count) {
      let value = 0;
      for (let i = 0; i < count; i++, place++) value |= ((bytes.charCodeAt(place >> 3) >> (place & 7)) & 1) << i;
      return value;
    },
    toNextByte() {
      place = (place + 7) & ~7;
    },
  };
}

function copyStored(bits, found) {
  bits.toNextByte();
  const length = bits.next(16);
  bits.next(16); // the same once more, inverted
  for (let i = 0; i < length; i++) found.push(bits.next(8));
}

// A canonical Huffman code by the lengths of its words: a function that reads a symbol.
function codeOf(lengths) {
  const counts = Array.from({ length: LONGEST_CODE + 1 }, (_, length) => lengths.filter((one) => one === length).length);
  const symbols = [...lengths.keys()].filter((one) => lengths[one]).sort((a, b) => lengths[a] - lengths[b] || a - b);
  return (bits) => {
    let [word, first, before] = [0, 0, 0]; // the first word of this length, and how many are shorter
    for (let length = 1; length <= LONGEST_CODE; length++) {
      word = 2 * word + bits.next(1);
      if (word - first < counts[length]) return symbols[before + word - first];
      before += counts[length];
      first = 2 * (first + counts[length]);
    }
    throw new Error("the page is damaged");
  };
}

const fixedCodes = () => [
  codeOf([...Array(144).fill(8), ...Array(112).fill(9), ...Array(24).fill(7), ...Array(8).fill(8)]),
  codeOf(Array(30).fill(5)),
];

function dynamicCodes(bits) {
  const [literals, distances, known] = [257 + bits.next(5), 1 + bits.next(5), 4 + bits.next(4)];
  const ofLengths = Array(ORDER.length).fill(0);
  for (const symbol of ORDER.slice(0, known)) ofLengths[symbol] = bits.next(3);
  const code = codeOf(ofLengths);
  const lengths = [];
  while (lengths.length < literals + distances) {
    const symbol = code(bits);
    if (symbol < 16) lengths.push(symbol);
    else if (symbol === 16) repeat(lengths, lengths[lengths.length - 1], 3 + bits.next(2));
    else repeat(lengths, 0, symbol === 17 ? 3 + bits.next(3) : 11 + bits.next(7));
  }
  return [codeOf(lengths.slice(0, literals)), codeOf(lengths.slice(literals))];
}

function repeat(list, value, times) {
  for (let i = 0; i < times; i++) list.push(value);
}

function decode(bits, literalCode, distanceCode, found) {
  for (let symbol = literalCode(bits); symbol !== 256; symbol = literalCode(bits)) {
    if (symbol < 256) {
      found.push(symbol);
      continue;
    }
    const length = symbol === 285 ? 258 : 3 + stepped(bits, symbol - 257, 2);
    const start = found.length - 1 - stepped(bits, distanceCode(bits), 1);
    for (let i = 0; i < length; i++) found.push(found[start + i]);
  }
}

// Lengths and distances have steps: of 2 ** digits at a time twice as large, and some more bits for what lies within.
function stepped(bits, place, digits) {
  const more = (place >> digits) - 1;
  return more < 1 ? place : (((place & (2 ** digits - 1)) + 2 ** digits) << more) + bits.next(more);
}
