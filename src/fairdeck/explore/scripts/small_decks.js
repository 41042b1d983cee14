// Small decks: all their orders, and the two loops that shuffle them. Decks are arrays, deck[0] first.

/** @type {(n: number) => number[]} */
export const cardsOf = (n) => Array.from({ length: n }, (_, card) => card);

// All orders of these cards, by rank.
/** @type {(cards: number[]) => number[][]} */
export const ordersOf = (cards) => (cards.length ? cards.flatMap((card) => ordersOf(cards.filter((other) => other !== card)).map((rest) => [card, ...rest])) : [[]]);

// The deck after these draws of the obvious loop: any place is drawn.
/** @type {(n: number, draws: number[]) => number[]} */
export const obviousDeck = (n, draws) => swapped(n, draws, (step) => step);
// The deck after these draws of the right loop: a place is drawn that still holds a slip.
/** @type {(n: number, draws: number[]) => number[]} */
export const rightDeck = (n, draws) => swapped(n, draws, (step) => n - 1 - step);

/** @type {(n: number, draws: number[], place: (step: number) => number) => number[]} */
function swapped(n, draws, place) {
  const deck = cardsOf(n);
  draws.forEach((drawn, step) => { [deck[place(step)], deck[drawn]] = [deck[drawn], deck[place(step)]]; });
  return deck;
}
