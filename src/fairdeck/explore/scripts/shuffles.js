// The shuffles that the pages know. Each changes a deck in place, bottom first, and is the twin of the Python shuffle of the
// same name: from the same draws it makes the same deck.

/** @typedef {Int32Array | number[]} Cards */
/** @typedef {(deck: any, draws: Draws) => void} Shuffle */

/** @type {(deck: Cards, one: number, other: number) => void} */
function swap(deck, one, other) {
  const moved = deck[one];
  deck[one] = deck[other];
  deck[other] = moved;
}

// One array for all decks: to make one for each deck takes longer than to shuffle it.
const beforehand = new Int32Array(1000), labels = new Uint8Array(1000);
/** @type {(deck: Cards) => Int32Array} */
function copied(deck) {
  for (let place = 0; place < deck.length; place++) beforehand[place] = deck[place];
  return beforehand;
}

// The cards at `places`, in this order.
/** @type {(deck: Cards, places: number[]) => void} */
function arrange(deck, places) {
  const before = copied(deck);
  for (let i = 0; i < places.length; i++) deck[i] = before[places[i]];
}

/** @type {(deck: Cards, draws: Draws) => void} */
function riffle(deck, draws) {
  const before = copied(deck), n = deck.length;
  let high = n, low = 0;
  for (let place = 0; place < n; place++) high -= labels[place] = draws.below(2);
  for (let place = 0; place < n; place++) deck[place] = before[labels[place] ? high++ : low++];
}

// Packets taken off the top, one onto the other; a gap parts two packets with probability 1 in `packet`.
/** @type {(packet: number) => Shuffle} */
const overhand = (packet) => (deck, draws) => {
  const places = [];
  let end = deck.length;
  for (let gap = end - 1; gap >= 0; gap--) {
    if (gap && draws.real() * packet >= 1) continue;
    for (let place = gap; place < end; place++) places.push(place);
    end = gap;
  }
  arrange(deck, places);
};

/** @type {(piles: number) => number[][]} */
const emptyPiles = (piles) => Array.from({ length: piles }, () => []);

// Faster than `flat`.
/** @type {(piles: number[][]) => number[]} */
function stacked(piles) {
  const deck = [];
  for (const pile of piles) for (const card of pile) deck.push(card);
  return deck;
}

/** @type {(piles: number) => Shuffle} */
const randomPiles = (piles) => (deck, draws) => {
  const dealt = emptyPiles(piles);
  for (let card = deck.length - 1; card >= 0; card--) dealt[draws.below(piles)].push(card);
  arrange(deck, stacked(dealt));
};

/** @type {(piles: number) => Shuffle} */
const pilesInTurn = (piles) => (deck) => {
  const dealt = emptyPiles(piles);
  for (let card = deck.length - 1, dealing = 0; card >= 0; card--, dealing++) dealt[dealing % piles].push(card);
  arrange(deck, stacked(dealt));
};

/** @type {(deck: Cards, draws: Draws) => void} */
function cut(deck, draws) {
  const place = draws.below(deck.length), places = Array.from(deck, (_, i) => (place + i) % deck.length);
  arrange(deck, places);
}

const MOVES_A_SECOND = 6, REACH = 0.2, SWEEP = 0.3;
/** @type {(place: number) => number} */
const reflected = (place) => 1 - Math.abs(1 - Math.abs(place));

// Hands gather the cards near a random spot and push them on; then the cards are gathered from one side to the other.
/** @type {(seconds: number) => Shuffle} */
const wash = (seconds) => (deck, draws) => {
  const n = deck.length, places = Array.from(deck, (_, card) => card);
  const across = places.map((card) => (card + 0.5) / n), along = places.map(() => 0.25 + draws.real() / 2);
  for (let move = Math.round(seconds * MOVES_A_SECOND); move > 0; move--) {
    const x = draws.real(), y = draws.real(), towards = 2 * Math.PI * draws.real();
    const right = Math.cos(towards) * SWEEP, up = Math.sin(towards) * SWEEP;
    for (let card = 0; card < n; card++) {
      if ((across[card] - x) ** 2 + (along[card] - y) ** 2 >= REACH ** 2) continue;
      const far = draws.real();
      across[card] = reflected((across[card] + x) / 2 + far * right);
      along[card] = reflected((along[card] + y) / 2 + far * up);
    }
  }
  arrange(deck, places.sort((one, other) => across[one] - across[other] || along[one] - along[other] || one - other));
};

// Fisher and Yates from the top down.
/** @type {Shuffle} */
function fisherYates(deck, draws) {
  for (let place = deck.length - 1; place > 0; place--) swap(deck, place, draws.below(place + 1));
}

// `says` is the key of the text that names the shuffle.
/** @type {Record<string, { says: string, run: Shuffle }>} */
export const SHUFFLES = {
  "fisher-yates": { says: "sFisherYates", run: fisherYates },
  riffle: { says: "sRiffle", run: riffle },
  overhand: { says: "sOverhand", run: overhand(5) },
  "random-piles-10": { says: "sRandomPiles", run: randomPiles(10) },
  "pile-7": { says: "sPile", run: pilesInTurn(7) },
  cut: { says: "sCut", run: cut },
  "wash(10)": { says: "sWash", run: wash(10) },
};

// A recipe is a shuffle, or one of them many times: riffle*7. Null if there is no such shuffle.
/** @type {(recipe: string) => { name: string, times: number } | null} */
export function recipeOf(recipe) {
  const [, name, times = "1"] = /^([\w()-]+)(?:\*([1-9]\d{0,2}))?$/.exec(recipe) || [];
  return Object.keys(SHUFFLES).includes(name) ? { name, times: Number(times) } : null;
}

/** @type {(recipe: string) => Shuffle} */
export function shuffleOf(recipe) {
  const { name, times } = /** @type {{ name: string, times: number }} */ (recipeOf(recipe)), { run } = SHUFFLES[name];
  return times === 1 ? run : (deck, draws) => { for (let done = 0; done < times; done++) run(deck, draws); };
}
