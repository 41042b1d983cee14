import { createShuffle, shuffle } from "fast-shuffle";

const deck = [...Array(20).keys()];
function count(decks, draw) {
  const seen = new Set();
  for (let i = 0; i < decks; i++) seen.add(String(draw()));
  return `${decks - seen.size} of ${decks} decks came before`;
}
console.log("createShuffle(Math.random):", count(1000, () => createShuffle(Math.random)(deck)));
console.log("shuffle:", count(400_000, () => shuffle(deck)));
