// What counts say of a shuffle: four of the tests of fairdeck's lab, with the same laws, and a verdict on all together.

import { binChances } from "./counts.js";
import { betaBelow, chiSquareTail, gammaTail } from "./laws.js";

// Below the first a shuffle is called unfair, below the second more decks are asked for.
export const UNFAIR = 1e-6, DOUBTFUL = 0.001;
const ALL_TESTS = 4, OFTEN_FOUND = 0.99, LEAST_IN_A_BIN = 10, TWO_SIDED = 20, LEAST_TOGETHER = 100;
const NEAR_THE_MEAN = 0.01, STEPS = 100, FAR = 600, HALVINGS = 60;

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

// The likelihood ratio with Williams' correction; null if there are too few decks for its law.
/** @type {(counts: { decks: number, bins: Int32Array | number[] }, chances?: number[]) => number | null} */
export function binsTest({ decks, bins }, chances = Array(bins.length).fill(1 / bins.length)) {
  if (bins.length < 2 || decks * Math.min(...chances) < LEAST_IN_A_BIN) return null;
  let ratio = 0, parts = 0;
  chances.forEach((chance, bin) => {
    if (bins[bin]) ratio += 2 * bins[bin] * Math.log(bins[bin] / decks / chance);
    parts += 1 / chance;
  });
  const degrees = bins.length - 1;
  return chiSquareTail(Math.max(0, ratio) / (1 + (parts - 1) / (6 * decks * degrees)), degrees);
}

/** @type {(count: number, decks: number, chance: number) => number} */
const atLeast = (count, decks, chance) => (count ? betaBelow(chance, count, decks - count + 1) : 1);
/** @type {(count: number, decks: number, chance: number) => number} */
const atMost = (count, decks, chance) => (count < decks ? betaBelow(1 - chance, decks - count, count + 1) : 1);

// The oddest of all cards at all places, `cell` = place * cards + card, corrected for their number.
/** @type {(counts: Counts, cards: number) => { p: number, cell: number }} */
export function cellTest({ decks, places }, cards) {
  let least = 0, most = 0;
  places.forEach((count, cell) => {
    if (count < places[least]) least = cell;
    if (count > places[most]) most = cell;
  });
  const low = atMost(places[least], decks, 1 / cards), high = atLeast(places[most], decks, 1 / cards);
  return { p: Math.min(1, 2 * cards * cards * Math.min(low, high)), cell: low < high ? least : most };
}

// The counts of one deck depend on each other, so the sum of squares has its law with (n - 1)^2 degrees of freedom after
// division by N / (n - 1); see `fairdeck.lab.statistics.positions`. What is too even is odd as well.
/** @type {(counts: Counts, cards: number) => number | null} */
export function placesTest({ decks, places }, cards) {
  if (decks < (cards < 20 ? 20 : 3) * cards) return null;
  let squares = 0;
  for (const count of places) squares += (count - decks / cards) ** 2;
  const above = chiSquareTail(((cards - 1) / decks) * squares, (cards - 1) ** 2);
  return (cards - 1) ** 2 < TWO_SIDED ? above : Math.min(1, 2 * Math.min(above, 1 - above));
}

// The mean of the decks' rising sequences, by the formula of Lugannani and Rice: `fairdeck.lab.laws.scalar.mean_shift`,
// which adds the law of few decks up where this is within 2 %.
/** @type {(counts: Counts, cards: number) => number | null} */
export function sequencesTest({ decks, sequences }, cards) {
  if (decks < LEAST_TOGETHER) return null;
  /** @type {number[]} */
  let law = [];
  for (let n = 1; n <= cards; n++) law = Array.from({ length: n }, (_, r) => (n > 1 ? ((r + 1) * (law[r] || 0) + (n - r) * (law[r - 1] || 0)) / n : 1));
  const turned = decks * (cards + 1) - sequences;
  return Math.min(1, 2 * Math.min(sumAtLeast(law, decks, sequences), sumAtLeast(law, decks, turned)));
}

