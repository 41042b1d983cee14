// A draw as one device sees it: what it has received, and what it must send next. Nothing here knows the screen.
//
// One device collects: it sends the invitation (A), the list of all commitments (L) and all secrets (S). Each other
// device answers with its commitment (C) and, when it has seen its commitment in the list, with its secret (R).
//
// Messages are not signed. So a message that does not fit is refused and changes nothing; none can make a draw void.
// Only the person whose device collects declares that.

import { readLetters, writeLetters } from "../scripts/letters.js";
import { bytesOf, fromHex, hexOf } from "../scripts/sha256.js";
import { agreementOf, hashed, readAgreement } from "./agreement.js";
import { commitmentOf, listDigest, seedOf } from "./drawn.js";

export const MARK = "T1", KINDS = "ACLRS", DRAW_BYTES = 8, HASH_BYTES = 32;

// A message that cannot be taken; `values` are for its text.
export class DrawError extends Error {
  /** @param {string} key @param {Record<string, string | number>} values */
  constructor(key, values = {}) {
    super(key);
    this.values = values;
  }
}

/** @type {(agreement: Agreement, collects: boolean) => CommonDraw} */
export function newDraw(agreement, collects) {
  const nobody = agreement.people.map(() => null);
  return { agreement, me: -1, collects, secret: null, sealed: false, commitments: nobody, secrets: [...nobody] };
}

/** @type {(draw: CommonDraw, me: number, secret: Uint8Array) => void} */
export function join(draw, me, secret) {
  Object.assign(draw, { me, secret });
  takeCommitment(draw, me, commitmentOf(draw.agreement, me, secret));
}

/** @type {(draw: CommonDraw) => Uint8Array[] | null} */
const allOf = (draw) => (draw.commitments.every(Boolean) ? /** @type {Uint8Array[]} */ (draw.commitments) : null);

/** @type {(draw: CommonDraw) => Uint8Array | null} */
export function seedDrawn(draw) {
  const commitments = allOf(draw);
  return commitments && draw.sealed && draw.secrets.every(Boolean) ? seedOf(draw.agreement, commitments, /** @type {Uint8Array[]} */ (draw.secrets)) : null;
}

// The message to show now, or null if there is nothing to send.
/** @type {(draw: CommonDraw) => { kind: string, text: string } | null} */
export function messageNow(draw) {
  const { agreement, me, secret, commitments, secrets } = draw, id = agreement.digest.slice(0, DRAW_BYTES), all = allOf(draw);
  /** @type {(kind: string, ...parts: (Uint8Array | number[])[]) => { kind: string, text: string }} */
  const sent = (kind, ...parts) => ({ kind, text: writeLetters(MARK, kind, bytesOf(...parts)) });
  if (me < 0 || !secret) return null;
  if (draw.collects) {
    if (!all) return sent("A", agreement.written);
    if (!seedDrawn(draw)) return sent("L", id, ...all);
    return sent("S", id, .../** @type {Uint8Array[]} */ (secrets), listDigest(agreement, all));
  }
  if (!draw.sealed || !all) return sent("C", id, [me], /** @type {Uint8Array} */ (commitments[me]));
  return seedDrawn(draw) ? null : sent("R", id, [me], secret, listDigest(agreement, all));
}

// Takes a message, and returns its kind. An invitation is not for a draw: `readInvitation` takes it.
/** @type {(draw: CommonDraw, text: string) => string} */
export function take(draw, text) {
  const found = readLetters(MARK, KINDS, text), people = draw.agreement.people.length;
  if (!found) throw new DrawError("notMessage");
  const { kind, content } = found, body = content.slice(DRAW_BYTES);
  if (kind === "A") throw new DrawError("wasInvitation");
  // Else somebody could give all seals of others to the device that collects them, or a forged one to another device.
  if (draw.collects === "LS".includes(kind)) throw new DrawError(draw.collects ? "ownMessage" : "notCollecting");
  if (content.slice(0, DRAW_BYTES).join() !== draw.agreement.digest.slice(0, DRAW_BYTES).join()) throw new DrawError("otherDraw");
  const sizes = { C: 1 + HASH_BYTES, L: HASH_BYTES * people, R: 1 + 2 * HASH_BYTES, S: HASH_BYTES * (people + 1) };
  if (body.length !== sizes[/** @type {keyof sizes} */ (kind)] || ("CR".includes(kind) && body[0] >= people)) throw new DrawError("notMessage");
  if (kind === "C") takeCommitment(draw, body[0], body.slice(1));
  if (kind === "L") takeList(draw, pieces32(body));
  if (kind === "R") takeSecrets(draw, [[body[0], body.slice(1, 1 + HASH_BYTES)]], body.slice(1 + HASH_BYTES));
  if (kind === "S") takeSecrets(draw, pieces32(body.slice(0, -HASH_BYTES)).map((secret, person) => [person, secret]), body.slice(-HASH_BYTES));
  return kind;
}

/** @type {(bytes: Uint8Array) => Uint8Array[]} */
const pieces32 = (bytes) => Array.from({ length: bytes.length / HASH_BYTES }, (_, i) => bytes.slice(HASH_BYTES * i, HASH_BYTES * (i + 1)));
/** @type {(a: Uint8Array | null, b: Uint8Array) => boolean} */
const isSame = (a, b) => a !== null && a.join() === b.join();

