// Rising sequences: how many a deck has, and the exact law of their number after riffles, as `fairdeck.shuffles.riffle` has it.
// Bayer and Diaconis, "Trailing the dovetail shuffle to its lair", Ann. Appl. Probab. 2 (1992).

import { factorial, quotient } from "./whole_numbers.js";

// Of cards 0, 1, ... in a deck, all listed from the top or all from the bottom.
/** @type {(deck: ArrayLike<number>) => number} */
export function risingSequences(deck) {
  const place = Array(deck.length).fill(0);
  for (let i = 0; i < deck.length; i++) place[deck[i]] = i;
  return 1 + place.filter((at, card) => card > 0 && at < place[card - 1]).length;
}

// How many orders of n cards have 1, 2, ... rising sequences.
/** @type {(n: number) => bigint[]} */
export function ordersByRising(n) {
  let row = [1n];
  for (let size = 2; size <= n; size++) {
    const before = row;
    row = Array.from({ length: size }, (_, r) => BigInt(r + 1) * (before[r] || 0n) + BigInt(size - r) * (before[r - 1] || 0n));
  }
  return row;
}

// The chances of 1, 2, ... rising sequences of a sorted deck that is riffled `riffles` times.
/** @type {(n: number, riffles: number) => number[]} */
export function risingLaw(n, riffles) {
  const packets = 2n ** BigInt(riffles), all = packets ** BigInt(n);
  return ordersByRising(n).map((orders, i) => quotient(orders * waysToChoose(packets + BigInt(n - i - 1), n), all));
}

/** @type {(n: number) => number[]} */
export function fairRisingLaw(n) {
  const all = factorial(n);
  return ordersByRising(n).map((orders) => quotient(orders, all));
}

/** @type {(from: bigint, many: number) => bigint} */
export function waysToChoose(from, many) {
  if (from < BigInt(many)) return 0n;
  let ways = 1n;
  for (let i = 0n; i < many; i++) ways = (ways * (from - i)) / (i + 1n);
  return ways;
}
