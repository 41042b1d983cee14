// What is counted of the decks of a simulation: into which part of all orders each deck falls, which card lies where, and
// how much of the old order is left.

const MOST_BINS = 200;

// As many bins as there are orders, up to 200.
/** @type {(cards: number) => number} */
export const binsOf = (cards) => [1, 1, 2, 6, 24, 120][cards] || MOST_BINS;

// All orders in dictionary order, bottom card first, cut into equal bins; see `fairdeck.lab.statistics.rank_histogram`.
// Only as many places are read as it takes until every bin holds whole orders of them; if no number of places does, as many
// as a double counts exactly.
/** @type {(cards: number, bins: number) => { read: number, orders: number }} */
function ranksRead(cards, bins) {
  let read = 0, orders = 1;
  while (read < cards && orders % bins && orders * (cards - read) * bins < 2 ** 53) orders *= cards - read++;
  return { read, orders };
}

/** @type {(cards: number, bins: number) => (deck: ArrayLike<number>) => number} */
export function binner(cards, bins) {
  const { read, orders } = ranksRead(cards, bins);
  return (deck) => {
    let rank = 0;
    for (let place = 0; place < read; place++) {
      let smaller = deck[place];
      for (let before = 0; before < place; before++) if (deck[before] < deck[place]) smaller--;
      rank = rank * (cards - place) + smaller;
    }
    return Math.floor((rank * bins) / orders);
  };
}

// The exact chance of each bin: the 720 orders of six cards do not fill 200 bins equally.
/** @type {(cards: number, bins: number) => number[]} */
export function binChances(cards, bins) {
  const { orders } = ranksRead(cards, bins);
  /** @type {(bin: number) => number} */
  const start = (bin) => Math.ceil((bin * orders) / bins);
  return Array.from({ length: bins }, (_, bin) => (start(bin + 1) - start(bin)) / orders);
}

/** @type {(cards: number, bins: number) => Counts} */
export const noCounts = (cards, bins) => ({ decks: 0, bins: new Int32Array(bins), places: new Float64Array(cards * cards), sequences: 0 });

/** @type {(counts: Counts, cards: number, bins: number) => (deck: ArrayLike<number>) => void} */
export function counter(counts, cards, bins) {
  const binOf = binner(cards, bins), where = new Int32Array(cards), { places } = counts;
  return (deck) => {
    counts.decks++;
    counts.bins[binOf(deck)]++;
    for (let place = 0, cell = 0; place < cards; place++, cell += cards) {
      places[cell + deck[place]]++;
      where[deck[place]] = place;
    }
    let sequences = 1;
    for (let card = 1; card < cards; card++) if (where[card] < where[card - 1]) sequences++;
    counts.sequences += sequences;
  };
}
