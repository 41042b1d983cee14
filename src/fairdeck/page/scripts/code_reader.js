// Reads a code.

import { checkOf, CLASSIC, CODE, codedGoal, factorial, goalOf, LARGEST_CODED, LONGEST_CODE, digitsOf, MOST_DEALERS, PLANNED, SAFE, sumOf, TURNED } from "./code.js";
import { dealOf } from "./dealing.js";
import { LARGEST_SIDE, makeMat } from "./planner.js";
import { coinsFor, uniformPermutation } from "./randomness.js";
import { startOf } from "./stages.js";

/** @type {(text: string, task: Task) => number[] | null} */
function readOrder(text, task) {
  const { cards } = task, limit = factorial(cards) << BigInt(task.turn ? cards : 0);
  let value = 0n;
  // First, because a long text would take forever.
  if (text.length !== Math.ceil(limit > 1n ? (limit - 1n).toString(2).length / 6 : 0)) return null;
  for (const letter of text) value = (value << 6n) | BigInt(SAFE.indexOf(letter));
  const digits = digitsOf(value);
  return value < limit && /^[\w-]*$/.test(text) ? [...uniformPermutation(cards, digits), ...coinsFor(task, digits)] : null;
}

// Null if the text has no code; a link or words may stand before it.
/** @type {(text: string) => Deal | null} */
export function readCode(text) {
  if (text.length > LONGEST_CODE) return null;
  try {
    const parts = text.replace(/\s/g, "").replace(/^.*?(?=f1\.)/, "").split("."), [at] = numbersIn(parts[6], /^(\d{1,7})$/);
    const [seat, dealers] = numbersIn(parts[5], /^(\d)of(\d)$/), task = taskIn(parts, dealers), order = task && readOrder(parts[7], task);
    if (!task || !order || seat < 1 || seat > dealers || parts.slice(10).join("")) return null;
    const deal = dealOf(task, order, seat - 1, at);
    const isWhole = checkOf(deal) === parts[8] || (!at && dealers === 1 && sumOf(parts.slice(1, 8).join(".")) === parts[8]);
    return isWhole && at <= startOf(deal, deal.plan.passes.length) ? deal : null;
  } catch {
    return null; // no code
  }
}

/** @type {(parts: string[], dealers: number) => Task | null} */
function taskIn([mark, size, grid, whole, how, , , , , labels], dealers) {
  const turn = whole.endsWith(TURNED), goalText = turn ? whole.slice(0, -TURNED.length) : whole;
  const [cards] = numbersIn(size, /^(\d{1,5})$/), [columns, rows] = numbersIn(grid, /^(\d{1,2})x(\d{1,2})$/);
  if (mark !== CODE || !cards || cards > LARGEST_CODED || dealers > Math.min(cards, MOST_DEALERS) || !PLANNED.includes(how)) return null;
  if (columns < 1 || rows < 1 || Math.max(columns, rows) > LARGEST_SIDE || goalText.length > 200) return null;
  const mat = makeMat(columns, rows, labels && JSON.parse(decodeURIComponent(labels))), goal = goalOf(goalText, cards);
  return goal && codedGoal(goal.text) === goalText && (how === CLASSIC || !goal.parts) ? { cards, mat, goal, dealers, leastPasses: 1, classic: how === CLASSIC, bottom: how, turn } : null;
}

// Throws if the text does not match.
/** @type {(text: string, pattern: any) => number[]} */
const numbersIn = (text, pattern) => pattern.exec(text).slice(1).map(Number);
