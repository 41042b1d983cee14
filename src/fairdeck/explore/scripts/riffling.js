// Riffles of cards in a list.

// Two packets fall into each other, all interleavings equally likely; the top card comes first.
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

// The same riffle, from the bottom up and with a coin a card, as fairdeck's Python riffles: the places that the cards had, and
// how many of them lay below the cut.
/** @type {(n: number, draws: Draws) => { places: number[], cut: number }} */
export function placesRiffled(n, draws) {
  const upper = Array.from({ length: n }, () => draws.below(2)), cut = upper.filter((coin) => !coin).length;
  let low = 0, high = cut;
  return { places: upper.map((coin) => (coin ? high++ : low++)), cut };
}
