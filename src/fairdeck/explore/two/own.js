// What is a person's own where everybody deals by an order of their own: a secret, then the orders, deck by deck, each as
// the number of its draws. As in fairdeck's Python.

import { factorial, orderNumber, orderNumbered } from "../../page/scripts/code.js";
import { sum } from "../../page/scripts/planner.js";
import { uniformPermutation } from "../../page/scripts/randomness.js";
import { bytesOf, fromHex, hexOf } from "../scripts/sha256.js";

const SECRET_SIZE = 32, MOST_ORDERED = 20000;

// As many bytes as n! - 1 needs.
/** @type {(cards: number) => number} */
const orderSize = (cards) => (cards > 1 ? Math.ceil((factorial(cards) - 1n).toString(16).length / 2) : 0);
/** @type {(agreement: Agreement) => number} */
export const ownSize = ({ deals, decks }) => SECRET_SIZE + decks * orderSize(deals[0].cards);

// New own bytes: the secret and the orders.
/** @type {(agreement: Agreement, person: number, secret: Uint8Array, below: Below) => Uint8Array} */
export function ownDrawn({ deals, decks }, person, secret, below) {
  const { cards } = deals[0], size = orderSize(cards), written = (/** @type {number[]} */ order) => (size ? fromHex(orderNumber(order).toString(16).padStart(2 * size, "0")) : []);
  return bytesOf(secret, ...Array.from({ length: decks }, () => written(splitOf(deals[person], uniformPermutation(cards, below)))));
}

// A person's orders, deck by deck; null if they are none that this person may have.
/** @type {(agreement: Agreement, person: number, own: Uint8Array) => number[][] | null} */
export function ordersIn(agreement, person, own) {
  const { deals, decks } = agreement, task = deals[person], { cards } = deals[0], size = orderSize(cards), most = factorial(cards);
  if (own.length !== ownSize(agreement)) return null;
  const numbers = Array.from({ length: decks }, (_, deck) => BigInt(`0x0${hexOf(own.slice(SECRET_SIZE + size * deck, SECRET_SIZE + size * (deck + 1)))}`));
  if (numbers.some((value) => value >= most)) return null;
  const orders = numbers.map((value) => orderNumbered(value, cards));
  return orders.every((order) => splitOf(task, order).join() === order.join()) ? orders : null;
}

// The one order of those that deal the same hands, in which each hand ascends; the first hand comes from the top.
/** @type {(task: Task, order: number[]) => number[]} */
function splitOf({ cards, goal: { piles } }, order) {
  let end = cards;
  const held = piles.map((size) => order.slice(end -= size, end + size).sort((a, b) => a - b));
  return piles.length ? held.reverse().flat() : order;
}

/** @type {(agreement: Agreement, person: number, own: Uint8Array) => boolean} */
export const isOwn = (agreement, person, own) => ordersIn(agreement, person, own) !== null;

// The cards after all deals, bottom first, by their places at the start.
/** @type {(orders: number[][]) => number[]} */
export const productOf = (orders) => orders.reduce((first, second) => second.map((place) => first[place]));

// Deals of which nobody learns anything by the piles: one sort key a card, and no stock.
/** @type {(agreed: Omit<Agreement, "written" | "digest">) => boolean} */
export function isOfWay({ way, deals, people, decks, start, beacon }) {
  const last = deals[deals.length - 1], { piles, text } = last.goal, isWhole = (/** @type {Task} */ task) => task.goal.text === "deck";
  return [
    way === "product", deals.length === people.length, deals.slice(0, -1).every(isWhole), isWhole(last) || sum(piles) === last.cards, last.cards * decks <= MOST_ORDERED,
    deals.every(({ dealers, classic }) => dealers === 1 && classic), !beacon.length, start === "same" || (start === "picked-up" && piles.length && !text.includes("+")),
  ].every(Boolean);
}
