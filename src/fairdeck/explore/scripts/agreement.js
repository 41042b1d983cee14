// Everything that is agreed on before a draw, as bytes: as in fairdeck's Python, byte for byte (docs/reference/draw.md).

import { CLASSIC, codedGoal, goalOf, hasOwnLabels, LARGEST_CODED, MOST_DEALERS, PLANNED } from "../../page/scripts/code.js";
import { fits, LARGEST_SIDE, lookOf, makeMat, SHOWN } from "../../page/scripts/planner.js";
import { isOfWay } from "./own.js";
import { fieldsOf, fromUtf8, hexOf, numberBytes, numberIn, readFields, sha256, utf8 } from "./sha256.js";

export const FORMAT = "fairdeck-trust/1", FEWEST_PEOPLE = 2, MOST_PEOPLE = 60, LONGEST_NAME = 40, LONGEST_NOTE = 200, HASH_BYTES = 32;
const MOST_DECKS = 10000, MOST_ATTEMPTS = 1000, SESSION_SIZE = 16, LONGEST_AGREEMENT = 200000, DEADLINE = /^2\d{3}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\dZ$/;

// A text is UTF-8, a number eight bytes, a list a field of fields; bytes stay.
/** @type {(value: any) => Uint8Array} */
const coded = (value) => (value instanceof Uint8Array ? value : typeof value === "string" ? utf8(value) : typeof value === "number" ? numberBytes(value, 8) : fieldsOf(value.map(coded)));
// What is hashed, and in which version, stands before it.
/** @type {(what: string, ...parts: any[]) => Uint8Array} */
export const hashed = (what, ...parts) => sha256(fieldsOf([`${FORMAT} ${what}`, ...parts].map(coded)));

/** @type {(task: Task) => any} */
const dealFields = ({ mat, goal, classic, bottom, dealers }) => ({
  mat: `${mat.columns}x${mat.rows}`, labels: hasOwnLabels(mat) ? mat.labels : [], goal: goal.text, planning: classic ? CLASSIC : bottom, dealers,
});
// The fields in their order; bytes as they are, the beacon as it is coded.
/** @type {(agreed: Omit<Agreement, "written" | "digest">) => any} */
const agreedFields = ({ way, deals, names, start, decks, called, people, session, attempt, before, deadline, beacon, note }) => ({
  way, cards: deals[0].cards, names, start, deals: deals.map(dealFields), decks, called, people, session, attempt, before, deadline, beacon, note,
});
// As a transcript has them; a draw of the pages has no beacon.
/** @type {(agreement: Agreement) => any} */
export const agreementFields = (agreement) => ({ ...agreedFields(agreement), session: hexOf(agreement.session), before: hexOf(agreement.before), beacon: null });

/** @type {(agreed: Omit<Agreement, "written" | "digest">) => Agreement} */
export function agreementOf(agreed) {
  const fields = agreedFields(agreed), written = fieldsOf([FORMAT, ...Object.values({ ...fields, deals: fields.deals.map(Object.values) })].map(coded));
  return { ...agreed, written, digest: hashed("agreement", written) };
}

// One visible line in the one form that a hash needs.
/** @type {(text: string, longest: number) => boolean} */
export const isName = (text, longest) => [...text].length <= longest && text === text.normalize("NFC") && SHOWN.test(text);
/** @type {(name: string) => string} */
const alike = (name) => lookOf(name).toLowerCase();
/** @type {(people: string[]) => boolean} */
export const areDistinct = (people) => new Set(people.map((name) => alike(name.normalize("NFKC")))).size === people.length;

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
function agreedIn([format, way, size, names, start, deals, decks, called, people, session, attempt, before, deadline, beacon, note, ...more]) {
  const texts = (/** @type {Uint8Array} */ field) => readFields(field).map(fromUtf8), cards = numberIn(size);
  if (fromUtf8(format) !== FORMAT || more.length || cards < 1 || cards > LARGEST_CODED) throw new Error(FORMAT);
  return {
    way: fromUtf8(way), deals: readFields(deals).map((deal) => dealtIn(readFields(deal), cards, texts)), names: texts(names), start: fromUtf8(start), decks: numberIn(decks),
    called: texts(called), people: texts(people), session, attempt: numberIn(attempt), before, deadline: fromUtf8(deadline), beacon, note: fromUtf8(note),
  };
}

/** @type {(fields: Uint8Array[], cards: number, texts: (field: Uint8Array) => string[]) => Task} */
function dealtIn([size, own, goalText, planning, dealers], cards, texts) {
  const [columns, rows] = fromUtf8(size).split("x").map(Number), labels = texts(own), goal = goalOf(codedGoal(fromUtf8(goalText)), cards), bottom = fromUtf8(planning);
  if (!goal || goal.parts || !(columns > 0 && rows > 0) || Math.max(columns, rows) > LARGEST_SIDE) throw new Error("deck or mat");
  return { cards, mat: makeMat(columns, rows, labels.length ? labels : undefined), goal, dealers: numberIn(dealers), leastPasses: 1, classic: bottom === CLASSIC, bottom };
}

/** @type {(value: number, least: number, most: number) => boolean} */
const within = (value, least, most) => value >= least && value <= most;

/** @type {(agreement: Agreement) => boolean} */
function isSound(agreement) {
  const { deals, people, session, decks, names, called, attempt, before, deadline, beacon, note } = agreement;
  const [chain, round] = readFields(beacon), isBeacon = !chain || (chain.length === HASH_BYTES && round.length === 8 && within(numberIn(round), 1, 2 ** 63 - 1024));
  // Names that look alike are the same.
  const areClear = (/** @type {string[]} */ lines) => lines.every((line) => isName(line, LONGEST_NAME)) && new Set(lines.map(alike)).size === new Set(lines).size;
  return [
    isOfWay(agreement), deals.every(fits), within(people.length, FEWEST_PEOPLE, MOST_PEOPLE), people.every((name) => isName(name, LONGEST_NAME)), areDistinct(people), areClear(names), areClear(called),
    [0, deals[0].cards].includes(names.length), [0, decks].includes(called.length), session.length === SESSION_SIZE, within(decks, 1, MOST_DECKS), isBeacon,
    deals.every(({ cards, dealers, bottom }) => within(dealers, 1, Math.min(cards, MOST_DEALERS)) && PLANNED.includes(bottom)),
    within(attempt, 1, MOST_ATTEMPTS), before.length === (attempt > 1 ? 2 * HASH_BYTES : 0), isTime(deadline), note === "" || isName(note, LONGEST_NOTE),
  ].every(Boolean);
}

/** @type {(text: string) => boolean} */
const isTime = (text) => text === "" || (DEADLINE.test(text) && new Date(text).toISOString().startsWith(text.slice(0, -1)));
