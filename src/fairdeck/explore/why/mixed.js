// Decks of 52 cards, mixed in ways that the front page shows; each is a list, the bottom card first.

import { placesRiffled } from "../scripts/riffling.js";
import { cardsOf } from "../scripts/small_decks.js";

export const CARDS = 52;
const TRIES = 9, PILES = 6;

export const sorted = () => cardsOf(CARDS);

/** @type {(deck: number[], draws: Draws) => number[]} */
export const riffled = (deck, draws) => placesRiffled(deck.length, draws).places.map((place) => deck[place]);

// Dealt from the top onto piles; then the piles are stacked, the first at the bottom.
/** @type {(deck: number[], piles: number, pileOf: (card: number) => number) => number[]} */
export function dealt(deck, piles, pileOf) {
  const made = Array.from({ length: piles }, () => /** @type {number[]} */ ([]));
  for (const card of [...deck].reverse()) made[pileOf(card)].push(card);
  return made.flat();
}

// The pile of a card of the sorted deck that is dealt in turn.
/** @type {(piles: number) => (card: number) => number} */
export const inTurn = (piles) => (card) => (CARDS - 1 - card) % piles;

// Two deals of the sorted deck onto six piles end in this order: the runs of the order are numbered, the first deal goes by the
// last digit of a card's run, the second by the first one. Null if the order has more runs than two deals can sort.
/** @type {(order: number[]) => { once: number[], twice: number[], runs: number }} */
export function dealtOnce(order) {
  const run = Array(order.length).fill(0);
  let runs = 1;
  order.forEach((card, i) => {
    if (i && card < order[i - 1]) runs++;
    run[card] = runs - 1;
  });
  const piles = Math.max(PILES, Math.ceil(Math.sqrt(runs)));
  const once = dealt(sorted(), piles, (card) => piles - 1 - (run[card] % piles));
  return { once, twice: dealt(once, piles, (card) => Math.floor(run[card] / piles)), runs };
}

// Each card lies as far from those above it as the best of nine tries: random, but without a clump or a gap.
/** @type {(draws: Draws) => number[]} */
export function spreadEvenly(draws) {
  const left = sorted(), deck = /** @type {number[]} */ ([]);
  const far = (/** @type {number} */ card) => Math.min(CARDS, ...deck.map((other, i) => Math.hypot(card - other, i - deck.length)));
  while (left.length) {
    const tries = Array.from({ length: TRIES }, () => draws.below(left.length));
    deck.push(...left.splice(tries.reduce((best, at) => (far(left[at]) > far(left[best]) ? at : best)), 1));
  }
  return deck;
}
