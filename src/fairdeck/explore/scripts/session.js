// A draw as one device sees it: what it has received, and what it must send next. Nothing here knows the screen.
//
// One device collects: it sends the invitation (A), the list of all commitments (L) and all that was shown (S). The others
// answer with a commitment (C) and, when it is in the list and the table of states allows it, with their own bytes (R).
// Messages are not signed: one that does not fit is refused and changes nothing. Only who collects declares a draw void.

import { ROLES, STATES, WAY } from "../../page/scripts/built.js";
import { agreementFields, agreementOf, FORMAT, HASH_BYTES, hashed, readAgreement } from "./agreement.js";
import { BASE_32, readLetters, writeLetters } from "./letters.js";
import { isOwn, ownSize } from "./own.js";
import { bytesOf, fromHex, hexOf } from "./sha256.js";

export const MARK = "T1", KINDS = "ACLRS", DRAW_BYTES = 8, RESULT_LETTERS = 12;

/** @type {(agreement: Agreement, person: number, own: Uint8Array) => Uint8Array} */
const commitmentOf = (agreement, person, own) => hashed("commitment", agreement.written, person, own);
/** @type {(agreement: Agreement, commitments: Uint8Array[]) => Uint8Array} */
const listDigest = (agreement, commitments) => hashed("list", agreement.written, ...commitments);
/** @type {(listed: Uint8Array, owns: Uint8Array[]) => Uint8Array} */
const shownDigest = (listed, owns) => hashed("shown", listed, ...owns);
/** @type {(listed: Uint8Array, owns: Uint8Array[]) => Uint8Array} */
const seedOf = (listed, owns) => hashed("seed", listed, ...owns, "");

// 60 bits of a hash of the end: of the seed, or of all that was shown.
/** @type {(end: Uint8Array) => string} */
function resultCode(end) {
  const value = BigInt(`0x${hexOf(hashed("result", end).slice(0, 8))}`) >> 4n;
  const letters = Array.from({ length: RESULT_LETTERS }, (_, place) => BASE_32[Number((value >> BigInt(55 - 5 * place)) & 31n)]).join("");
  return [letters.slice(0, 4), letters.slice(4, 8), letters.slice(8)].join(" ");
}

/** @type {(bytes: Uint8Array, size?: number) => Uint8Array[]} */
const piecesOf = (bytes, size = HASH_BYTES) => Array.from({ length: bytes.length / size }, (_, i) => bytes.slice(size * i, size * (i + 1)));

// A message that cannot be taken; `values` are for its text.
export class DrawError extends Error {
  /** @param {string} key @param {Record<string, string | number>} values */
  constructor(key, values = {}) {
    super(key);
    this.values = values;
  }
}

/** @type {(agreement: Agreement, collects: boolean, voids?: any[]) => CommonDraw} */
export function newDraw(agreement, collects, voids = []) {
  const nobody = agreement.people.map(() => null);
  return { agreement, me: -1, collects, own: null, state: "committed", commitments: nobody, owns: [...nobody], voids };
}

/** @type {(draw: CommonDraw, me: number, own: Uint8Array) => void} */
export function join(draw, me, own) {
  Object.assign(draw, { me, own });
  draw.commitments[me] = commitmentOf(draw.agreement, me, own);
}

// The state after an event; an event that may not be now is refused by its name.
/** @type {(draw: CommonDraw, event: string) => string} */
function after({ state, collects }, event) {
  const found = ROLES[collects ? "collects" : "answers"][event] || STATES[state][event];
  if (!(found in STATES)) throw new DrawError(found);
  return found;
}

/** @type {(draw: CommonDraw) => boolean} */
export const isOver = ({ state }) => state === "over";
/** @type {(draw: CommonDraw) => Uint8Array} */
const listedOf = ({ agreement, commitments }) => listDigest(agreement, commitments.map((each) => each || new Uint8Array(0)));
/** @type {(draw: CommonDraw) => Uint8Array[]} */
const ownsOf = ({ owns }) => owns.map((own) => own || new Uint8Array(0));
/** @type {(draw: CommonDraw) => Uint8Array} */
export const seedDrawn = (draw) => (WAY === "seed" ? seedOf(listedOf(draw), ownsOf(draw)) : new Uint8Array(0));
/** @type {(draw: CommonDraw) => string} */
export const codeOf = (draw) => resultCode(WAY === "seed" ? seedDrawn(draw) : shownDigest(listedOf(draw), ownsOf(draw)));

