// From random words to a uniformly random order, as in fairdeck's Python. Every number stays below 2^53.

export const WORD = 2 ** 32, LARGEST_BOUND = 2 ** 21;

export class GeneratorError extends Error {}

// After NIST SP 800-90B, 4.4: of 255 words, read in five calls, none comes five times, and each bit is set in 55 to 200.
// A good generator fails once in 2^62 tests; no deck is drawn again because of it.
export function testGenerator() {
  const words = Array.from({ length: 5 }, () => [...readWords(51)]).flat();
  /** @type {(is: (word: number) => any) => number} */
  const count = (is) => words.filter(is).length;
  const bits = Array.from({ length: 32 }, (_, bit) => count((word) => (word >>> bit) & 1));
  if (bits.some((set) => set < 55 || set > 200) || words.some((word) => count((other) => other === word) > 4)) throw new GeneratorError();
}

/** @type {(size: number) => Uint32Array} */
function readWords(size) {
  let read = new Uint32Array(0);
  try {
    read = crypto.getRandomValues(new Uint32Array(size));
  } catch {
    throw new GeneratorError();
  }
  // A stuck generator would be rejected forever; a good one repeats a word so once in 2^76 reads.
  if (read.filter((word) => word === read[0]).length > 4) throw new GeneratorError();
  return read;
}

// 8 words first, enough for 52 cards, then twice as many.
/** @type {() => Words} */
export function systemWords() {
  testGenerator();
  let size = 8, block = new Uint32Array(0), at = 0;
  return () => {
    if (at === block.length) {
      block = readWords(size);
      size = Math.min(2 * size, 16384);
      at = 0;
    }
    return block[at++];
  };
}

// Unbiased integers by rejection. The range of a uniform value is cut into equal parts: the part is the draw, the place
// within it is kept for the next one.
/** @type {(words: Words) => Below} */
export function integersFrom(words) {
  let value = 0, range = 1;
  return (bound) => {
    for (;;) {
      if (range < LARGEST_BOUND) {
        value = value * WORD + words();
        range *= WORD;
      }
      const part = Math.floor(range / bound), drawn = Math.floor(value / part);
      if (drawn < bound) {
        value -= drawn * part;
        range = part;
        return drawn;
      }
      value -= bound * part;
      range -= bound * part;
    }
  };
}

// Of a place in each part, an order of the special cards and one of the others, each admissible order comes in one way.
/** @type {(task: Task, below: Below) => number[]} */
export function orderFor({ cards, goal: { parts = [] } }, below) {
  let end = cards, taken = 0;
  const places = new Set(parts.map((size) => (end -= size) + below(size))), others = cards - parts.length;
  const special = uniformPermutation(parts.length, below), rest = uniformPermutation(others, below);
  return Array.from({ length: cards }, (_, place) => (places.has(place) ? others + special[taken++] : rest[place - taken]));
}

/** @type {(task: Task, below: Below) => number[]} */
export const coinsFor = (task, below) => Array.from({ length: task.turn ? task.cards : 0 }, () => below(2));

/** @type {(n: number, below: Below) => number[]} */
export function uniformPermutation(n, below) {
  const cards = Array.from({ length: n }, (_, i) => i);
  for (let last = n - 1; last > 0; last--) {
    const drawn = below(last + 1);
    [cards[last], cards[drawn]] = [cards[drawn], cards[last]];
  }
  return cards;
}
