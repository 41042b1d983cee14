// Everything that is agreed on before a draw, as bytes: as in fairdeck's Python, byte for byte (docs/reference/draw.md).

import { codedGoal, goalOf, hasOwnLabels, LARGEST_CODED, MOST_DEALERS, PLANNED } from "../../page/scripts/code.js";
import { checkTask, LARGEST_SIDE, lookOf, makeMat, SHOWN } from "../../page/scripts/planner.js";
import { fieldsOf, fromUtf8, numberBytes, numberIn, readFields, sha256, utf8 } from "../scripts/sha256.js";

export const FORMAT = "fairdeck-together/1", FEWEST_PEOPLE = 2, MOST_PEOPLE = 60, LONGEST_NAME = 40, LONGEST_NOTE = 200;
const MOST_DECKS = 10000, MOST_ATTEMPTS = 1000, SESSION_SIZE = 16, BEFORE_SIZE = 64, LONGEST_AGREEMENT = 200000, FIELDS = 16, DEADLINE = /^(2\d{3}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\dZ)?$/;

// What is hashed, and in which version, stands before it.
/** @type {(what: string, ...parts: Uint8Array[]) => Uint8Array} */
export const hashed = (what, ...parts) => sha256(fieldsOf([utf8(`${FORMAT} ${what}`), ...parts]));
/** @type {(value: number) => Uint8Array} */
export const eightBytes = (value) => numberBytes(value, 8);
/** @type {(texts: string[]) => Uint8Array} */
const textsBytes = (texts) => fieldsOf(texts.map(utf8));

/** @type {(agreed: Omit<Agreement, "written" | "digest">) => Agreement} */
export function agreementOf(agreed) {
  const { task, people, session, decks, names, attempt, before, deadline, beacon, note } = agreed, { cards, mat, goal, dealers } = task;
  const written = fieldsOf([
    utf8(FORMAT), eightBytes(cards), textsBytes(names), utf8(`${mat.columns}x${mat.rows}`), textsBytes(hasOwnLabels(mat) ? mat.labels : []),
    utf8(goal.text), utf8(task.classic ? "classic" : task.bottom), eightBytes(dealers), eightBytes(decks), session,
    eightBytes(attempt), before, textsBytes(people), utf8(deadline), beacon, utf8(note),
  ]);
  return { ...agreed, written, digest: hashed("agreement", written) };
}

// One visible line in the one form that a hash needs.
/** @type {(text: string, longest: number) => boolean} */
export function isName(text, longest) {
  const length = [...text].length;
  return length <= longest && text === text.normalize("NFC") && SHOWN.test(text);
}

/** @type {(names: string[], form?: "NFC" | "NFKC") => boolean} */
export const areDistinct = (names, form = "NFC") => new Set(names.map((name) => lookOf(name.normalize(form)).toLowerCase())).size === names.length;

// Null if the bytes are not an agreement, or not written in the one way that its hash allows.
/** @type {(written: Uint8Array) => Agreement | null} */
export function readAgreement(written) {
  if (written.length > LONGEST_AGREEMENT) return null;
  try {
    const agreement = agreementOf(agreedIn(readFields(written)));
    return agreement.written.join() === written.join() && isSound(agreement) ? agreement : null;
  } catch {
    // it ends too early, or is something else
    return null;
  }
}

/** @type {(fields: Uint8Array[]) => Omit<Agreement, "written" | "digest">} */
function agreedIn(fields) {
  if (fields.length !== FIELDS || fromUtf8(fields[0]) !== FORMAT) throw new Error(FORMAT);
  const [cards, dealers, decks, attempt] = [1, 7, 8, 10].map((place) => numberIn(fields[place]));
  const [names, labels, people] = [2, 4, 12].map((place) => readFields(fields[place]).map(fromUtf8));
  const [size, goalText, how, deadline, note] = [3, 5, 6, 13, 15].map((place) => fromUtf8(fields[place]));
  const [columns, rows] = size.split("x").map(Number), goal = goalOf(codedGoal(goalText), cards);
  if (!goal || cards < 1 || cards > LARGEST_CODED || !(columns > 0 && rows > 0) || Math.max(columns, rows) > LARGEST_SIDE) throw new Error("deck or mat");
  const mat = makeMat(columns, rows, labels.length ? labels : undefined);
  const task = { cards, mat, goal, dealers, leastPasses: 1, classic: how === "classic", bottom: how };
  return { task, people, session: fields[9], decks, names, attempt, before: fields[11], deadline, beacon: fields[14], note };
}

/** @type {(agreement: Agreement) => boolean} */
function isSound({ task, people, session, decks, names, attempt, before, deadline, beacon, note }) {
  checkTask(task);
  /** @type {(value: number, least: number, most: number) => boolean} */
  const within = (value, least, most) => value >= least && value <= most;
  const [chain, round] = readFields(beacon), isBeacon = !chain || (chain.length === 32 && round.length === 8 && within(numberIn(round), 1, 2 ** 63 - 1024));
  return [
    within(people.length, FEWEST_PEOPLE, MOST_PEOPLE), [0, task.cards].includes(names.length), session.length === SESSION_SIZE,
    within(task.dealers, 1, Math.min(task.cards, MOST_DEALERS)), PLANNED.includes(task.bottom), within(decks, 1, MOST_DECKS),
    within(attempt, 1, MOST_ATTEMPTS), before.length === (attempt > 1 ? BEFORE_SIZE : 0), DEADLINE.test(deadline), isBeacon, note === "" || isName(note, LONGEST_NOTE),
    [...people, ...names].every((name) => isName(name, LONGEST_NAME)), areDistinct(people, "NFKC"), areDistinct(names),
  ].every(Boolean);
}
