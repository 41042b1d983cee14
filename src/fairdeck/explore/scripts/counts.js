// What is counted of the decks of a simulation: into which part of all orders each deck falls, which card lies where, and
// how much of the old order is left.

// All orders in dictionary order, bottom card first, cut into equal bins; see `fairdeck.lab.statistics.rank_histogram`.
// Only as many places are read as it takes until every bin holds whole orders of them; if no number of places does, as many
// as a double counts exactly.
/** @type {(cards: number, bins: number) => (deck: ArrayLike<number>) => number} */
export function binner(cards, bins) {
  let read = 0, orders = 1;
  while (read < cards && orders % bins && orders * (cards - read) * bins < 2 ** 53) orders *= cards - read++;
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

/** @type {(cards: number, bins: number) => Counts} */
export const noCounts = (cards, bins) => ({ decks: 0, bins: new Int32Array(bins), places: new Float64Array(cards * cards), sequences: 0 });

// Bins alone take a third of the time.
/** @type {(counts: Counts, cards: number, bins: number, binsAlone?: boolean) => (deck: ArrayLike<number>) => void} */
export function counter(counts, cards, bins, binsAlone = false) {
  const binOf = binner(cards, bins), where = new Int32Array(cards), { places } = counts;
  if (binsAlone) return (deck) => { counts.decks++, counts.bins[binOf(deck)]++; };
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

// As many bins as there are orders, up to 1,000.
/** @type {(cards: number) => number} */
export function mostBins(cards) {
  let orders = 1;
  for (let factor = 2; factor <= cards && orders < 1000; factor++) orders *= factor;
  return Math.min(1000, orders);
}

// Counts the decks that `next` makes, part by part. The first parts are short enough for a picture in every frame; the later
// ones are longer, because to draw pictures takes half of a small machine's time.
const FIRST_MS = 12, LONGEST_PART_MS = 100, SLOWER = 1.5, AT_ONCE = 64;
/** @type {(next: () => ArrayLike<number>, decks: number, counts: Counts, add: (deck: ArrayLike<number>) => void) => Iterator<Counts>} */
export function* partsOf(next, decks, counts, add) {
  for (let part = FIRST_MS; counts.decks < decks; part = Math.min(LONGEST_PART_MS, part * SLOWER)) {
    const end = performance.now() + part;
    do for (let some = Math.min(AT_ONCE, decks - counts.decks); some > 0; some--) add(next());
    while (counts.decks < decks && performance.now() < end);
    yield counts;
  }
}
