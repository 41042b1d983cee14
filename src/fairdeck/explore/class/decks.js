// Decks that pupils type: numbers, or ranks with or without suits; one deck a line.

const RANKS = "A23456789TJQK", SUITS = "♠♥♦♣", LETTERS = "SHDC", SUIT = 13, MOST_NAMED = 4;
// Letters of other languages: Bube, Valet; Dame; Roi, Rey.
/** @type {Record<string, string>} */
const OTHER = { B: "J", V: "J", D: "Q", R: "K", 10: "T" };

/** @typedef {{ key: string, values: Record<string, any> }} Fault */

// The decks of a text, each as cards 0, 1, ... from the top, and what is wrong with the other lines.
/** @type {(text: string, cards: number) => { decks: number[][], faults: Fault[] }} */
export function decksOf(text, cards) {
  /** @type {{ decks: number[][], faults: Fault[] }} */
  const found = { decks: [], faults: [] };
  text.split("\n").forEach((line, i) => {
    const words = line.replace(/^[^:]*:/, "").replace(/\uFE0F/g, "").toUpperCase().split(/[\s,;.|/]+/).filter(Boolean);
    if (!words.length) return;
    const fault = faultIn(words, cards);
    if (fault) found.faults.push({ key: fault.key, values: { line: i + 1, ...fault.values } });
    else found.decks.push(words.map((word) => cardOf(word, cards)));
  });
  return found;
}

// NaN for what is no card; -1 for a rank that needs a suit.
/** @type {(word: string, cards: number) => number} */
function cardOf(word, cards) {
  const turned = word.replace(/^([♠♥♦♣])(.+)$/, "$2$1");
  if (/^\d{1,3}$/.test(turned)) return Number(turned) >= 1 && Number(turned) <= cards ? Number(turned) - 1 : NaN;
  const [, first, sign = ""] = /^(10|[2-9]|[ATJQKBVDR])([♠♥♦♣SHDC])?$/.exec(turned) || [];
  if (!first) return NaN;
  const rank = RANKS.indexOf(OTHER[first] || first), suit = Math.max(SUITS.indexOf(sign), LETTERS.indexOf(sign));
  if (cards > SUIT && !sign) return -1;
  const card = cards > SUIT ? suit * SUIT + rank : rank;
  return card < cards ? card : NaN;
}

/** @type {(words: string[], cards: number) => Fault | null} */
function faultIn(words, cards) {
  const read = words.map((word) => cardOf(word, cards)), strange = words.find((_, i) => Number.isNaN(read[i])), named = words.some((word) => /\D/.test(word));
  if (strange !== undefined) return { key: "faultWord", values: { word: strange.slice(0, 12), cards } };
  if (read.includes(-1)) return { key: "faultSuit", values: { word: words[read.indexOf(-1)] } };
  /** @type {(card: number) => string} */
  const name = (card) => (named ? RANKS[card % SUIT].replace("T", "10") + (cards > SUIT ? SUITS[Math.floor(card / SUIT)] : "") : String(card + 1));
  /** @type {(cards: number[]) => string} */
  const names = (listed) => listed.slice(0, MOST_NAMED).map(name).join(", ") + (listed.length > MOST_NAMED ? ", …" : "");
  const missing = Array.from({ length: cards }, (_, card) => card).filter((card) => !read.includes(card));
  const twice = [...new Set(read.filter((card, i) => read.indexOf(card) !== i))];
  if (!missing.length && !twice.length) return null;
  return { key: !twice.length ? "faultMissing" : missing.length ? "faultBoth" : "faultTwice", values: { missing: names(missing), twice: names(twice) } };
}
