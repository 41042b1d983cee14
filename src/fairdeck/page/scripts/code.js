// A deal as a short text, for another device or dealer:
//   f1.60.5x2.deck.pass.1of2.37.ORDER.SUM, and with own labels .LABELS
// The order is the draws that make it, one number in mixed radix. The sum reveals a code cut short, or other plans. Of a
// deal that one dealer has not begun it may be over the text alone: who draws an order need not plan.

import { hands, makeMat, strata, sum, topCards, wholeDeck } from "./planner.js";
import { uniformPermutation } from "./randomness.js";

export const CODE = "f1", LARGEST_CODED = 10000, LONGEST_CODE = 40000, MOST_DEALERS = 4, CLASSIC = "classic", TURNED = "-turn", PLANNED = ["never", "pass", "space", CLASSIC];
export const SAFE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// With these uniformPermutation makes the order.
/** @type {(order: number[]) => number[]} */
function drawsOf(order) {
  const cards = order.map((_, i) => i), place = cards.slice(), draws = [];
  for (let last = order.length - 1; last > 0; last--) {
    const drawn = place[order[last]];
    draws.push(drawn);
    cards[drawn] = cards[last];
    place[cards[drawn]] = drawn;
  }
  return draws;
}

// As many letters as the largest number takes.
/** @type {(value: bigint, limit: bigint) => string} */
function writeNumber(value, limit) {
  let text = "";
  for (let rest = limit - 1n; rest > 0n; rest >>= 6n, value >>= 6n) text = SAFE[Number(value & 63n)] + text;
  return text;
}

/** @type {(n: number) => bigint} */
export function factorial(n) {
  let value = 1n;
  for (let factor = 2; factor <= n; factor++) value *= BigInt(factor);
  return value;
}

/** @type {(order: number[]) => bigint} */
export function orderNumber(order) {
  let value = 0n, bound = 2n;
  for (const drawn of drawsOf(order).reverse()) value = value * bound++ + BigInt(drawn);
  return value;
}

/** @type {(value: bigint, cards: number) => number[]} */
export const orderNumbered = (value, cards) => uniformPermutation(cards, digitsOf(value));

/** @type {(value: bigint) => Below} */
export const digitsOf = (value) => (bound) => {
  const drawn = Number(value % BigInt(bound));
  value /= BigInt(bound);
  return drawn;
};

// FNV-1a, 32 bits: against slips, not forgery.
/** @type {(text: string) => string} */
export function sumOf(text) {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return value.toString(36);
}

/** @type {(text: string) => string} */
export const codedGoal = (text) => text.replace(/[:,]/g, "_").replace("+", "-");
/** @type {(mat: Mat) => boolean} */
export const hasOwnLabels = ({ columns, rows, labels }) => labels.join() !== makeMat(columns, rows).labels.join();
/** @typedef {Pick<Deal, "task" | "order" | "dealer" | "at">} Coded */
/** @type {(deal: Coded) => any[]} */
const headOf = ({ task, dealer, at }) => [
  task.cards, `${task.mat.columns}x${task.mat.rows}`, codedGoal(task.goal.text) + (task.turn ? TURNED : ""),
  task.classic ? CLASSIC : task.bottom, `${dealer + 1}of${task.dealers}`, at,
];
/** @type {(deal: Deal) => string} */
export const checkOf = (deal) => sumOf(headOf(deal).join(".") + JSON.stringify([deal.plan.mat, deal.plan.passes]));

// Empty if own labels make it too long. `check` makes the sum; it is given what stands between the mark and the sum.
/** @type {(deal: Coded, check: (start: string) => string) => string} */
export function codeWith(deal, check) {
  const { cards } = deal.task, orders = factorial(cards), coins = deal.order.slice(cards);
  // The coins are the highest digits, the first of them the lowest of these.
  const number = orderNumber(deal.order.slice(0, cards)) + orders * BigInt(`0b0${[...coins].reverse().join("")}`);
  const start = [...headOf(deal), writeNumber(number, orders << BigInt(coins.length))].join("."), code = [CODE, start, check(start)];
  if (hasOwnLabels(deal.task.mat)) code.push(encodeURIComponent(JSON.stringify(deal.task.mat.labels)).replace(/\./g, "%2E"));
  const text = code.join(".");
  return text.length > LONGEST_CODE ? "" : text;
}

/** @type {(deal: Deal) => string} */
export const writeCode = (deal) => codeWith(deal, () => checkOf(deal));

/** @type {(text: string, cards: number) => Goal | null} */
export function goalOf(text, cards) {
  if (text === "deck") return wholeDeck();
  const [, kind, value, left] = /^(top|hands|strata)_([\dx_]+)(?:-(stock|rest))?$/.exec(text) || [];
  if (kind === "top") return Number(value) >= 1 && Number(value) <= cards ? topCards(cards, Number(value)) : null;
  const sizes = value.split("_").flatMap((group) => {
    const [size, times = 1] = group.split("x").map(Number).reverse();
    return Array(Math.min(times, cards + 1)).fill(size);
  });
  const over = cards - sum(sizes);
  if (!sizes.every((size) => size > 0) || over < 0 || (over > 0) !== !!left) return null;
  return kind === "hands" ? hands(cards, sizes, left) : strata(sizes);
}
