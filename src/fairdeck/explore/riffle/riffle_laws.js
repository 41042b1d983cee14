// How far riffles leave a deck from fair: exact laws, counted in whole numbers as `fairdeck.shuffles` counts them.
// Bayer and Diaconis, Ann. Appl. Probab. 2 (1992); for repeated cards Assaf, Diaconis and Soundararajan, Ann. Appl. Probab. 21
// (2011). Riffles in a row are one riffle of as many packets as all of them together: k of them of 2^k.

import { ordersByRising, waysToChoose } from "../scripts/rising.js";
import { factorial, quotient } from "../scripts/whole_numbers.js";

// The total variation of the whole order of n cards after one riffle of `packets` packets.
/** @type {(n: number, packets: bigint) => number} */
export function orderVariation(n, packets) {
  const all = factorial(n), ways = packets ** BigInt(n);
  let likely = 0n, counted = 0n, each = waysToChoose(packets + BigInt(n) - 1n, n), rising = 0n;
  for (const orders of ordersByRising(n)) {
    if (each * all <= ways) break;
    likely += orders * each;
    counted += orders;
    rising++;
    each = (each * (packets - rising)) / (packets - rising + BigInt(n));
  }
  return quotient(likely * all - counted * ways, ways * all);
}

// The separation of the pattern of kinds, each lying together at the start; the total variation is never above it.
/** @type {(counts: number[], packets: bigint) => number} */
export function kindsSeparation(counts, packets) {
  let n = 0, numerators = [1n], patterns = 1n, ways = 0n;
  for (const count of counts) {
    const product = Array(numerators.length + count - 1).fill(0n);
    ordersByRising(count).forEach((factor, i) => numerators.forEach((value, j) => { product[i + j] += factor * value; }));
    numerators = product;
    n += count;
    patterns *= waysToChoose(BigInt(n), count);
  }
  numerators.forEach((orders, falls) => {
    const left = packets - BigInt(counts.length + falls);
    if (left >= 0n) ways += orders * waysToChoose(left + BigInt(n), n);
  });
  const all = packets ** BigInt(n);
  return quotient(all - patterns * ways, all);
}

// The chance of a pattern of two kinds over that on a fair deck is a sum: over the places of the kind that lay below, of the
// entry of this table in the row of lower cards beneath the place and the column of upper ones.
/** @type {(lower: number, upper: number, packets: number) => number[][]} */
export function likelihoods(lower, upper, packets) {
  const scale = quotient(waysToChoose(BigInt(lower + upper), lower), BigInt(packets));
  const table = Array.from({ length: lower }, () => Array(upper + 1).fill(0));
  for (let c = 1; c <= packets; c++) {
    const up = c / packets, under = (c - 1) / packets, over = (packets - c) / packets, down = (packets - c + 1) / packets;
    const column = table[0].map((_, b) => scale * over ** b * down ** (upper - b));
    table.forEach((row, r) => {
      const chance = up ** r * under ** (lower - 1 - r);
      for (let b = 0; b <= upper; b++) row[b] += chance * column[b];
    });
  }
  return table;
}

export const CELLS = 8192;

// The total variation of the pattern of two kinds, one below the other at the start: the shortfalls of all patterns.
// There are too many to go through. The sums of each place of a path are kept in cells; each step rounds by half a cell at most, so the
// answer is right to within `lower / (2 * CELLS)`. Sums of 1 or more have no shortfall and are dropped.
/** @type {(lower: number, upper: number, packets: number) => number} */
export function twoKindsVariation(lower, upper, packets) {
  const table = likelihoods(lower, upper, packets), n = lower + upper;
  let row = Array.from({ length: upper + 1 }, () => new Float64Array(0));
  for (let r = 0; r <= lower; r++) {
    const next = [];
    for (let b = 0; b <= upper; b++) {
      const cells = new Float64Array(CELLS);
      if (r === 0 && b === 0) cells[0] = 1;
      if (r) addMoved(cells, row[b], Math.round(table[r - 1][b] * CELLS), (lower - r + 1) / (n - r + 1 - b));
      if (b) addMoved(cells, next[b - 1], 0, (upper - b + 1) / (n - r - b + 1));
      next.push(trimmed(cells));
    }
    row = next;
  }
  return row[upper].reduce((all, chance, cell) => all + chance * (1 - cell / CELLS), 0);
}

/** @type {(cells: Float64Array, from: Float64Array, by: number, chance: number) => void} */
function addMoved(cells, from, by, chance) {
  for (let cell = Math.min(from.length, CELLS - by) - 1; cell >= 0; cell--) cells[cell + by] += from[cell] * chance;
}

/** @type {(cells: Float64Array) => Float64Array} */
function trimmed(cells) {
  let used = cells.length;
  while (used && !cells[used - 1]) used--;
  return cells.subarray(0, used);
}
