// The hits of a player who guesses cards not seen yet, on a fair deck: with m cards left, a guess is right with the chance 1/m,
// independently of what happened before.

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