// The message to show now, or null if there is nothing to send.
/** @type {(draw: CommonDraw) => { kind: string, text: string } | null} */
export function messageNow(draw) {
  const { agreement, me, own, state, collects, commitments } = draw, id = agreement.digest.slice(0, DRAW_BYTES), all = /** @type {Uint8Array[]} */ (commitments);
  /** @type {(kind: string, ...parts: (Uint8Array | number[])[]) => { kind: string, text: string }} */
  const sent = (kind, ...parts) => ({ kind, text: writeLetters(MARK, kind, bytesOf(...parts)) });
  if (me < 0 || !own) return null;
  if (collects && isOver(draw)) return sent("S", id, ...ownsOf(draw), listedOf(draw));
  if (collects) return state === "committed" ? sent("A", agreement.written) : state === "listed" ? sent("L", id, ...all) : null;
  if (state === "committed") return sent("C", id, [me], all[me]);
  return STATES[state].show in STATES ? sent("R", id, [me], own, listedOf(draw)) : null;
}

// Takes a message, and returns its kind. An invitation is not for a draw: `invitedTo` takes it.
/** @type {(draw: CommonDraw, text: string) => string} */
export function take(draw, text) {
  const found = readLetters(MARK, KINDS, text), { agreement } = draw, people = agreement.people.length, own = ownSize(agreement);
  if (!found || found.kind === "A") throw new DrawError("notMessage");
  const { kind, content } = found, body = content.slice(DRAW_BYTES), digest = body.slice(-HASH_BYTES);
  if (!isSame(agreement.digest.slice(0, DRAW_BYTES), content.slice(0, DRAW_BYTES))) throw new DrawError("otherDraw");
  const sizes = { C: 1 + HASH_BYTES, L: HASH_BYTES * people, R: 1 + own + HASH_BYTES, S: own * people + HASH_BYTES };
  if (body.length !== sizes[/** @type {keyof sizes} */ (kind)] || ("CR".includes(kind) && body[0] >= people)) throw new DrawError("notMessage");
  const next = after(draw, kind);
  if (kind === "C") takeCommitment(draw, next, body[0], body.slice(1));
  if (kind === "L") takeList(draw, next, piecesOf(body));
  if (kind === "R") takeOwns(draw, next, [[body[0], body.slice(1, -HASH_BYTES)]], digest);
  if (kind === "S") takeOwns(draw, next, piecesOf(body.slice(0, -HASH_BYTES), own).map((each, person) => [person, each]), digest);
  return kind;
}

/** @type {(a: Uint8Array | null, b: Uint8Array | null) => boolean} */
const isSame = (a, b) => a !== null && b !== null && a.join() === b.join();

/** @type {(draw: CommonDraw, next: string, person: number, commitment: Uint8Array) => void} */
function takeCommitment(draw, next, person, commitment) {
  const { agreement, commitments } = draw, name = agreement.people[person], other = commitments.findIndex((each) => isSame(each, commitment));
  if (commitments[person] && other !== person) throw new DrawError("changedCommitment", { name });
  if (other >= 0 && other !== person) throw new DrawError("copiedCommitment", { name, other: agreement.people[other] });
  commitments[person] = commitment;
  if (commitments.every(Boolean)) draw.state = next;
}

/** @type {(draw: CommonDraw, next: string, list: Uint8Array[]) => void} */
function takeList(draw, next, list) {
  const { agreement, commitments, me, state } = draw;
  if (me < 0) throw new DrawError("whoFirst");
  if (!isSame(commitments[me], list[me])) throw new DrawError("ownAstray", { name: agreement.people[me] });
  if (state !== "committed" && list.some((commitment, person) => !isSame(commitments[person], commitment))) throw new DrawError("otherList");
  list.forEach((commitment, person) => {
    const first = list.findIndex((each) => isSame(each, commitment));
    if (first < person) throw new DrawError("copiedCommitment", { name: agreement.people[person], other: agreement.people[first] });
  });
  Object.assign(draw, { commitments: list, state: next });
}

/** @type {(draw: CommonDraw, next: string, shown: [number, Uint8Array][], digest: Uint8Array) => void} */
function takeOwns(draw, next, shown, digest) {
  const { agreement, commitments, owns, me, own } = draw;
  if (!isSame(digest, listedOf(draw))) throw new DrawError("otherList");
  for (const [person, each] of shown) {
    if (!isSame(commitmentOf(agreement, person, each), commitments[person]) || !isOwn(agreement, person, each)) throw new DrawError("falseSecret", { name: agreement.people[person] });
  }
  for (const [person, each] of shown) owns[person] = each;
  // The person of this device shows last.
  if (owns.every((each, person) => each || person === me)) owns[me] = own;
  if (owns.every(Boolean)) draw.state = next;
}

