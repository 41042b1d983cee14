// Decks as text, a deck on each line, the bottom card first: what this page reads, `fairdeck test --file` reads alike (see
// fairdeck.lab.sources.text). The first deck shows which cards there are: numbers from 0 or 1, or names.

const SMALLEST_DECK = 3, LARGEST_DECK = 208, SHOWN = 60, AT_ONCE = 256, NUMBER = /^-?\d{1,18}$/;
const PLAIN = /^\s*(?:\[?\d+(?:, ?\d+)*\]?|\d+(?: +\d+)*|\d+(?:[;\t]\d+)*)\s*$/, NO_CARD = /["[{}\0\r]/, DECIMAL = /^[-+]?(\p{Nd}+[.,]?\p{Nd}*(e.?\d+)?|nan|inf)$/iu;
const SUITS = ["C♣", "S♠", "H♥", "D♦"], RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];

/** @typedef {{ cards: number, names: string[], notes: string[], lines: string[], skipped: number }} DeckFile */

// What is wrong: the key of its text, and what fills its gaps.
/** @type {(wrong: string, gaps: Record<string, any>) => Error} */
const refusal = (wrong, gaps) => Object.assign(new Error(wrong), { gaps });
/** @type {(words: string[]) => string} */
export const excerpt = (words) => words.join(" ").slice(0, SHOWN);
/** @type {(words: string[]) => boolean} */
const allNumbers = (words) => words.every((word) => NUMBER.test(word));

// The cards of a line with any separators.
/** @type {(line: string) => string[]} */
export function wordsOf(line) {
  if (PLAIN.test(line)) return line.match(/\d+/g) || [];
  const whole = line.trim();
  try {
    if (whole[0] === "[") return JSON.parse(whole).map((/** @type {any} */ item) => (typeof item === "string" ? item : JSON.stringify(item)));
  } catch {
    // Then the brackets are only around the cards.
  }
  const text = whole.replace(/^[[\](),; \t]+|[[\](),; \t]+$/g, ""), mark = [";", ",", "\t"].find((each) => text.includes(each)) || /\s+/;
  return text.split(mark).map((cell) => cell.trim().replace(/^(['"])(.+)\1$/, "$2")).filter(Boolean);
}

// The order in which the cards of a first deck began: numbers as they count, cards suit by suit, other names by alphabet.
/** @type {(deck: string[]) => string[]} */
export function startOrder(deck) {
  const numbers = deck.map(Number), first = Number(!numbers.includes(0) && numbers.includes(deck.length)), places = new Map();
  // 1.0 is a number, but no card: its line is refused.
  if (deck.every((word) => DECIMAL.test(word))) return deck.map((_, i) => String(i + first));
  for (const word of deck) {
    for (const [rank, suit] of [[word.slice(0, -1), word.slice(-1)], [word.slice(1), word.slice(0, 1)]]) {
      const suited = SUITS.findIndex((letters) => letters.includes(suit.toUpperCase())), ranked = RANKS.indexOf(rank.toUpperCase().replace(/^T$/, "10"));
      if (suited >= 0 && ranked >= 0) places.set(word, suited * RANKS.length + ranked);
    }
  }
  const all = deck.every((word) => places.has(word));
  return deck.slice().sort((a, b) => (all ? places.get(a) - places.get(b) : a < b ? -1 : Number(a > b)));
}

// Why a first line is no deck, if it is none.
/** @type {(deck: string[]) => string} */
function noDeck(deck) {
  if (!deck.length) return "fileEmpty";
  if (deck.join().includes("\ufffd")) return "fileWide";
  return deck.length < (allNumbers(deck) ? 2 : SMALLEST_DECK) || deck.some((word) => NO_CARD.test(word)) ? "fileNoDecks" : "";
}

// What the beginning of a text shows of its decks.
/** @type {(text: string) => DeckFile} */
export function openedDecks(text) {
  // A byte order mark further on is part of a card, and no space. The lists of one array in JSON are lines.
  const whole = text.replace(/^\ufeff/, "").replaceAll("\ufeff", "\ufffd").replace(/^\s*\[\s*(\[[^]*\])\s*\]\s*$/, (_, decks) => decks.replace(/\]\s*,\s*\[/g, "]\n["));
  const lines = whole.split("\n"), begun = lines.findIndex((line) => wordsOf(line).length);
  /** @type {string[][]} */
  const found = lines.slice(Math.max(0, begun), begun + 100).map(wordsOf).filter((words) => words.length), [first = [], second = []] = found;
  const header = second.length && (allNumbers(second) ? !first.some((word) => NUMBER.test(word)) : first.length === second.length && !first.some((word) => second.includes(word)));
  const deck = header ? second : first, cards = deck.length;
  const no = noDeck(deck);
  if (no) throw refusal(no, { value: excerpt(deck) });
  if (cards < SMALLEST_DECK || cards > LARGEST_DECK) throw refusal("fileCards", { n: cards, least: SMALLEST_DECK, most: LARGEST_DECK });
  const names = startOrder(deck), twice = names.find((name, i) => name === names[i - 1]);
  if (twice) throw refusal("fileTwoAlike", { value: excerpt([twice]) });
  const notes = [header ? "noteHeader" : "", names[0] === "0" ? "" : allNumbers(deck) ? "noteFrom1" : "noteOrder"].filter(Boolean);
  return { cards, names, notes, lines, skipped: header ? begun + 1 : 0 };
}

// Reads deck after deck, as places in the start order; the last line may be incomplete, and then is left out.
/** @type {(file: DeckFile, add: (deck: number[]) => void) => Iterator<number>} */
export function* decksOf({ cards, names, notes, lines, skipped }, add) {
  const places = new Map(names.map((name, i) => [name, i])), numbered = allNumbers(names);
  let decks = 0;
  for (let at = skipped; at < lines.length; at++) {
    const words = wordsOf(lines[at]);
    if (!words.length) continue;
    // "07" is the number 7.
    const deck = words.map((word) => places.get(numbered && NUMBER.test(word) ? String(Number(word)) : word) ?? -1);
    if (words.length !== cards || new Set(deck).size < cards || deck.includes(-1)) {
      const before = deck.slice(0, -1), odd = deck.indexOf(-1), again = deck.findIndex((card, i) => deck.indexOf(card) < i);
      if (at === lines.length - 1 && words.length <= cards && !before.includes(-1) && new Set(before).size === before.length) return void notes.push("noteCut");
      if (words.length !== cards) throw refusal("wrongCount", { at: at + 1, value: excerpt(words), n: words.length, cards });
      throw refusal(odd < 0 ? "wrongTwice" : "wrongCard", { at: at + 1, value: excerpt([words[odd < 0 ? again : odd]]) });
    }
    add(deck);
    if (++decks % AT_ONCE === 0) yield decks;
  }
}
