// QR Codes for short texts (ISO/IEC 18004:2015; the sections below are its own): byte mode, level L.
// qrCode(text) gives rows of booleans, true for dark, without the quiet zone; null for a text that is too long or not ASCII.

// Check codewords in a block, and blocks, for versions 1 to 40 (7.5.1), in base 36.
const CHECKS = "7afkqikouikoqumosussssuuqsuuuuuuuuuuuuuu", BLOCKS = "11111222244444666678899acccdefghijjklmop";

// Rings from the centre; 1 is dark. The finder's last is its separator.
const FINDER = [1, 1, 0, 1, 0], ALIGNMENT = [1, 0, 1];

// A mask inverts the modules where it is 0 (7.8.2).
/** @type {((r: number, c: number) => number)[]} */
const MASKS = [
  (r, c) => (r + c) % 2, (r) => r % 2, (r, c) => c % 3, (r, c) => (r + c) % 3,
  (r, c) => ((r >> 1) + Math.floor(c / 3)) % 2, (r, c) => ((r * c) % 2) + ((r * c) % 3),
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2, (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2,
];

/** @type {(length: number, of: (i: number) => any) => any[]} */
const listOf = (length, of) => Array.from({ length }, (_, i) => of(i));
/** @type {(number: number, place: number) => number} */
const bit = (number, place) => (number >> place) & 1;

// At 6 and evenly up to the far edge; annex E, by Project Nayuki's formula.
/** @type {(version: number) => number[]} */
function centresOf(version) {
  const n = version > 1 ? Math.floor(version / 7) + 2 : 0;
  const step = 2 * Math.floor((8 * version + 3 * n + 5) / (4 * n - 4));
  return listOf(n, (i) => (i ? 4 * version + 10 - (i - 1) * step : 6));
}

/** @type {(grid: number[][], row: number, column: number, rings: number[]) => void} */
function drawRings(grid, row, column, rings) {
  const reach = rings.length - 1;
  for (let r = -reach; r <= reach; r++) {
    for (let c = -reach; c <= reach; c++) {
      const ring = Math.max(Math.abs(r), Math.abs(c));
      if (row + r in grid && column + c in grid) grid[row + r][column + c] = rings[ring];
    }
  }
}

// Format and version, each twice; they skip the timing in row and column 6 (7.9, 7.10).
/** @type {(grid: number[][], format: number, version: number) => void} */
function drawInformation(grid, format, version) {
  const size = grid.length;
  for (let i = 0; i < 8; i++) {
    const near = i < 6 ? i : i + 1, far = size - 1 - i;
    grid[near][8] = grid[8][far] = bit(format, i);
    grid[8][near] = grid[far][8] = bit(format, 14 - i);
  }
  for (let i = 0; i < 18 && size >= 45; i++) {
    const near = Math.floor(i / 3), far = size - 11 + (i % 3);
    grid[near][far] = grid[far][near] = bit(version, i);
  }
}

// All but the codewords, which stay undefined. Format and version are still light.
/** @type {(version: number) => number[][]} */
function frameOf(version) {
  const size = 4 * version + 17, centres = centresOf(version);
  const grid = listOf(size, () => Array(size));
  for (const [r, c] of [[3, 3], [3, size - 4], [size - 4, 3]]) drawRings(grid, r, c, FINDER);
  for (const r of centres) for (const c of centres) if (grid[r][c] === undefined) drawRings(grid, r, c, ALIGNMENT);
  for (let i = 8; i < size - 8; i++) grid[6][i] = grid[i][6] = (i + 1) % 2;
  drawInformation(grid, 0, 0);
  return grid;
}

// For codewords: pairs of columns from the right, without the timing column, up and down in turn (7.7.3).
/** @type {(grid: number[][]) => number[][]} */
function placesIn(grid) {
  const places = [], last = grid.length - 1;
  for (let right = last, up = true; right > 0; right -= right === 8 ? 3 : 2, up = !up) {
    for (let i = 0; i <= last; i++) {
      const r = up ? last - i : i;
      for (const c of [right, right - 1]) if (grid[r][c] === undefined) places.push([r, c]);
    }
  }
  return places;
}

/** @type {(version: number) => Layout} */
function layoutOf(version) {
  const grid = frameOf(version), places = placesIn(grid);
  const [checks, blocks] = [CHECKS, BLOCKS].map((digits) => parseInt(digits[version - 1], 36));
  return { version, grid, places, checks, blocks, room: (places.length >> 3) - checks * blocks };
}

// Mode 4 (bytes) and the terminator 0 are one hexadecimal digit each (7.4).
/** @type {(text: string, layout: Layout) => number[]} */
function dataOf(text, { version, room }) {
  /** @type {(value: number, digits: number) => string} */
  const hex = (value, digits) => value.toString(16).padStart(digits, "0");
  const bytes = text.replace(/[^]/g, (character) => hex(character.charCodeAt(0), 2));
  const digits = `4${hex(text.length, version < 10 ? 2 : 4)}${bytes}0`;
  const data = [...digits.matchAll(/../g)].map(([byte]) => parseInt(byte, 16));
  for (let pad = 0xec; data.length < room; pad ^= 0xec ^ 0x11) data.push(pad);
  return data;
}

// In the field of bytes modulo x^8 + x^4 + x^3 + x^2 + 1.
/** @type {(a: number, b: number) => number} */
function gfTimes(a, b) {
  let result = 0;
  for (let i = 7; i >= 0; i--) result = (2 * result) ^ (result > 127 ? 0x11d : 0) ^ (bit(b, i) && a);
  return result;
}

// The product of x - 2^i, without its leading 1 (annex A).
/** @type {(degree: number) => number[]} */
function generatorOf(degree) {
  let factors = [1];
  for (let i = 0, root = 1; i < degree; i++, root = gfTimes(root, 2)) {
    factors = [...factors, 0].map((factor, k) => factor ^ (k && gfTimes(factors[k - 1], root)));
  }
  return factors.slice(1);
}

// The remainder of the block by the generator (7.5.2).
/** @type {(block: number[], generator: number[]) => number[]} */
const checksOf = (block, generator) => block.reduce((rest, byte) => {
  return generator.map((factor, k) => gfTimes(factor, byte ^ rest[0]) ^ rest[k + 1]);
}, generator.map(() => 0));

// The last block is one of the longest (7.6).
/** @type {(blocks: number[][]) => number[]} */
const interleaved = (blocks) => blocks[blocks.length - 1].flatMap((_, k) => blocks.flatMap((b) => b.slice(k, k + 1)));

/** @type {(text: string, layout: Layout) => number[]} */
function codewordsOf(text, layout) {
  const data = dataOf(text, layout), generator = generatorOf(layout.checks);
  const blocks = listOf(layout.blocks, (i) => data.splice(0, Math.floor((layout.room + i) / layout.blocks)));
  return [...interleaved(blocks), ...interleaved(blocks.map((block) => checksOf(block, generator)))];
}

// Long runs, squares of four, the share of dark, and finders' middles beside 4 light modules, as are those beyond the
// edge (7.8.3.1).
/** @type {(grid: number[][]) => number} */
function penaltyOf(grid) {
  const rows = grid.map((row) => row.join("")), columns = grid.map((_, c) => rows.map((row) => row[c]).join(""));
  const dark = rows.join("").split("1").length - 1;
  let points = 10 * Math.floor(Math.abs((20 * dark) / grid.length ** 2 - 10));
  for (const line of [...rows, ...columns]) {
    for (const run of line.match(/0{5,}|1{5,}/g) || []) points += run.length - 2;
    points += 40 * (`0000${line}0000`.split(/00001011101|1011101(?=0000)/).length - 1);
  }
  for (let r = 1; r < grid.length; r++) {
    for (let c = 1; c < grid.length; c++) {
      if ((grid[r][c] + grid[r - 1][c] + grid[r][c - 1] + grid[r - 1][c - 1]) % 4 === 0) points += 3;
    }
  }
  return points;
}

// Annexes C and D.
/** @type {(number: number, divisor: number, bits: number) => number} */
function withRemainder(number, divisor, bits) {
  let rest = number << bits;
  for (let i = 5; i >= 0; i--) if (bit(rest, bits + i)) rest ^= divisor << i;
  return (number << bits) | rest;
}

/** @type {(text: string, layout: Layout) => boolean[][]} */
function matrixOf(text, layout) {
  const { version, grid, places } = layout, codewords = codewordsOf(text, layout);
  // Places beyond the last codeword take 0.
  /** @type {(mask: (r: number, c: number) => number) => void} */
  const draw = (mask) => places.forEach(([r, c], i) => {
    grid[r][c] = bit(codewords[i >> 3], 7 - (i % 8)) ^ Number(mask(r, c) === 0);
  });
  // Judged before format and version are drawn; of equals the first, as in segno.
  const penalties = MASKS.map((mask) => {
    draw(mask);
    return penaltyOf(grid);
  });
  const best = penalties.indexOf(Math.min(...penalties));
  draw(MASKS[best]);
  // Level L is 01, the mask has three bits (7.9).
  drawInformation(grid, withRemainder(8 + best, 0x537, 10) ^ 0x5412, withRemainder(version, 0x1f25, 12));
  grid[grid.length - 8][8] = 1;
  return grid.map((row) => row.map(Boolean));
}

/** @type {(text: string) => boolean[][] | null} */
export function qrCode(text) {
  if (/[^\x00-\x7f]/.test(text)) return null;
  for (let version = 1; version <= 40; version++) {
    const layout = layoutOf(version);
    if (text.length + (version < 10 ? 2 : 3) <= layout.room) return matrixOf(text, layout);
  }
  return null;
}
