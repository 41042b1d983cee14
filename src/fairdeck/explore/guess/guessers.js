// What is right of guesses: those of players who know how a shuffle works and those of a fair deck.

/** @typedef {(cards: number, dealt: number[]) => number} Guesser what a player says of the next card, from the cards dealt so far */

/** @type {(cards: number, dealt: number[]) => boolean[]} */
function seenOf(cards, dealt) {
  const seen = Array(cards).fill(false);
  for (const card of dealt) seen[card] = true;
  return seen;
}

// The runs of cards not seen, the highest first, each as its highest card and its length. After riffles each is what is left of a
// packet or of several: its highest card comes after the last card of a rising sequence in sight.
/** @type {(cards: number, dealt: number[]) => { head: number, length: number }[]} */
export function stretchesLeft(cards, dealt) {
  const seen = seenOf(cards, dealt), stretches = [];
  for (let card = cards - 1, head = card; card >= 0; card--) {
    if (seen[card]) head = card - 1;
    else if (card === 0 || seen[card - 1]) stretches.push({ head, length: head - card + 1 });
  }
  return stretches;
}

// The twins of the guessers of `fairdeck.lab.statistics.guesses`. The head of the longest stretch: a riffle drops from a packet in proportion to its size.
/** @type {Guesser} */
export function longestStretch(cards, dealt) {
  return stretchesLeft(cards, dealt).reduce((best, stretch) => (stretch.length > best.length ? stretch : best), { head: -1, length: 0 }).head;
}

// The card that lay under the last card dealt; if that card is seen already, the highest card not seen.
/** @type {Guesser} */
export function cardUnderneath(cards, dealt) {
  const seen = seenOf(cards, dealt), under = (dealt[dealt.length - 1] ?? 0) - 1;
  return under >= 0 && !seen[under] ? under : seen.lastIndexOf(false);
}

// How often a player is right about a deck that is dealt from the top.
/** @type {(deck: ArrayLike<number>, guesser: Guesser) => number} */
export function hitsOn(deck, guesser) {
  const dealt = [];
  let hits = 0;
  for (let place = deck.length - 1; place >= 0; place--) {
    if (guesser(deck.length, dealt) === deck[place]) hits++;
    dealt.push(deck[place]);
  }
  return hits;
}

// --- on a fair deck: with m cards left, a guess of a card not seen yet is right with the chance 1/m, whatever happened before

// The chance of each number of hits, when `guessed` of `cards` cards have been guessed.
/** @type {(cards: number, guessed?: number) => number[]} */
export function hitLaw(cards, guessed = cards) {
  let law = [1];
  for (let left = cards; left > cards - guessed; left--) {
    law = Array.from({ length: law.length + 1 }, (_, hits) => ((law[hits] || 0) * (left - 1) + (law[hits - 1] || 0)) / left);
  }
  return law;
}

// The chance of `hits` hits or more.
/** @type {(law: number[], hits: number) => number} */
export const hitsOrMore = (law, hits) => Math.min(1, law.slice(hits).reduceRight((all, chance) => all + chance, 0));

/** @type {(cards: number, guessed?: number) => number} */
export function fairHits(cards, guessed = cards) {
  let mean = 0;
  for (let left = cards - guessed + 1; left <= cards; left++) mean += 1 / left;
  return mean;
}
