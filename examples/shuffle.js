// A fair shuffle, and a naive one, for `fairdeck test --exec`.
//
//   node shuffle.js 52            decks of 52 cards without end, one on each line
//   node shuffle.js 52 10         ten decks
//   node shuffle.js 52 --naive    sorts by a random comparison: not fair
"use strict";

const { randomInt } = require("node:crypto");
const { once } = require("node:events");

function fisherYates(deck) {
  for (let i = deck.length - 1; i > 0; i--) {
    const j = randomInt(i + 1); // unbiased, by rejection
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
  return deck;
}

function naive(deck) {
  return deck.sort(() => Math.random() - 0.5);
}

async function main(words) {
  const shuffle = words.includes("--naive") ? naive : fisherYates;
  const [cards = 52, decks = Infinity] = words.filter((word) => !word.startsWith("--")).map(Number);
  process.stdout.on("error", () => process.exit(0)); // the reader closed the pipe
  let lines = [];
  for (let made = 0; made < decks; made++) {
    lines.push(shuffle(Array.from({ length: cards }, (_, card) => card)).join(" "));
    if (lines.length === 100 || made + 1 === decks) {
      // Wait until the reader takes the lines; otherwise they would fill the memory.
      if (!process.stdout.write(lines.join("\n") + "\n")) await once(process.stdout, "drain");
      lines = [];
    }
  }
}

main(process.argv.slice(2));
