// What counts say of a shuffle: three tests, and a verdict on all of them together.

import { chiSquareTail, gammaTail, normalTails } from "./laws.js";

// Below the first a shuffle is called unfair, below the second doubtful.
export const UNFAIR = 1e-6, DOUBTFUL = 0.001;
const LEAST_IN_A_BIN = 5, LEAST_AT_A_PLACE = 20;

// How far from the fair count chance takes a bin: beyond it lies a bin in one histogram of a hundred at most. Few decks in a bin
// follow Poisson's law, which is steeper below than above, so the upper end serves for both.
const OUTSIDE = 0.01;
/** @type {(each: number, bins: number) => number} */
export function chanceBand(each, bins) {
  let low = Math.floor(each), high = Math.ceil(each + 10 * Math.sqrt(each) + 20);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (1 - gammaTail(middle + 1, each) > OUTSIDE / 2 / bins) low = middle;
    else high = middle;
  }
  return high - each;
}

// Pearson's chi-square of bins that should be equal; null if there are too few decks for its law.
/** @type {(counts: { decks: number, bins: Int32Array | number[] }) => number | null} */
export function binsTest({ decks, bins }) {
  const each = decks / bins.length;
  if (each < LEAST_IN_A_BIN || bins.length < 2) return null;
  let statistic = 0;
  for (const count of bins) statistic += (count - each) ** 2 / each;
  return chiSquareTail(statistic, bins.length - 1);
}

// The counts of one deck depend on each other, so the sum of squares has its law with (n - 1)^2 degrees of freedom after
// division by N / (n - 1); see `fairdeck.lab.statistics.positions`.
/** @type {(counts: Counts, cards: number) => number | null} */
export function placesTest({ decks, places }, cards) {
  if (decks < LEAST_AT_A_PLACE * cards) return null;
  let squares = 0;
  for (const count of places) squares += (count - decks / cards) ** 2;
  return chiSquareTail(((cards - 1) / decks) * squares, (cards - 1) ** 2);
}

// A fair deck has (n + 1) / 2 rising sequences on average, with variance (n + 1) / 12.
/** @type {(counts: Counts, cards: number) => number | null} */
export function sequencesTest({ decks, sequences }, cards) {
  if (decks < 100) return null;
  return normalTails((sequences - (decks * (cards + 1)) / 2) / Math.sqrt((decks * (cards + 1)) / 12));
}

// The least p-value times the number of tests (Bonferroni); null if no test has decks enough.
/** @type {(counts: Counts, cards: number) => number | null} */
export function allTests(counts, cards) {
  const found = [binsTest(counts), placesTest(counts, cards), sequencesTest(counts, cards)].flatMap((p) => (p === null ? [] : [p]));
  return found.length ? Math.min(1, found.length * Math.min(...found)) : null;
}
