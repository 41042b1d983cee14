// How far from fair decks are at least: a simulation finds events that come too often, and counts them on other decks.

import { ordersByRising, waysToChoose } from "../scripts/rising.js";
import { factorial, quotient } from "../scripts/whole_numbers.js";

// In one simulation of `SURE` some bound does not hold.
const SURE = 1000;

// What is counted of a deck: its rising sequences, the neighbours that are still together, the places of the first and the
// last card, and the cards of the upper half that are still there. Each has an exact law on fair decks: entry v is the chance of v.
/** @type {(n: number) => number[][]} */
export function fairLaws(n) {
  const all = factorial(n), moved = [1n, 0n], place = Array(n).fill(1 / n);
  for (let size = 2; size <= n; size++) moved.push(BigInt(size - 1) * (moved[size - 1] + moved[size - 2]));
  let ways = 1n;
  const together = Array.from({ length: n }, (_, kept) => {
    const orders = ways * (moved[n - kept] + moved[n - kept - 1]);
    ways = (ways * BigInt(n - 1 - kept)) / BigInt(kept + 1);
    return quotient(orders, all);
  });
  const upper = n - Math.floor(n / 2), halves = waysToChoose(BigInt(n), upper);
  const stayed = Array.from({ length: upper + 1 }, (_, kept) => quotient(waysToChoose(BigInt(upper), kept) * waysToChoose(BigInt(n - upper), upper - kept), halves));
  return [[0, ...ordersByRising(n).map((orders) => quotient(orders, all))], together, place, place, stayed];
}

/** @type {(deck: ArrayLike<number>) => number[]} */
export function countsOfDeck(deck) {
  const n = deck.length, half = Math.floor(n / 2), where = new Int32Array(n);
  let sequences = 1, together = 0, stayed = 0;
  for (let place = 0; place < n; place++) {
    where[deck[place]] = place;
    if (place && deck[place] === deck[place - 1] + 1) together++;
    if (place >= half && deck[place] >= half) stayed++;
  }
  for (let card = 1; card < n; card++) if (where[card] < where[card - 1]) sequences++;
  return [sequences, together, where[0], where[n - 1], stayed];
}

// The least chance with which a share like this is not too rare (Chernoff and Hoeffding), by halving.
/** @type {(share: number, decks: number, rounds: number) => number} */
export function leastChance(share, decks, rounds) {
  const limit = Math.log(SURE * rounds) / decks;
  let low = 0, high = share;
  for (let halving = 0; halving < 40; halving++) {
    const p = (low + high) / 2, left = share < 1 ? (1 - share) * Math.log((1 - share) / (1 - p)) : 0;
    if (share * Math.log(share / p) + left > limit) low = p;
    else high = p;
  }
  return low;
}

// After 0, 1, ... shuffles. No shuffle takes a deck further from fair, so a later bound holds for the earlier ones too.
// Yields while it counts.
/** @type {(n: number, rounds: number, decks: number, shuffle: (deck: any, draws: Draws) => void, draws: Draws) => Generator<undefined, number[]>} */
export function* lowerBounds(n, rounds, decks, shuffle, draws) {
  const laws = fairLaws(n), deck = new Int32Array(n), found = Array(rounds + 1).fill(0);
  const halves = [0, 1].map(() => found.map(() => laws.map((law) => new Float64Array(law.length))));
  for (const half of halves) {
    for (let dealt = 0; dealt < decks; dealt++) {
      deck.forEach((_, card) => { deck[card] = card; });
      for (let round = 1; round <= rounds; round++) {
        shuffle(deck, draws);
        countsOfDeck(deck).forEach((value, i) => { half[round][i][value]++; });
      }
      yield;
    }
  }
  for (let round = rounds; round; round--) {
    const events = laws.map((law, i) => law.flatMap((chance, value) => (halves[0][round][i][value] > chance * decks ? [value] : [])));
    /** @type {(half: Float64Array[], i: number) => number} */
    const shareOf = (half, i) => events[i].reduce((all, value) => all + half[i][value], 0) / decks;
    const chances = events.map((event, i) => event.reduce((all, value) => all + laws[i][value], 0));
    const gains = events.map((_, i) => shareOf(halves[0][round], i) - chances[i]), best = gains.indexOf(Math.max(...gains));
    const share = shareOf(halves[1][round], best);
    const sure = share > 0 ? leastChance(share, decks, rounds) - chances[best] : 0;
    found[round] = Math.max(0, sure, found[round + 1] || 0);
  }
  found[0] = 1 - quotient(1n, factorial(n));
  return found;
}
