// Random numbers for simulations: fast, and the same again from the same seed. Not for a deck that somebody plays with.

const RANGE = 4294967296, PART = 1 / RANGE;

// Xoshiro128** (Blackman and Vigna, ACM Trans. Math. Softw. 47, 2021); Lemire's rejection (ACM Trans. Model. Comput.
// Simul. 29, 2019) takes integers from its words without bias.
/** @type {(seed: number) => Draws} */
export function seededDraws(seed) {
  const next = mixer(seed), state = Int32Array.of(next(), next(), next(), next() | 1);
  // Numbers in an array of 32 bits: as variables of this function they would each be an object, six times as slow.
  function word() {
    const b = state[1], d = state[3] ^ b, times5 = Math.imul(b, 5), c = state[2] ^ state[0];
    state[1] = b ^ c;
    state[0] ^= d;
    state[2] = c ^ (b << 9);
    state[3] = (d << 11) | (d >>> 21);
    return Math.imul((times5 << 7) | (times5 >>> 25), 9) >>> 0;
  }
  // The high half of a word times the bound is the answer; the low half decides whether the word is rejected.
  /** @type {(bound: number) => number} */
  function below(bound) {
    let drawn = word(), low = Math.imul(drawn, bound) >>> 0;
    if (low < bound) {
      for (const least = RANGE % bound; low < least; low = Math.imul(drawn, bound) >>> 0) drawn = word();
    }
    return (drawn * bound * PART) | 0;
  }
  return { below, real: () => ((word() >>> 5) * 67108864 + (word() >>> 6)) / 9007199254740992 };
}

// SplitMix32: every seed gives an unrelated start.
/** @type {(seed: number) => () => number} */
function mixer(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return mixed ^ (mixed >>> 15);
  };
}
