// The names of cards that people type, top first, parted as fairdeck.cards.decks.read_cards does it.

const PLAIN = /^(\d+|joker\w*|(10|[2-9akqjt])[shdc♠♤♥♡♦♢♣♧]|[shdc♠♤♥♡♦♢♣♧](10|[2-9akqjt]))$/i;

// Playing cards and numbers are parted wherever there are blanks, commas or line ends. Of other names a line is one card;
// only a single line is parted, by commas or else by blanks.
/** @type {(text: string) => string[]} */
export function namesIn(text) {
  const parts = (/** @type {RegExp} */ between) => text.split(between).map((part) => part.trim()).filter(Boolean);
  const lines = parts(/\n/).map((line) => line.replace(/[\s,;]+$/, "")), words = parts(/[\s,;]+/), pieces = parts(/[\n\t,;]+/);
  if (words.every((word) => PLAIN.test(word.replace(/[\ufe0e\ufe0f]/g, "")))) return words;
  return lines.length > 1 ? lines : pieces.length > 1 ? pieces : words;
}
