// A deck from its side while its cards move. Packets part, then their cards fall into each other from the bottom up; without a
// cut, all cards move to their new places at once.

import { colour, opened } from "../../page/scripts/canvas.js";
import { drawLine, pieceWidth } from "../../page/scripts/line.js";

const LIFTED = 0.2, FALLS = 0.18, APART = 0.2, LASTS_MS = 1100;
/** @typedef {{ before: number[], places: number[], cut: number }} Move */

/** @type {(t: number) => number} */
const eased = (t) => (t <= 0 ? 0 : t >= 1 ? 1 : t * t * (3 - 2 * t));

// Where the card now at a place is at a moment from 0 to 1: how far to the right, in widths of a deck, and at which place.
/** @type {(place: number, move: Move, at: number) => { x: number, y: number }} */
export function spotOf(place, { places, cut }, at) {
  const from = places[place], n = places.length;
  if (!cut) return { x: 0, y: from + (place - from) * eased(at) };
  const lifted = eased(at / LIFTED), fallen = eased((at - LIFTED - ((1 - LIFTED - FALLS) * place) / n) / FALLS);
  return { x: (from < cut ? -APART : APART) * lifted * (1 - fallen), y: from + (place - from) * fallen };
}

/** @type {(canvas: HTMLCanvasElement, move: Move, at: number) => void} */
export function drawFalling(canvas, move, at) {
  const { pen, width, height } = opened(canvas), n = move.places.length, high = height / n, wide = pieceWidth(width, n);
  const [under, paper, edge, mark] = ["table-low", "paper", "paper-line", "mark"].map(colour);
  pen.fillStyle = under;
  pen.fillRect(0, 0, width, height);
  for (let place = 0; place < n; place++) {
    const { x, y } = spotOf(place, move, at), left = x * width, top = (n - 1 - y) * high, card = move.before[move.places[place]];
    pen.fillStyle = paper;
    pen.fillRect(left, top, width, high + 0.5);
    pen.fillStyle = edge;
    pen.fillRect(left, top, width, 0.5);
    pen.fillStyle = mark;
    pen.fillRect(left + ((n - 1 - card) / Math.max(1, n - 1)) * (width - wide), top, wide, Math.max(1.5, high));
  }
}

let frame = 0;
// Ends what moves on this page; it is not drawn to its end.
export const stopFalling = () => cancelAnimationFrame(frame);

// Moves the cards from the moment `from` on, then draws the deck as it lies; at once for a reader who wants no movement.
/** @type {(canvas: HTMLCanvasElement, move: Move, then: () => void, from?: number) => void} */
export function letFall(canvas, move, then, from = 0) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches, begun = performance.now() - from * LASTS_MS;
  stopFalling();
  const tick = () => {
    const at = still ? 1 : (performance.now() - begun) / LASTS_MS;
    if (at < 1) {
      frame = requestAnimationFrame(tick);
      return drawFalling(canvas, move, at);
    }
    drawLine(canvas, move.places.map((place) => move.before[place]));
    then();
  };
  tick();
}
