// SHA-256 (FIPS 180-4), because browsers offer their own only over https. And texts as the bytes that it takes.

const PRIMES = Array.from({ length: 310 }, (_, i) => i + 2).filter((n, i, all) => all.slice(0, i).every((d) => n % d));
/** @type {(value: number) => number} */
const fractionOf = (value) => Math.floor((value - Math.floor(value)) * 2 ** 32) | 0;
const ROUND_WORDS = PRIMES.map((p) => fractionOf(Math.cbrt(p))), FIRST_WORDS = PRIMES.slice(0, 8).map((p) => fractionOf(Math.sqrt(p)));
/** @type {(word: number, by: number) => number} */
const rotated = (word, by) => (word >>> by) | (word << (32 - by));

/** @type {(bytes: Uint8Array) => Uint8Array} */
export function sha256(bytes) {
  const padded = new Uint8Array((Math.floor((bytes.length + 8) / 64) + 1) * 64), view = new DataView(padded.buffer), state = FIRST_WORDS.slice();
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, (bytes.length * 8) >>> 0);
  for (let at = 0; at < padded.length; at += 64) compress(state, view, at);
  const out = new Uint8Array(32), digest = new DataView(out.buffer);
  state.forEach((word, i) => digest.setInt32(4 * i, word));
  return out;
}

/** @type {(state: number[], view: DataView, at: number) => void} */
function compress(state, view, at) {
  const w = Array.from({ length: 64 }, (_, i) => (i < 16 ? view.getInt32(at + 4 * i) : 0));
  for (let i = 16; i < 64; i++) {
    const s0 = rotated(w[i - 15], 7) ^ rotated(w[i - 15], 18) ^ (w[i - 15] >>> 3), s1 = rotated(w[i - 2], 17) ^ rotated(w[i - 2], 19) ^ (w[i - 2] >>> 10);
    w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const t1 = (h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) + ROUND_WORDS[i] + w[i]) | 0;
    const t2 = ((rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(t1 + t2) | 0, a, b, c, (d + t1) | 0, e, f, g];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => { state[i] = (state[i] + word) | 0; });
}

/** @type {(...parts: (Uint8Array | number[])[]) => Uint8Array} */
export const bytesOf = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
/** @type {(text: string) => Uint8Array} */
export const utf8 = (text) => Uint8Array.from(unescape(encodeURIComponent(text)), (letter) => letter.charCodeAt(0));
// Throws if the bytes are not UTF-8.
/** @type {(bytes: Uint8Array) => string} */
export const fromUtf8 = (bytes) => decodeURIComponent(escape(String.fromCharCode(...bytes)));
/** @type {(bytes: Uint8Array) => string} */
export const hexOf = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
/** @type {(hex: string) => Uint8Array} */
export const fromHex = (hex) => Uint8Array.from(hex.match(/../g) || [], (pair) => parseInt(pair, 16));

// Fields with their lengths before them: two lists of fields are never the same bytes.
/** @type {(parts: Uint8Array[]) => Uint8Array} */
export const fieldsOf = (parts) => bytesOf(...parts.flatMap((part) => [numberBytes(part.length, 4), part]));
/** @type {(value: number, size: number) => Uint8Array} */
export const numberBytes = (value, size) => Uint8Array.from({ length: size }, (_, i) => Math.floor(value / 256 ** (size - 1 - i)) % 256);
/** @type {(bytes: Uint8Array) => number} */
export const numberIn = (bytes) => bytes.reduce((value, byte) => value * 256 + byte, 0);
// Throws if they end too early.
/** @type {(bytes: Uint8Array) => Uint8Array[]} */
export function readFields(bytes) {
  const found = [];
  for (let at = 0, size = 0; at < bytes.length; at += 4 + size) {
    size = numberIn(bytes.slice(at, at + 4));
    if (at + 4 + size > bytes.length) throw new Error("it ends too early");
    found.push(bytes.slice(at + 4, at + 4 + size));
  }
  return found;
}
