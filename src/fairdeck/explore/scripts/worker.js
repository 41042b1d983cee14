// Counts decks beside the page. A new job takes the place of the one before; the page hears of every part.

import { counter, noCounts, partsOf } from "./counts.js";
import { evenDraws, seededDraws } from "./draws.js";
import { shuffleOf } from "./shuffles.js";

/** @typedef {import("./worker_door.js").Job & { id: number }} Job */

/** @type {Job | null} */
let job = null;
let counting = false;
const channel = new MessageChannel();
const breath = () => new Promise((resume) => {
  channel.port1.onmessage = resume;
  channel.port2.postMessage(0);
});

/** @type {(job: Job) => Iterator<Counts>} */
function partsOfJob({ recipe, cards, bins, decks, seed, even, binsAlone }) {
  const draws = even ? evenDraws(seed) : seededDraws(seed), shuffle = shuffleOf(recipe), counts = noCounts(cards, bins);
  const sorted = Int32Array.from({ length: cards }, (_, i) => i), deck = sorted.slice();
  const next = () => {
    deck.set(sorted);
    shuffle(deck, draws);
    return deck;
  };
  return partsOf(next, decks, counts, counter(counts, cards, bins, binsAlone));
}

async function count() {
  counting = true;
  while (job) {
    const now = job, parts = partsOfJob(now);
    for (let part = parts.next(); job === now; part = parts.next()) {
      if (part.done) job = null;
      else postMessage({ id: now.id, ...part.value });
      await breath();
    }
  }
  counting = false;
}

onmessage = ({ data }) => {
  job = data.recipe ? data : null;
  if (!counting) count();
};
