// A deal as a short text, for another device or dealer:
//   f1.60.5x2.deck.pass.1of2.37.ORDER.SUM, and with own labels .LABELS
// The order is the draws that make it, one number in mixed radix. The sum reveals a code cut short, or other plans.

import { dealOf, startOf } from "./dealing.js";
import { hands, LARGEST_SIDE, makeMat, sum, topCards, wholeDeck } from "./planner.js";
import { uniformPermutation } from "./randomness.js";

export const CODE = "f1", LARGEST_CODED = 10000, LONGEST_CODE = 40000, MOST_DEALERS = 4, CLASSIC = "classic", PLANNED = ["never", "pass", "space", CLASSIC];
const SAFE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

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

/** @type {(text: string, limit: bigint) => bigint | null} */
function readNumber(text, limit) {
  let value = 0n;
  // First, because a long text would take forever.
  if (text.length !== Math.ceil(limit > 1n ? (limit - 1n).toString(2).length / 6 : 0)) return null;
  for (const letter of text) value = (value << 6n) | BigInt(SAFE.indexOf(letter));
  return value < limit && /^[\w-]*$/.test(text) ? value : null;
}

/** @type {(n: number) => bigint} */
function factorial(n) {
  let value = 1n;
  for (let factor = 2; factor <= n; factor++) value *= BigInt(factor);
  return value;
}

/** @type {(order: number[]) => string} */
function writeOrder(order) {
  let value = 0n, bound = 2n;
  for (const drawn of drawsOf(order).reverse()) value = value * bound++ + BigInt(drawn);
  return writeNumber(value, factorial(order.length));
}

/** @type {(text: string, cards: number) => number[] | null} */
function readOrder(text, cards) {
  const number = readNumber(text, factorial(cards));
  if (number === null) return null;
  let value = number;
  return uniformPermutation(cards, (bound) => {
    const drawn = Number(value % BigInt(bound));
    value /= BigInt(bound);
    return drawn;
  });
}

// FNV-1a, 32 bits: against slips, not forgery.
/** @type {(text: string) => string} */
function sumOf(text) {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return value.toString(36);
}

/** @type {(text: string) => string} */
export const codedGoal = (text) => text.replace(/[:,]/g, "_").replace("+", "-");
/** @type {(mat: Mat) => boolean} */
export const hasOwnLabels = ({ columns, rows, labels }) => labels.join() !== makeMat(columns, rows).labels.join();
/** @type {(deal: Deal) => any[]} */
const headOf = ({ task, dealer, at }) => [
  task.cards, `${task.mat.columns}x${task.mat.rows}`, codedGoal(task.goal.text),
  task.classic ? CLASSIC : task.bottom, `${dealer + 1}of${task.dealers}`, at,
];
/** @type {(deal: Deal) => string} */
const checkOf = (deal) => sumOf(headOf(deal).join(".") + JSON.stringify([deal.plan.mat, deal.plan.passes]));

// Empty if own labels make it too long.
/** @type {(deal: Deal) => string} */
export function writeCode(deal) {
  const code = [CODE, ...headOf(deal), writeOrder(deal.order), checkOf(deal)];
  if (hasOwnLabels(deal.task.mat)) code.push(encodeURIComponent(JSON.stringify(deal.task.mat.labels)).replace(/\./g, "%2E"));
  const text = code.join(".");
  return text.length > LONGEST_CODE ? "" : text;
}

// Null if the text has no code; a link or words may stand before it.
/** @type {(text: string) => Deal | null} */
export function readCode(text) {
  if (text.length > LONGEST_CODE) return null;
  try {
    const parts = text.replace(/\s/g, "").replace(/^.*?(?=f1\.)/, "").split("."), [at] = numbersIn(parts[6], /^(\d{1,7})$/);
    const [seat, dealers] = numbersIn(parts[5], /^(\d)of(\d)$/), task = taskIn(parts, dealers), order = task && readOrder(parts[7], task.cards);
    if (!task || !order || seat < 1 || seat > dealers || parts.slice(10).join("")) return null;
    const deal = dealOf(task, order, seat - 1, at);
    return checkOf(deal) === parts[8] && at <= startOf(deal, deal.plan.passes.length) ? deal : null;
  } catch {
    // it is no code
    return null;
  }
}

/** @type {(parts: string[], dealers: number) => Task | null} */
function taskIn([mark, size, grid, goalText, how, , , , , labels], dealers) {
  const [cards] = numbersIn(size, /^(\d{1,5})$/), [columns, rows] = numbersIn(grid, /^(\d{1,2})x(\d{1,2})$/);
  if (mark !== CODE || !cards || cards > LARGEST_CODED || dealers > Math.min(cards, MOST_DEALERS) || !PLANNED.includes(how)) return null;
  if (columns < 1 || rows < 1 || Math.max(columns, rows) > LARGEST_SIDE || goalText.length > 200) return null;
  const mat = makeMat(columns, rows, labels && JSON.parse(decodeURIComponent(labels))), goal = goalOf(goalText, cards);
  return goal && codedGoal(goal.text) === goalText ? { cards, mat, goal, dealers, leastPasses: 1, classic: how === CLASSIC, bottom: how } : null;
}

// Throws if the text does not match.
/** @type {(text: string, pattern: any) => number[]} */
const numbersIn = (text, pattern) => pattern.exec(text).slice(1).map(Number);

/** @type {(text: string, cards: number) => Goal | null} */
export function goalOf(text, cards) {
  if (text === "deck") return wholeDeck();
  const [, kind, value, left] = /^(top|hands)_([\dx_]+)(?:-(stock|rest))?$/.exec(text) || [];
  if (kind === "top") return Number(value) >= 1 && Number(value) <= cards ? topCards(cards, Number(value)) : null;
  const sizes = value.split("_").flatMap((group) => {
    const [size, times = 1] = group.split("x").map(Number).reverse();
    return Array(Math.min(times, cards + 1)).fill(size);
  });
  const over = cards - sum(sizes);
  return sizes.every((size) => size > 0) && over >= 0 && (over > 0) === Boolean(left) ? hands(cards, sizes, left) : null;
}
