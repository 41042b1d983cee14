// The rank of an order among all of its length, in dictionary order from 0, and its factorial digits (the Lehmer code).
// As fairdeck.permutation: an order lists the cards bottom first. Ranks are BigInts: 52! has 68 digits.

// For each place, how many later cards are smaller.
/** @type {(order: number[]) => number[]} */
export const lehmerCode = (order) => order.map((card, place) => order.slice(place + 1).filter((later) => later < card).length);

/** @type {(code: number[]) => number[]} */
export function fromLehmerCode(code) {
  const left = code.map((_, card) => card);
  return code.map((digit) => left.splice(digit, 1)[0]);
}

/** @type {(code: number[]) => bigint} */
export const rankOfCode = (code) => code.reduce((rank, digit, place) => rank * BigInt(code.length - place) + BigInt(digit), 0n);
/** @type {(order: number[]) => bigint} */
export const rankOf = (order) => rankOfCode(lehmerCode(order));

/** @type {(rank: bigint, n: number) => number[]} */
export function codeOfRank(rank, n) {
  const code = Array(n).fill(0);
  for (let radix = 1; radix <= n; radix++) {
    code[n - radix] = Number(rank % BigInt(radix));
    rank /= BigInt(radix);
  }
  return code;
}

/** @type {(rank: bigint, n: number) => number[]} */
export const unrank = (rank, n) => fromLehmerCode(codeOfRank(rank, n));
