// Commitments, the seed that nobody chose, and the orders that it gives: as in fairdeck's Python.

import { integersFrom, uniformPermutation } from "../../page/scripts/randomness.js";
import { BASE_32 } from "../scripts/letters.js";
import { bytesOf, numberBytes, sha256 } from "../scripts/sha256.js";
import { eightBytes, hashed } from "./agreement.js";

const RESULT_LETTERS = 12;

/** @type {(agreement: Agreement, person: number, secret: Uint8Array) => Uint8Array} */
export const commitmentOf = (agreement, person, secret) => hashed("commitment", agreement.written, eightBytes(person), secret);
/** @type {(agreement: Agreement, commitments: Uint8Array[]) => Uint8Array} */
export const listDigest = (agreement, commitments) => hashed("list", agreement.written, ...commitments);
/** @type {(agreement: Agreement, commitments: Uint8Array[], secrets: Uint8Array[]) => Uint8Array} */
export const seedOf = (agreement, commitments, secrets) => hashed("seed", agreement.written, ...commitments, ...secrets, new Uint8Array(0));

// 60 bits of a hash of the seed.
/** @type {(seed: Uint8Array) => string} */
export function resultCode(seed) {
  let value = 0n;
  for (const byte of hashed("result", seed).slice(0, 8)) value = (value << 8n) | BigInt(byte);
  const letters = Array.from({ length: RESULT_LETTERS }, (_, place) => BASE_32[Number((value >> BigInt(59 - 5 * place)) & 31n)]).join("");
  return [letters.slice(0, 4), letters.slice(4, 8), letters.slice(8)].join(" ");
}

/** @type {(agreement: Agreement, seed: Uint8Array, deck: number) => number[]} */
export function orderOf({ task }, seed, deck) {
  return uniformPermutation(task.cards, integersFrom(seededWords(hashed("deck", seed, eightBytes(deck)))));
}

// MGF1 with SHA-256 (RFC 8017, B.2.1): block i is the hash of the seed and i.
/** @type {(seed: Uint8Array) => Words} */
function seededWords(seed) {
  let block = new DataView(new ArrayBuffer(0)), at = 0, counter = 0;
  return () => {
    if (at === block.byteLength) {
      block = new DataView(sha256(bytesOf(seed, numberBytes(counter++, 4))).buffer);
      at = 0;
    }
    at += 4;
    return block.getUint32(at - 4);
  };
}
