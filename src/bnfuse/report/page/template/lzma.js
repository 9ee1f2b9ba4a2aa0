// Unpacks LZMA without its usual headers: the kernel and the scripts are 13 to 18 % smaller than with DEFLATE.
// compact.py packs them.

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;,=>?@^_`{|}~"; // of base 85
const CONTEXT = 3; // so many upper bits of the last byte choose how the next is coded
const HALF = 1024; // a probability, of 2048

// text: five digits for every four bytes. The first four bytes are the length of what they stand for.
export function unpackedBytes(text) {
  const bytes = bytesOf(text);
  const found = new Uint8Array(new DataView(bytes.buffer).getUint32(0));
  decode(rangeDecoder(bytes, 4), found);
  return found;
}

function bytesOf(text) {
  const values = new Uint8Array(128);
  for (let i = 0; i < DIGITS.length; i++) values[DIGITS.charCodeAt(i)] = i;
  const view = new DataView(new ArrayBuffer((text.length / 5) * 4));
  for (let i = 0, at = 0; i < text.length; at += 4) {
    let number = 0;
    for (let end = i + 5; i < end; i++) number = 85 * number + values[text.charCodeAt(i)];
    view.setUint32(at, number);
  }
  return new Uint8Array(view.buffer);
}

const probabilities = (count) => new Uint16Array(count).fill(HALF);

// Bits, each by a probability that it then changes; those of equal chance; and whole numbers, bit by bit along a tree.
function rangeDecoder(bytes, start) {
  let place = start + 1; // the first byte is 0
  let [range, code] = [0xffffffff, 0];
  const next = () => {
    code = ((code << 8) | bytes[place++]) >>> 0;
  };
  for (let i = 0; i < 4; i++) next();
  const refill = () => {
    if (range >= 0x1000000) return;
    range = (range << 8) >>> 0;
    next();
  };
  const bit = (chances, i) => {
    const bound = (range >>> 11) * chances[i];
    const isOne = code >= bound;
    if (isOne) {
      range -= bound;
      code -= bound;
      chances[i] -= chances[i] >> 5;
    } else {
      range = bound;
      chances[i] += (2048 - chances[i]) >> 5;
    }
    refill();
    return Number(isOne);
  };
  return {
    bit,
    even(count) {
      let value = 0;
      for (; count; count--) {
        range >>>= 1;
        const isOne = code >= range;
        if (isOne) code -= range;
        value = 2 * value + Number(isOne);
        refill();
      }
      return value;
    },
    number(chances, bits, from = 0) {
      let node = 1;
      for (let i = 0; i < bits; i++) node = 2 * node + bit(chances, from + node);
      return node - 2 ** bits;
    },
    lowestFirst(chances, bits, from = 0) {
      let [node, value] = [1, 0];
      for (let i = 0; i < bits; i++) {
        const one = bit(chances, from + node);
        node = 2 * node + one;
        value += one * 2 ** i;
      }
      return value;
    },
  };
}

function lengthDecoder(coder) {
  const [choices, short, middle, long] = [2, 8, 8, 256].map(probabilities);
  return () => {
    if (!coder.bit(choices, 0)) return 2 + coder.number(short, 3);
    return coder.bit(choices, 1) ? 18 + coder.number(long, 8) : 10 + coder.number(middle, 3);
  };
}

function distanceDecoder(coder) {
  const slots = Array.from({ length: 4 }, () => probabilities(64));
  const [near, lowest] = [115, 16].map(probabilities);
  return (length) => {
    const slot = coder.number(slots[Math.min(length, 5) - 2], 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const start = (2 + (slot & 1)) * 2 ** bits;
    if (slot < 14) return start + coder.lowestFirst(near, bits, start - slot);
    return start + 16 * coder.even(bits - 4) + coder.lowestFirst(lowest, 4);
  };
}

// The state tells what the last few steps were: 0 to 6 end with a literal.
function decode(coder, found) {
  const [isCopy, isAgain, isOlder, isThird, isFourth, isLonger] = Array.from({ length: 6 }, () => probabilities(12));
  const literals = probabilities(0x300 << CONTEXT);
  const [length, lengthAgain, distance] = [lengthDecoder(coder), lengthDecoder(coder), distanceDecoder(coder)];
  const last = [0, 0, 0, 0]; // distances, less 1
  let state = 0;
  for (let place = 0; place < found.length;) {
    if (!coder.bit(isCopy, state)) {
      const there = state < 7 ? null : found[place - last[0] - 1];
      found[place] = literal(coder, literals, place ? found[place - 1] : 0, there);
      place++;
      state = state < 4 ? 0 : state - (state < 10 ? 3 : 6);
      continue;
    }
    let count = 1;
    if (!coder.bit(isAgain, state)) {
      count = length();
      last.unshift(distance(count));
      last.pop();
      state = state < 7 ? 7 : 10;
    } else {
      let older = 0;
      if (coder.bit(isOlder, state)) older = coder.bit(isThird, state) ? 2 + coder.bit(isFourth, state) : 1;
      const isShort = !older && !coder.bit(isLonger, state);
      last.unshift(...last.splice(older, 1));
      if (!isShort) count = lengthAgain();
      state = (state < 7 ? 8 : 11) + Number(isShort && state < 7);
    }
    for (const end = Math.min(place + count, found.length); place < end; place++) found[place] = found[place - last[0] - 1];
  }
}

// there: the byte at the last distance, after a copy: as long as the bits are those of that byte, it chooses how they are coded.
function literal(coder, chances, before, there) {
  const from = 0x300 * (before >> (8 - CONTEXT));
  let node = 1;
  for (let bit = 7; there !== null && bit >= 0; bit--) {
    const expected = (there >> bit) & 1;
    const one = coder.bit(chances, from + ((1 + expected) << 8) + node);
    node = 2 * node + one;
    if (one !== expected) break;
  }
  while (node < 256) node = 2 * node + coder.bit(chances, from + node);
  return node - 256;
}
