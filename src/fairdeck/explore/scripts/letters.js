// Bytes as letters that people can read aloud and type: Crockford's base 32, in groups of four, with a checksum.
//   T1-C-0000-0ENK-HQMG: the mark of what is sent, its kind, the bytes. As in fairdeck's Python.

import { bytesOf, sha256, utf8 } from "./sha256.js";

export const BASE_32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ", SUM_BYTES = 4, MOST_LETTERS = 400000;

/** @type {(mark: string, kind: string, content: Uint8Array) => Uint8Array} */
const checksum = (mark, kind, content) => sha256(bytesOf(utf8(mark + kind), content)).slice(0, SUM_BYTES);

/** @type {(mark: string, kind: string, content: Uint8Array) => string} */
export function writeLetters(mark, kind, content) {
  let text = "", bits = 0, value = 0;
  for (const byte of [...content, ...checksum(mark, kind, content)]) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += BASE_32[(value >> (bits - 5)) & 31];
    value &= (1 << bits) - 1;
  }
  if (bits) text += BASE_32[(value << (5 - bits)) & 31];
  return [mark, kind, ...(text.match(/.{1,4}/g) || [])].join("-");
}

// Null if the text is not of this mark, or a letter is wrong. It may be the end of a link.
/** @type {(mark: string, kinds: string, text: string) => { kind: string, content: Uint8Array } | null} */
export function readLetters(mark, kinds, text) {
  if (text.length > MOST_LETTERS) return null;
  const packed = text.slice(text.lastIndexOf("#") + 1).replace(/[\s-]/g, "").toUpperCase();
  const kind = packed.charAt(2).replace(/[1I]/, "L"), letters = packed.slice(3).replace(/O/g, "0").replace(/[IL]/g, "1");
  if (packed.charAt(0) + packed.charAt(1).replace(/[IL]/, "1") !== mark || !kind || !kinds.includes(kind) || !letters || /[^0-9A-HJKMNP-TV-Z]/.test(letters)) return null;
  const held = [];
  let bits = 0, value = 0;
  for (const letter of letters) {
    value = (value << 5) | BASE_32.indexOf(letter);
    bits += 5;
    if (bits >= 8) held.push((value >> (bits -= 8)) & 255);
    value &= (1 << bits) - 1;
  }
  const content = Uint8Array.from(held.slice(0, -SUM_BYTES)), sum = held.slice(-SUM_BYTES).join();
  return bits < 5 && value === 0 && sum === checksum(mark, kind, content).join() ? { kind, content } : null;
}
