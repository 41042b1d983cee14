// Who can know an order, and who can choose it: found by going through all cases. Orders here list the top card first.

import { makeMat, planFor, wholeDeck } from "../../page/scripts/planner.js";
import { ordersOf } from "../scripts/small_decks.js";

/** @type {(n: number) => number[][]} */
export const allOrders = (n) => ordersOf([...Array(n).keys()]);
/** @type {(order: (number | null)[]) => string} */
export const nameOf = (order) => order.map((card) => (card === null ? "?" : "ABCDE"[card])).join("");

// The cards after one order and then another: `move[place]` is the place that the card there came from.
/** @type {<Card>(deck: Card[], move: number[]) => Card[]} */
export const movedBy = (deck, move) => move.map((place) => deck[place]);

// --- one device: `known` tells for each place at the start whether the device knows the card there

// The results that are possible for it, each equally likely.
/** @type {(move: number[], known: boolean[]) => number[][]} */
export const possibleResults = (move, known) => allOrders(move.length).filter((start) => known.every((knows, place) => !knows || start[place] === place)).map((start) => movedBy(start, move));

// A rigged device does not draw: what it knows comes to the top, in an order of its liking.
/** @type {(move: number[], known: boolean[]) => number[]} */
export const riggedMove = (move, known) => [...known.keys()].filter((place) => known[place]).concat(move.filter((place) => !known[place]));

// --- drawn together: everybody has a number, and the rest of the sum is the rank of the order

/** @type {(rank: number) => number[]} */
const only = (rank) => Array.from({ length: SUMS }, (_, other) => Number(other === rank));
export const SUMS = 6, PEOPLE = ["Ann", "Ben", "Cem"];

// How often each rank comes, over all numbers of the honest people; the others have sealed theirs.
/** @type {(honest: number, sealed: number[]) => number[]} */
export function countsOfSums(honest, sealed) {
  let counts = only(sealed.reduce((all, number) => all + number, 0) % SUMS);
  for (let person = 0; person < honest; person++) {
    counts = counts.map((_, rank) => counts.reduce((all, count, before) => all + count * only(rank).filter((_, number) => (before + number) % SUMS === rank).length, 0));
  }
  return counts;
}

// Whether people who are dishonest, and work together, decide alone.
/** @type {(liars: number, sealed: boolean) => boolean} */
export const decideAlone = (liars, sealed) => liars === PEOPLE.length || (liars > 0 && !sealed);

// The share of each rank in the end. Somebody dishonest walks away from what is not wanted, as often as that is allowed.
/** @type {(liars: number, sealed: boolean, wanted: number[], voids: number) => number[]} */
export function sharesOf(liars, sealed, wanted, voids) {
  if (decideAlone(liars, sealed)) return only(-1).map((_, rank) => (wanted.includes(rank) ? 1 / wanted.length : 0));
  const counts = countsOfSums(PEOPLE.length - liars, Array(liars).fill(0)), all = counts.reduce((sum, count) => sum + count, 0);
  let cases = 1, ends = only(-1);
  for (let left = 0; left <= (liars ? voids : 0); left++) {
    const taken = counts.map((count, rank) => (wanted.includes(rank) || !left ? count : 0)), again = all - taken.reduce((sum, count) => sum + count, 0);
    ends = ends.map((end, rank) => taken[rank] * cases + again * end);
    cases *= all;
  }
  return ends.map((end) => end / cases);
}

// --- what everybody sees of a deal

// The passes of each order of n cards, by the planner that deals; `classic`: one sort key a card.
/** @type {(n: number, classic: boolean, columns?: number, rows?: number) => { order: number[], passes: Pass[], seen: string, piles: string }[]} */
export function viewsOf(n, classic, columns = 3, rows = 1) {
  const task = { cards: n, mat: makeMat(columns, rows), goal: wholeDeck(), dealers: 1, leastPasses: 1, classic, bottom: "pass" };
  return allOrders(n).map((order) => {
    // The planner counts cards and places from the bottom.
    const { passes } = planFor(task, order.map((card) => n - 1 - card).reverse());
    const piles = passes.map(({ counts, stack }) => `${counts}/${stack}`).join(" ");
    return { order, passes, piles, seen: `${piles} ${passes.map(({ from }) => from || "top")}` };
  });
}

// What a sight tells of one of so many equally likely cases, in bits.
/** @type {(sights: string[]) => number} */
export function bitsTold(sights) {
  const counts = new Map();
  for (const sight of sights) counts.set(sight, (counts.get(sight) || 0) + 1);
  return [...counts.values()].reduce((told, count) => told + (count / sights.length) * Math.log2(sights.length / count), 0);
}
