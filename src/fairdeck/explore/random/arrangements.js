// Arrangements: a[i] is the card, named by where it started, that lies at place i; place 0 is the bottom of the deck.

import { cardsOf } from "../scripts/small_decks.js";

/** @type {(values: number[]) => boolean} */
export const isArrangement = (values) => values.length > 0 && cardsOf(values.length).every((card) => values.includes(card));

// The other reading: where each card went.
/** @type {(a: number[]) => number[]} */
export const inverse = (a) => a.map((_, card) => a.indexOf(card));

// First p, then q.
/** @type {(p: number[], q: number[]) => number[]} */
export const then = (p, q) => q.map((place) => p[place]);

/** @type {(a: number[], one: number, other: number) => number[]} */
export const exchanged = (a, one, other) => a.map((card, place) => (place === one ? a[other] : place === other ? a[one] : card));

// The order that a text lists, bottom first; null if the text lists no order.
/** @type {(text: string, most: number) => number[] | null} */
export function readOrder(text, most) {
  const words = text.trim().split(/[\s,;.]+/);
  const order = words.every((word) => /^\d{1,3}$/.test(word)) ? words.map(Number) : [];
  return order.length <= most && isArrangement(order) ? order : null;
}

// Adds a deck: its cards by place, or for each card the one that lies on it; column n stands for none.
/** @type {(table: number[][], deck: number[], neighbours: boolean) => void} */
export function countDeck(table, deck, neighbours) {
  deck.forEach((card, place) => { table[neighbours ? card : place][neighbours ? deck[place + 1] ?? deck.length : card]++; });
}
