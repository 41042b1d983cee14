// A generator of 32 bits, and the search for its seed. Source: Tommy Ettinger's mulberry32, 2017; widely copied.

const GOLDEN = 0x6d2b79f5;

// The draw number `time` below `bound`, scaled as programs commonly do.
/** @type {(seed: number, time: number, bound: number) => number} */
function seededDraw(seed, time, bound) {
  const state = (seed + Math.imul(GOLDEN, time + 1)) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
  return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) * bound) / 4294967296);
}

// The right loop with this generator.
/** @type {(seed: number, n: number) => number[]} */
export function seededDeck(seed, n) {
  const deck = Array.from({ length: n }, (_, card) => card);
  for (let last = n - 1; last > 0; last--) {
    const drawn = seededDraw(seed, n - 1 - last, last + 1);
    [deck[last], deck[drawn]] = [deck[drawn], deck[last]];
  }
  return deck;
}

/** @type {(seed: number, n: number, seen: number) => number[]} */
export const cardsOnTop = (seed, n, seen) => seededDeck(seed, n).reverse().slice(0, seen);

// The first seed from `from` to before `to` whose deck has these cards on top, top first; -1 if none has. The first two
// draws are the two top cards, unless both draw the same place; so few seeds need the whole deck.
/** @type {(top: number[], n: number, from: number, to: number) => number} */
export function foundSeed(top, n, from, to) {
  const second = top[1] === n - 1 ? top[0] : top[1];
  for (let seed = from; seed < to; seed++) {
    if (seededDraw(seed, 0, n) === top[0] && seededDraw(seed, 1, n - 1) === second && cardsOnTop(seed, n, top.length).join() === top.join()) return seed;
  }
  return -1;
}
