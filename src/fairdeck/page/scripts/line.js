// A deck from its side. Somebody drew a slanted line across the sorted deck, then the cards were mixed: each still has
// its piece of the line. One deal onto six piles leaves six lines, each riffle doubles them, a fair deck is dust. It is
// the permutation's matrix: row, the place now, the top first; column, the place before.

import { colour, opened } from "./canvas.js";

const WIDE = 2.25, THIN = 3, THICK = 16; // a piece: columns, pixels

// How wide a card's piece of the line is.
/** @type {(width: number, n: number) => number} */
export const pieceWidth = (width, n) => Math.min(THICK, Math.max(THIN, (width / n) * WIDE));

// `deck` is an arrangement, bottom first; `inkOf` the colour of a card's piece, red unless told; `rowOf` where a card is
// that moves.
/** @type {(canvas: HTMLCanvasElement, deck: ArrayLike<number>, inkOf?: (card: number) => string, rowOf?: (row: number, card: number) => number) => void} */
export function drawLine(canvas, deck, inkOf = () => "mark", rowOf = (row) => row) {
  const { pen, width, height, fine } = opened(canvas), n = deck.length, high = height / n, wide = pieceWidth(width, n);
  /** @type {(y: number) => number} */
  const sharp = (y) => Math.round(y * fine) / fine;
  pen.fillStyle = colour("paper-line");
  if (high > 2.5) for (let row = 1; row < n; row++) pen.fillRect(0, sharp(row * high), width, 1 / fine);
  for (let row = 0; row < n; row++) {
    const card = deck[n - 1 - row], at = rowOf(row, card), top = sharp(at * high);
    pen.fillStyle = colour(inkOf(card));
    pen.fillRect(((n - 1 - card) / Math.max(1, n - 1)) * (width - wide), top, wide, Math.max(1.5, sharp((at + 1) * high) - top));
  }
}
