// Runs the shuffle in the code box, and counts its decks. It runs in a worker of a sandboxed frame, whose policy allows
// no network; the origin of the frame is its own, so it has no storage and reaches no other tab.

import { counter, noCounts } from "../scripts/counts.js";
import { seededDraws } from "../scripts/draws.js";

const MOST_SHOWN = 60;
/** @typedef {{ cards: number, bins: number, decks: number, seed: number }} Job */

// The decks of the pasted function, each checked: a list of the same cards. Each card is read once, and what was read is
// counted: a list may be a proxy.
/** @type {(shuffle: any, cards: number) => () => ArrayLike<number>} */
function checkedDecks(shuffle, cards) {
  const seen = new Int32Array(cards), deckRead = new Int32Array(cards);
  let number = 0;
  return () => {
    const deck = Array.from({ length: cards }, (_, i) => i), given = shuffle(deck), made = given === undefined ? deck : given;
    number++;
    if (!Array.isArray(made) || made.length !== cards) throw fault({ wrong: "wrongList", n: number, value: shown(made) });
    for (let place = 0; place < cards; place++) {
      const card = made[place];
      if (!Number.isInteger(card) || card < 0 || card >= cards) throw fault({ wrong: "wrongCard", n: number, value: shown(card) });
      if (seen[card] === number) throw fault({ wrong: "wrongTwice", n: number, value: String(card) });
      seen[card] = number;
      deckRead[place] = card;
    }
    return deckRead;
  };
}

// An error with the key of its text and what fills the text's gaps.
/** @type {(told: Record<string, any>) => Error} */
const fault = (told) => Object.assign(new Error(), { told });

/** @type {(value: any) => string} */
function shown(value) {
  return (Array.isArray(value) ? `[${value.length}]` : String(value)).slice(0, MOST_SHOWN);
}

// Counts the decks that `next` makes, part by part, so that the page can say how far it is.
const PART_MS = 100, AT_ONCE = 64;
/** @type {(next: () => ArrayLike<number>, decks: number, counts: Counts, add: (deck: ArrayLike<number>) => void) => Iterator<Counts>} */
function* partsOf(next, decks, counts, add) {
  while (counts.decks < decks) {
    const end = performance.now() + PART_MS;
    do for (let some = Math.min(AT_ONCE, decks - counts.decks); some > 0; some--) add(next());
    while (counts.decks < decks && performance.now() < end);
    yield counts;
  }
}

// `pasted` returns the function of the pasted text; the page hears of every part through the port.
/** @type {(pasted: () => any) => void} */
export function runPasted(pasted) {
  onmessage = async ({ data: { cards, bins, decks, seed }, ports: [port] }) => {
    try {
      // A link shows the same decks again.
      Math.random = seededDraws(seed).real;
      const shuffle = pasted(), counts = noCounts(cards, bins);
      if (typeof shuffle !== "function") throw fault({ wrong: "pastedNoFunction" });
      const parts = partsOf(checkedDecks(shuffle, cards), decks, counts, counter(counts, cards, bins));
      for (let part = parts.next(); !part.done; part = parts.next()) {
        port.postMessage({ counts: part.value });
        await new Promise((resume) => setTimeout(resume));
      }
    } catch (/** @type {any} */ error) {
      try {
        port.postMessage(error?.told || { wrong: "pastedThrew", value: String(error).slice(0, 200) });
      } catch {
        port.postMessage({ wrong: "pastedThrew", value: "?" });
      }
    }
  };
}