// Play is over: orders may be shown.
/** @type {(draw: CommonDraw) => void} */
export const play = (draw) => { draw.state = after(draw, "played"); };

// This attempt as a void one, with the names of its hashes, as a transcript has it. Who collects has hidden nothing.
/** @type {(draw: CommonDraw) => { before: Uint8Array, fields: any }} */
export function voidOf(draw) {
  after(draw, "next");
  const owns = ownsOf(draw);
  if (draw.state !== "committed" && draw.own) owns[draw.me] = draw.own;
  return { before: bytesOf(draw.agreement.digest, shownDigest(listedOf(draw), owns)), fields: attemptFields(draw, owns) };
}

/** @type {(draw: CommonDraw, owns: Uint8Array[]) => any} */
const attemptFields = (draw, owns) => ({
  agreement: agreementFields(draw.agreement), digest: hexOf(draw.agreement.digest), commitments: draw.commitments.map(hex), list: hexOf(listedOf(draw)),
  secrets: owns.map((own) => hexOf(own.slice(0, HASH_BYTES))), orders: owns.map((own) => hexOf(own.slice(HASH_BYTES))), shown: hexOf(shownDigest(listedOf(draw), owns)),
});

// The finished draw as a file; empty where this device does not know the void attempts before.
/** @type {(draw: CommonDraw) => string} */
export function transcriptOf(draw) {
  const { agreement, voids } = draw, result = { beacon: "", seed: hexOf(seedDrawn(draw)), result: codeOf(draw) };
  return voids.length < agreement.attempt - 1 ? "" : `${JSON.stringify({ format: FORMAT, kind: "transcript", voids, ...attemptFields(draw, ownsOf(draw)), ...result }, null, 2)}\n`;
}

// What an invitation makes of the draw on this device, or of none.
/** @type {(draw: CommonDraw | null, agreement: Agreement) => CommonDraw} */
export function invitedTo(draw, agreement) {
  if (agreement.beacon.length || (WAY !== "seed" && agreement.decks > 1)) throw new DrawError("byProgram");
  if (draw && isSame(draw.agreement.digest, agreement.digest)) return draw;
  if (draw) {
    const calls = isSame(agreement.before.slice(0, HASH_BYTES), draw.agreement.digest), { session, attempt, before, deadline, beacon } = agreement;
    if (!calls && !isOver(draw)) throw new DrawError("otherDraw");
    if (calls) {
      after(draw, "next");
      // The person of this device declares it.
      if (draw.collects) throw new DrawError("ownMessage");
      if (attempt !== draw.agreement.attempt + 1) throw new DrawError("skipsAttempt");
      if (!isSame(agreementOf({ ...draw.agreement, session, attempt, before, deadline, beacon }).written, agreement.written)) throw new DrawError("otherTerms");
    }
  }
  return newDraw(agreement, false);
}

/** @type {(text: string) => Agreement | null} */
export function readInvitation(text) {
  const found = readLetters(MARK, KINDS, text);
  return found && found.kind === "A" ? readAgreement(found.content) : null;
}

/** @type {(bytes: Uint8Array | null) => string} */
const hex = (bytes) => (bytes ? hexOf(bytes) : "");

// For the device's storage, and back; null if it is not a draw.
/** @type {(draw: CommonDraw) => Record<string, any>} */
export const packed = ({ agreement, me, collects, own, state, commitments, owns, voids }) => ({
  agreement: hexOf(agreement.written), me, collects, own: hex(own), state, commitments: commitments.map(hex), owns: owns.map(hex), voids,
});

/** @type {(kept: any) => CommonDraw | null} */
export function unpacked(kept) {
  const agreement = kept && typeof kept.agreement === "string" ? readAgreement(fromHex(kept.agreement)) : null, people = agreement ? agreement.people.length : 0;
  if (!agreement || ![kept.commitments, kept.owns].every((list) => Array.isArray(list) && list.length === people) || !(kept.state in STATES) || !Array.isArray(kept.voids)) return null;
  /** @type {(size: number) => (hex: any) => Uint8Array | null} */
  const bytes = (size) => (text) => (typeof text === "string" && text.length === 2 * size ? fromHex(text) : null);
  const { me, collects, state, voids } = kept, ofPerson = bytes(ownSize(agreement)), own = ofPerson(kept.own);
  const draw = { agreement, me, collects, own, state, commitments: kept.commitments.map(bytes(HASH_BYTES)), owns: kept.owns.map(ofPerson), voids };
  return Number.isInteger(me) && me < people && (me < 0 || own) ? draw : null;
}
