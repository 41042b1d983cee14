// The two orders of a deck that nobody knows: sealed, shown and multiplied, as in fairdeck's Python (docs/reference/draw.md).

import { readCode, writeCode } from "../../page/scripts/code.js";
import { dealOf } from "../../page/scripts/dealing.js";
import { checkTask, hands, makeMat, SHOWN, sum, wholeDeck } from "../../page/scripts/planner.js";
import { readLetters, writeLetters } from "../scripts/letters.js";
import { bytesOf, fieldsOf, sha256, utf8 } from "../scripts/sha256.js";

export const MARK = "T2", FIRST = 1, SECOND = 2, SALT_BYTES = 32, LONGEST_SESSION = 64;
const KINDS = "CR", FORMAT = "fairdeck-two/2", SEAL_BYTES = 32, SESSION_BYTES = 16, BEGINNING = SESSION_BYTES + 1;

/** @type {(what: string, ...parts: Uint8Array[]) => Uint8Array} */
const hashed = (what, ...parts) => sha256(fieldsOf([utf8(`${FORMAT} ${what}`), ...parts]));

// Of a text that both people type, in capital letters or not; null if it cannot be seen or is too long.
/** @type {(text: string) => Uint8Array | null} */
export function sessionNamed(text) {
  const name = text.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
  return SHOWN.test(name) && [...name].length <= LONGEST_SESSION ? hashed("session", utf8(name)).slice(0, SESSION_BYTES) : null;
}

// What everybody sees says nothing: one sort key a card, and no stock.
/** @type {(cards: number, columns: number, rows: number, players: number) => Task} */
export function taskFor(cards, columns, rows, players) {
  const goal = players ? hands(cards, Array(players).fill(Math.floor(cards / players)), "rest") : wholeDeck();
  const task = { cards, mat: makeMat(columns, rows), goal, dealers: 1, leastPasses: 1, classic: true, bottom: "classic" };
  checkTask(task);
  return task;
}

/** @type {(person: number, task: Task, order: number[], salt: Uint8Array, session: Uint8Array) => SealedOrder} */
export function sealedOrder(person, task, order, salt, session) {
  const code = writeCode(dealOf(task, order));
  return { person, task, order, salt, session, code, seal: hashed("commitment", session, Uint8Array.of(person), salt, utf8(code)) };
}

/** @type {(own: SealedOrder) => string} */
export const sealText = ({ person, session, seal }) => writeLetters(MARK, "C", bytesOf(session, [person], seal));
/** @type {(own: SealedOrder) => string} */
export const orderText = ({ person, session, salt, code }) => writeLetters(MARK, "R", bytesOf(session, [person], salt, utf8(code)));

// A seal or an order; null if it is neither.
/** @type {(text: string) => { person: number, session: Uint8Array, seal?: Uint8Array, shown?: SealedOrder } | null} */
export function readOther(text) {
  const found = readLetters(MARK, KINDS, text), content = found ? found.content : new Uint8Array(0), person = content[SESSION_BYTES];
  if (!found || (person !== FIRST && person !== SECOND)) return null;
  const session = content.slice(0, SESSION_BYTES), rest = content.slice(BEGINNING);
  if (found.kind === "C") return rest.length === SEAL_BYTES ? { person, session, seal: rest } : null;
  const code = String.fromCharCode(...rest.slice(SALT_BYTES)), deal = readCode(code);
  if (!deal || !suits(person, deal)) return null;
  const shown = sealedOrder(person, deal.task, deal.order, rest.slice(0, SALT_BYTES), session);
  return shown.code === code ? { person, session, shown } : null;
}

/** @type {(person: number, deal: Deal) => boolean} */
function suits(person, { task, dealer, at }) {
  const whole = task.goal.text === "deck", dealt = sum(task.goal.piles) === task.cards;
  return task.classic && task.dealers === 1 && dealer === 0 && at === 0 && (whole || (person === SECOND && dealt));
}

// The cards after both deals, bottom first, named by their places at the start.
/** @type {(first: number[], second: number[]) => number[]} */
export const productOf = (first, second) => second.map((place) => first[place]);
