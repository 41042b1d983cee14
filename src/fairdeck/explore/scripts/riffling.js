// Riffles of cards in a list, the top card first.

// Two packets fall into each other, all interleavings equally likely.
/** @type {(upper: number[], lower: number[], draws: Draws) => number[]} */
export function interleaved(upper, lower, draws) {
  const all = upper.length + lower.length, deck = [];
  for (let done = 0, taken = 0; done < all; done++) {
    deck.push(draws.below(all - done) < upper.length - taken ? upper[taken++] : lower[done - taken]);
  }
  return deck;
}

// The riffle of Gilbert, Shannon and Reeds: a coin for each card; the upper packet has as many cards as there are heads.
/** @type {(deck: number[], draws: Draws) => number[]} */
export function riffledOnce(deck, draws) {
  let above = 0;
  for (let coin = 0; coin < deck.length; coin++) above += draws.below(2);
  return interleaved(deck.slice(0, above), deck.slice(above), draws);
}
