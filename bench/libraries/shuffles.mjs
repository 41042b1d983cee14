// Decks of JavaScript shuffles, 16 bits for each card, the low byte first: node shuffles.mjs CARDS NAME. Packages are found in build/libraries.
import { randomInt } from "node:crypto";
import { writeSync } from "node:fs";
import { createRequire } from "node:module";

const here = createRequire(new URL("../../build/libraries/npm/package.json", import.meta.url));
const fisherYates = (draw) => (deck) => {
  for (let i = deck.length - 1; i > 0; i--) {
    const j = draw(i + 1);
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
  return deck;
};
const shuffles = {
  "Math.random": () => fisherYates((bound) => Math.floor(Math.random() * bound)),
  "crypto.randomInt": () => fisherYates(randomInt),
  "sort by a random comparison": () => (deck) => deck.sort(() => 0.5 - Math.random()),
  "lodash": () => here("lodash").shuffle,
  "underscore": () => here("underscore").shuffle,
  "d3-array": () => here("d3-array").shuffle,
  "fast-shuffle": () => here("fast-shuffle").shuffle,
  "knuth-shuffle-seeded": () => here("knuth-shuffle-seeded"),
  "array-shuffle": () => here("array-shuffle").default,
  "random-js": () => { const r = new (here("random-js").Random)(); return (deck) => r.shuffle(deck); },
  "remeda": () => here("remeda").shuffle,
  "chance": () => { const c = new (here("chance"))(); return (deck) => c.shuffle(deck); },
  "@faker-js/faker": () => { const { faker } = here("@faker-js/faker"); return (deck) => faker.helpers.shuffle(deck); },
  "pandemonium": () => here("pandemonium").shuffle,
  "radash": () => here("radash").shuffle,
  "es-toolkit": () => here("es-toolkit").shuffle,
  "crypto-shuffle": () => here("crypto-shuffle"),
  "fisher-yates": () => here("fisher-yates"),
  "simple-statistics": () => here("simple-statistics").shuffle,
  "just-shuffle": () => here("just-shuffle"),
  "collect.js": () => (deck) => here("collect.js")(deck).shuffle().all(),
  "gsap": () => here("gsap").gsap.utils.shuffle,
  "@vitest/utils": () => { const { shuffle } = here("@vitest/utils/helpers"); return (deck) => shuffle(deck, randomInt(2 ** 48 - 1)); },
  "lodash 5": () => (deck) => here("lodash").sampleSize(deck, 5),
  "underscore 5": () => (deck) => here("underscore").sample(deck, 5),
  "secure-shuffle": () => (deck) => here("secure-shuffle")(deck) ?? deck,
};

function write(bytes) {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(1, bytes, done);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error; // the pipe is full: try again
    }
  }
}

const cards = Number(process.argv[2]);
let shuffle = shuffles[process.argv[3]]();
shuffle = shuffle.default ?? shuffle;
try {
  for (;;) {
    const decks = Array.from({ length: 64 }, () => shuffle([...Array(cards).keys()]));
    write(new Uint8Array(Uint16Array.from(decks.flat()).buffer));
  }
} catch (error) {
  if (error.code !== "EPIPE") throw error; // the reader closed the pipe
}
