// Decks as text, the bottom card first: what this page reads, `fairdeck test --file` reads alike (see
// fairdeck.lab.sources.text). The first deck shows which cards there are: numbers from 0 or 1, or names.

import { NUMBER, allNumbers, cells, layoutOf, parsed, refusal } from "./log.js";

const SMALLEST_DECK = 3, LARGEST_DECK = 208, SHOWN = 60, AT_ONCE = 256;
const PLAIN = /^\s*(?:\[?\d+(?:, ?\d+)*\]?|\d+(?: +\d+)*|\d+(?:[;\t]\d+)*)\s*$/, NO_CARD = /["[{}\0\r]/, DECIMAL = /^[-+]?(\p{Nd}+[.,]?\p{Nd}*(e.?\d+)?|nan|inf)$/iu;
const SUITS = ["C♣", "S♠", "H♥", "D♦"], RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"], JOKERS = /^(knight of \w+|((red|black|white|big|little|roter|schwarzer) )?joker.*)$/i;

/** @typedef {{ cards: number, names: string[], notes: string[], gaps: Record<string, string>, lines: string[], read: (line: string) => string[], own?: (line: string) => string[] | null, skipped: number }} DeckFile */

/** @type {(words: string[]) => string} */
export const excerpt = (words) => words.join(" ").slice(0, SHOWN);
// Why a first line is no deck, if it is none.
/** @type {(deck: string[]) => string} */
const noDeck = (deck) => (!deck.length ? "fileEmpty" : deck.join().includes("\ufffd") ? "fileWide" : deck.length < (allNumbers(deck) ? 2 : SMALLEST_DECK) || deck.some((word) => NO_CARD.test(word)) ? "fileNoDecks" : "");

// The cards of a line with any separators.
/** @type {(line: string) => string[]} */
export function wordsOf(line) {
  if (PLAIN.test(line)) return line.match(/\d+/g) || [];
  const whole = line.trim(), list = whole[0] === "[" && parsed(whole);
  if (list) return list.map((/** @type {any} */ item) => (typeof item === "string" ? item : JSON.stringify(item)));
  const text = whole.replace(/^[[\](),; \t]+|[[\](),; \t]+$/g, ""), mark = [";", ",", "\t"].find((each) => text.includes(each)) || " ", row = cells(text, mark);
  // A deck in quotation marks is one cell of a table; Python writes names in single ones.
  return row.length === 1 && row[0] !== text.replace(/\s+/g, " ") ? wordsOf(row[0]) : row.map((cell) => cell.replace(/^'(.+)'$/, "$1")).filter(Boolean);
}

// The order in which the cards of a first deck began: numbers as they count, cards suit by suit, other names by alphabet.
/** @type {(deck: string[]) => string[]} */
export function startOrder(deck) {
  const numbers = deck.map(Number), first = Number(!numbers.includes(0) && numbers.includes(deck.length)), places = new Map();
  // 1.0 is a number, but no card: its line is refused.
  if (deck.every((word) => DECIMAL.test(word))) return deck.map((_, i) => String(i + first));
  for (const word of deck) {
    const glyph = (word.codePointAt(0) || 0) - 0x1f0a1, named = "SHDC"[glyph >> 4], face = "A23456789TJ-QK".charAt(glyph % 16).replace("-", ""), name = named ? (face ? face + named : "joker") : word;
    if (JOKERS.test(name)) places.set(word, SUITS.length * RANKS.length);
    for (const [rank, suit] of [[name.slice(0, -1), name.slice(-1)], [name.slice(1), name.slice(0, 1)]]) {
      const suited = SUITS.findIndex((letters) => letters.includes(suit.toUpperCase())), ranked = RANKS.indexOf(rank.toUpperCase().replace(/^T$/, "10"));
      if (suited >= 0 && ranked >= 0) places.set(word, suited * RANKS.length + ranked);
    }
  }
  const all = deck.every((word) => places.has(word));
  return deck.slice().sort((a, b) => (all && places.get(a) - places.get(b)) || (a < b ? -1 : Number(a > b)));
}

// What the beginning of a text shows of its decks.
/** @type {(text: string) => DeckFile} */
export function openedDecks(text) {
  // A byte order mark further on is part of a card, and no space.
  const whole = text.replace(/^\ufeff/, "").replaceAll("\ufeff", "\ufffd").replace(/\r\n?/g, "\n");
  const items = /^\s*\[\s*[[{]/.test(whole) && parsed(whole);
  /** @type {string[]} */
  const all = items ? items.map((/** @type {any} */ item) => JSON.stringify(item)) : whole.split("\n"), layout = layoutOf(all), { lines = all, note = "", gaps = {}, read: own } = layout || {};
  const read = (/** @type {string} */ line) => (own && line.trim() && own(line)) || wordsOf(line), begun = lines.findIndex((line) => read(line).length);
  const found = lines.slice(Math.max(0, begun), begun + 100).map(read).filter((words) => words.length), [first = [], second = []] = found;
  const header = second.length && (allNumbers(second) ? !first.some((word) => NUMBER.test(word)) : first.length === second.length && !first.some((word) => second.includes(word)));
  const deck = header ? second : first, cards = deck.length, no = noDeck(deck);
  if (no) throw refusal(no, { value: excerpt(deck) });
  if (cards < SMALLEST_DECK || cards > LARGEST_DECK) throw refusal("fileCards", { n: cards, least: SMALLEST_DECK, most: LARGEST_DECK });
  const names = startOrder(deck), twice = names.find((name, i) => name === names[i - 1]);
  if (twice) throw refusal("fileTwoAlike", { value: excerpt([twice]) });
  const notes = [note, header ? "noteHeader" : "", names[0] === "0" ? "" : allNumbers(deck) ? "noteFrom1" : "noteOrder"].filter(Boolean);
  return { cards, names, notes, gaps, lines, read, own, skipped: header ? begun + 1 : 0 };
}

// Reads deck after deck, as places in the start order; the last line may be incomplete, and then is left out.
/** @type {(file: DeckFile, add: (deck: number[]) => void) => Iterator<number>} */
export function* decksOf({ cards, names, notes, lines, read, own, skipped }, add) {
  const places = new Map(names.map((name, i) => [name, i])), numbered = allNumbers(names);
  let decks = 0;
  for (let at = skipped; at < lines.length; at++) {
    const words = read(lines[at]), last = at === lines.length - 1;
    if (!words.length) continue;
    // "07" is the number 7.
    const deck = words.map((word) => places.get(numbered && NUMBER.test(word) ? String(Number(word)) : word) ?? -1);
    if (words.length !== cards || new Set(deck).size < cards || deck.includes(-1)) {
      const before = deck.slice(0, -1), odd = deck.indexOf(-1), again = deck.findIndex((card, i) => deck.indexOf(card) < i);
      if (last && ((own && !own(lines[at])) || (words.length <= cards && !before.includes(-1) && new Set(before).size === before.length))) return void notes.push("noteCut");
      if (words.length !== cards) throw refusal("wrongCount", { at: at + 1, value: excerpt(words), n: words.length, cards });
      throw refusal(odd < 0 ? "wrongTwice" : "wrongCard", { at: at + 1, value: excerpt([words[odd < 0 ? again : odd]]) });
    }
    add(deck);
    if (++decks % AT_ONCE === 0) yield decks;
  }
}