/** @type {(draw: CommonDraw, person: number, commitment: Uint8Array) => void} */
function takeCommitment(draw, person, commitment) {
  const { agreement, commitments } = draw, name = agreement.people[person], before = commitments[person];
  if (before && !isSame(before, commitment)) throw new DrawError("changedCommitment", { name });
  const other = commitments.findIndex((each, place) => place !== person && isSame(each, commitment));
  if (other >= 0) throw new DrawError("copiedCommitment", { name, other: agreement.people[other] });
  commitments[person] = commitment;
  if (draw.collects && allOf(draw)) {
    draw.sealed = true;
    completeOwn(draw);
  }
}

/** @type {(draw: CommonDraw, list: Uint8Array[]) => void} */
function takeList(draw, list) {
  const { commitments, me } = draw, fresh = { ...draw, commitments: list.map(() => null) };
  if (me < 0) throw new DrawError("whoFirst");
  if (!isSame(commitments[me], list[me])) throw new DrawError("ownAstray");
  if (draw.sealed && list.some((commitment, person) => !isSame(commitments[person], commitment))) throw new DrawError("otherList");
  list.forEach((commitment, person) => takeCommitment(fresh, person, commitment));
  Object.assign(draw, { commitments: list, sealed: true });
}

/** @type {(draw: CommonDraw, shown: [number, Uint8Array][], digest: Uint8Array) => void} */
function takeSecrets(draw, shown, digest) {
  const { agreement, secrets } = draw, all = allOf(draw);
  if (!all || !draw.sealed) throw new DrawError("listFirst");
  if (digest.join() !== listDigest(agreement, all).join()) throw new DrawError("otherList");
  for (const [person, secret] of shown) {
    if (commitmentOf(agreement, person, secret).join() !== all[person].join()) throw new DrawError("falseSecret", { name: agreement.people[person] });
  }
  for (const [person, secret] of shown) secrets[person] = secret;
  completeOwn(draw);
}

// The device that collects shows its own secret when it has all others.
/** @type {(draw: CommonDraw) => void} */
function completeOwn(draw) {
  if (draw.collects && draw.secrets.every((secret, person) => secret || person === draw.me)) draw.secrets[draw.me] = draw.secret;
}

// What names this draw when it is void: the agreement, and who sent and who showed what. The one who collects has shown
// theirs when the list is complete.
/** @type {(draw: CommonDraw) => Uint8Array} */
export function namedVoid({ agreement, me, secret, sealed, commitments, secrets }) {
  const shown = secrets.map((each, person) => (person === me && sealed ? secret : each));
  return bytesOf(agreement.digest, hashed("void", agreement.written, ...[...commitments, ...shown].map((each) => each || new Uint8Array(0))));
}

// Whether an agreement says that this draw was void.
/** @type {(draw: CommonDraw, next: Agreement) => boolean} */
const callsVoid = ({ agreement }, { before }) => before.slice(0, HASH_BYTES).join() === agreement.digest.join();

// Whether it is the next attempt, and changes nothing else. Else voids could be hidden by their numbers, or terms change.
/** @type {(draw: CommonDraw, next: Agreement) => boolean} */
const isNext = (draw, next) => {
  const { agreement } = draw, { session, before, digest } = next;
  return callsVoid(draw, next) && agreementOf({ ...agreement, session, before, attempt: agreement.attempt + 1 }).digest.join() === digest.join();
};

// The draw after an invitation: the same one if this device is in it. A finished draw, or another one, stays: only the
// person who collects declares a draw void.
/** @type {(draw: CommonDraw | null, agreement: Agreement) => CommonDraw} */
export function invitedTo(draw, agreement) {
  if (agreement.beacon.length) throw new DrawError("hasBeacon");
  if (!draw) return newDraw(agreement, false);
  if (draw.agreement.digest.join() === agreement.digest.join()) return draw;
  const over = seedDrawn(draw), calls = callsVoid(draw, agreement);
  if (over && calls) throw new DrawError("notVoid");
  if (!over && (draw.collects || !isNext(draw, agreement))) throw new DrawError(!calls ? "stillDrawing" : draw.collects ? "ownMessage" : "otherTerms");
  return newDraw(agreement, false);
}

/** @type {(text: string) => Agreement | null} */
export function readInvitation(text) {
  const found = readLetters(MARK, KINDS, text);
  return found && found.kind === "A" ? readAgreement(found.content) : null;
}

// For the device's storage, and back; null if it is not a draw.
/** @type {(draw: CommonDraw) => Record<string, any>} */
export function packed({ agreement, me, collects, secret, sealed, commitments, secrets }) {
  /** @type {(bytes: Uint8Array | null) => string} */
  const hex = (bytes) => (bytes ? hexOf(bytes) : "");
  return { agreement: hexOf(agreement.written), me, collects, secret: hex(secret), sealed, commitments: commitments.map(hex), secrets: secrets.map(hex) };
}

/** @type {(kept: any) => CommonDraw | null} */
export function unpacked(kept) {
  const agreement = kept && typeof kept.agreement === "string" ? readAgreement(fromHex(kept.agreement)) : null;
  if (!agreement || !Array.isArray(kept.commitments) || !Array.isArray(kept.secrets)) return null;
  /** @type {(hex: any) => Uint8Array | null} */
  const bytes = (hex) => (typeof hex === "string" && hex.length === 2 * HASH_BYTES ? fromHex(hex) : null);
  const { me, collects, sealed } = kept, secret = bytes(kept.secret);
  const draw = { agreement, me, collects, secret, sealed, commitments: kept.commitments.map(bytes), secrets: kept.secrets.map(bytes) };
  const fits = draw.commitments.length === agreement.people.length && draw.secrets.length === agreement.people.length && Number.isInteger(me) && me < agreement.people.length;
  return fits && (me < 0 || secret) ? draw : null;
}
