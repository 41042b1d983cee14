// Small decks, dealt as the dealing page deals; how even their counts are.

import { dealOf } from "../../page/scripts/dealing.js";
import { sum, wholeDeck } from "../../page/scripts/planner.js";
import { integersFrom, uniformPermutation } from "../../page/scripts/randomness.js";
import { stepAt } from "../../page/scripts/stages.js";
import { tableAfter } from "../scripts/table.js";

export const ORDERS = 24, TOO_UNEVEN = 1e-6;

/** @type {(cards: number, mat: Mat, words: Words) => number[]} */
export function dealtOrder(cards, mat, words) {
  const task = { cards, mat, goal: wholeDeck(), dealers: 1, leastPasses: 1, classic: false, bottom: "pass" };
  const deal = dealOf(task, uniformPermutation(cards, integersFrom(words)));
  let end = 0;
  while (stepAt(deal, end).kind !== "done") end++;
  const { deck } = tableAfter(deal, end + 1);
  if (deck.join() !== deal.order.join()) throw new Error("the deal does not reach its order");
  return deck;
}

// How often chance gives counts at least as uneven: Pearson's chi-square, by the series of the incomplete gamma function
// (Abramowitz and Stegun 6.5.29).
/** @type {(counts: number[]) => number} */
export function chanceOfCounts(counts) {
  const expected = sum(counts) / counts.length, half = (counts.length - 1) / 2;
  const x = sum(counts.map((count) => (count - expected) ** 2 / expected)) / 2;
  // Below 1e-100; the series would start at 0.
  if (x > 300) return 0;
  let gamma = half % 1 ? Math.sqrt(Math.PI) : 1;
  for (let factor = half % 1 || 1; factor <= half; factor++) gamma *= factor;
  let term = (x ** half * Math.exp(-x)) / gamma, below = 0;
  for (let n = 1; n < 1000; n++) {
    below += term;
    term *= x / (half + n);
  }
  return Math.max(0, 1 - below);
}