// The chance that `decks` values of 1, 2, ... with this symmetric law add up to `sum` at least.
/** @type {(law: number[], decks: number, sum: number) => number} */
function sumAtLeast(law, decks, sum) {
  const n = law.length, mean = (n + 1) / 2, edge = (sum - 0.5) / decks;
  if (sum <= decks) return 1;
  if (sum === n * decks) return law[n - 1] ** decks;
  /** @type {(theta: number) => { at: number, spread: number }} */
  const tilted = (theta) => {
    const parts = law.map((chance, i) => chance * Math.exp(theta * (i + 1 - mean))), all = parts.reduce((a, b) => a + b);
    const at = parts.reduce((found, part, i) => found + part * (i + 1), 0) / all;
    return { at, spread: parts.reduce((found, part, i) => found + part * (i + 1 - at) ** 2, 0) / all };
  };
  const scale = Math.sqrt(12 / (n + 1));
  let low = -scale, high = scale;
  while (low * n > -FAR && tilted(low).at > edge) low *= 2;
  while (high * n < FAR && tilted(high).at < edge) high *= 2;
  let theta = (edge - mean) * scale ** 2;
  for (let step = 0; step < STEPS; step++) {
    if (!(theta > low && theta < high)) theta = (low + high) / 2;
    const { at, spread } = tilted(theta);
    if (Math.abs(at - edge) <= 1e-12 * edge) break;
    if (at < edge) low = theta;
    else high = theta;
    theta += (edge - at) / spread;
  }
  // Measured from the mean: of millions of decks, little is left of the difference of two logarithms.
  const raised = law.reduce((found, chance, i) => found + chance * Math.expm1(theta * (i + 1 - mean)), 0);
  const off = Math.max(0, 2 * decks * (theta * (edge - mean) - Math.log1p(raised))), w = Math.sign(theta) * Math.sqrt(off);
  const u = 2 * Math.sinh(theta / 2) * Math.sqrt(decks * tilted(theta).spread), beyond = gammaTail(0.5, off / 2) / 2, above = w < 0 ? 1 - beyond : beyond;
  return Math.abs(w) < NEAR_THE_MEAN ? above : Math.max(0, Math.min(1, above + (Math.exp(-off / 2) / Math.sqrt(2 * Math.PI)) * (1 / u - 1 / w)));
}

// All tests, the plainest first, and the p-value of the oddest: the least times their number (Bonferroni).
/** @type {(counts: Counts, cards: number) => Evidence} */
export function allTests(counts, cards) {
  const { p, cell } = cellTest(counts, cards), places = placesTest(counts, cards);
  const bins = binsTest(counts, binChances(cards, counts.bins.length)), tests = { cell: p, places, bins, sequences: sequencesTest(counts, cards) };
  const found = Object.values(tests).flatMap((each) => (each === null ? [] : [each])), least = Math.min(...found);
  const keys = /** @type {(keyof typeof tests)[]} */ (Object.keys(tests));
  const shown = keys.find((key) => (tests[key] ?? 1) * found.length < UNFAIR) || keys.find((key) => tests[key] === least) || "cell";
  return { tests, cell, shown, enough: places !== null, p: Math.min(1, found.length * least) };
}

// The least share of decks with one card at one place that the test of all cells finds 99 times in 100; fair is 1 / cards.
/** @type {(decks: number, cards: number) => number} */
export function leastFound(decks, cards) {
  /** @type {(low: number, high: number, good: (value: number) => boolean) => number} */
  const first = (low, high, good) => {
    for (let i = 0; i < HALVINGS; i++) {
      const middle = (low + high) / 2;
      if (good(middle)) high = middle;
      else low = middle;
    }
    return high;
  };
  const many = Math.ceil(first(decks / cards, decks, (count) => 2 * ALL_TESTS * cards * cards * atLeast(Math.ceil(count), decks, 1 / cards) < UNFAIR));
  return first(1 / cards, 1, (share) => atLeast(many, decks, share) >= OFTEN_FOUND);
}
