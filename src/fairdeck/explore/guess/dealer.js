// What a dealer gains by bad shuffling: the dealer lays one card where this shuffle brings it to them most often.

/** @typedef {import("../scripts/draws.js").Draws} Draws */

export const PLAYERS = 4;
/** @type {(cards: number) => number} */
export const handOf = (cards) => Math.min(5, Math.floor(cards / PLAYERS));

// Cards are dealt from the top one by one, and the dealer is served last. The best place is chosen on some decks and counted on as many
// others. Places count from 1 at the top. Yields while it counts.
/** @type {(cards: number, decks: number, shuffle: (deck: any, draws: Draws) => void, draws: Draws) => Generator<undefined, { place: number, share: number }>} */
export function* dealersGain(cards, decks, shuffle, draws) {
  const deck = new Int32Array(cards), hand = handOf(cards), halves = [0, 1].map(() => new Float64Array(cards));
  for (const counts of halves) {
    for (let dealt = 0; dealt < decks; dealt++) {
      deck.forEach((_, card) => { deck[card] = card; });
      shuffle(deck, draws);
      for (let turn = 1; turn <= hand; turn++) counts[deck[cards - turn * PLAYERS]]++;
      if (dealt % 16 === 0) yield;
    }
  }
  const best = halves[0].indexOf(Math.max(...halves[0]));
  return { place: cards - best, share: halves[1][best] / decks };
}
