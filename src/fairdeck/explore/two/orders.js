// The two orders of a deck that nobody knows: sealed, shown and multiplied, as in fairdeck's Python (docs/reference/draw.md).

import { readCode, writeCode } from "../../page/scripts/code.js";
import { dealOf } from "../../page/scripts/dealing.js";
import { checkTask, hands, makeMat, sum, wholeDeck } from "../../page/scripts/planner.js";
import { readLetters, writeLetters } from "../scripts/letters.js";
import { bytesOf, fieldsOf, sha256, utf8 } from "../scripts/sha256.js";

export const MARK = "T2", FIRST = 1, SECOND = 2, SALT_BYTES = 32;
const KINDS = "CR", FORMAT = "fairdeck-two/1", SEAL_BYTES = 32;

// What everybody sees says nothing: one sort key a card, and no stock.
/** @type {(cards: number, columns: number, rows: number, players: number) => Task} */
export function taskFor(cards, columns, rows, players) {
  const goal = players ? hands(cards, Array(players).fill(Math.floor(cards / players)), "rest") : wholeDeck();
  const task = { cards, mat: makeMat(columns, rows), goal, dealers: 1, leastPasses: 1, classic: true, bottom: "classic" };
  checkTask(task);
  return task;
}

/** @type {(person: number, task: Task, order: number[], salt: Uint8Array) => SealedOrder} */
export function sealedOrder(person, task, order, salt) {
  const code = writeCode(dealOf(task, order));
  return { person, task, order, salt, code, seal: sha256(fieldsOf([utf8(FORMAT), Uint8Array.of(person), salt, utf8(code)])) };
}

/** @type {(own: SealedOrder) => string} */
export const sealText = ({ person, seal }) => writeLetters(MARK, "C", bytesOf([person], seal));
/** @type {(own: SealedOrder) => string} */
export const orderText = ({ person, salt, code }) => writeLetters(MARK, "R", bytesOf([person], salt, utf8(code)));

// A seal or an order; null if it is neither.
/** @type {(text: string) => { person: number, seal?: Uint8Array, shown?: SealedOrder } | null} */
export function readOther(text) {
  const found = readLetters(MARK, KINDS, text), person = found ? found.content[0] : 0;
  if (!found || (person !== FIRST && person !== SECOND)) return null;
  if (found.kind === "C") return found.content.length === 1 + SEAL_BYTES ? { person, seal: found.content.slice(1) } : null;
  const code = String.fromCharCode(...found.content.slice(1 + SALT_BYTES)), deal = readCode(code);
  if (!deal || !suits(person, deal)) return null;
  const shown = sealedOrder(person, deal.task, deal.order, found.content.slice(1, 1 + SALT_BYTES));
  return shown.code === code ? { person, shown } : null;
}

/** @type {(person: number, deal: Deal) => boolean} */
function suits(person, { task, dealer, at }) {
  const whole = task.goal.text === "deck", dealt = sum(task.goal.piles) === task.cards;
  return task.classic && task.dealers === 1 && dealer === 0 && at === 0 && (whole || (person === SECOND && dealt));
}

// The cards after both deals, bottom first, named by their places at the start.
/** @type {(first: number[], second: number[]) => number[]} */
export const productOf = (first, second) => second.map((place) => first[place]);
