// Pictures of counts.

import { colour, opened } from "../../page/scripts/canvas.js";

const PALE = 0.35, CAP = 1.5;

// Bars around the line at which all would be equal; the band holds what chance does. Without colours too, bars outside it
// stand out: those in it are pale, those above it filled, those below it hollow where there is room.
/** @type {(canvas: HTMLCanvasElement, bins: ArrayLike<number>, each: number, band: number) => void} */
export function drawHistogram(canvas, bins, each, band) {
  const { pen, width, height, fine } = opened(canvas), counts = Array.from(bins), most = Math.max(2 * each, ...counts) || 1;
  // All bars or none: of bars of four and five pixels only some would have a gap.
  const gap = width / counts.length > 5 ? 1 : 0;
  // Before the first deck there is no band: it would fill the picture.
  if (!each) return;
  /** @type {(count: number) => number} */
  const up = (count) => height - (count / most) * height;
  pen.fillStyle = colour("faint");
  pen.globalAlpha = 0.6;
  pen.fillRect(0, up(each + band), width, up(Math.max(0, each - band)) - up(each + band));
  pen.globalAlpha = 1;
  const alarm = colour("alarm"), usual = colour("row1");
  counts.forEach((count, i) => {
    const left = Math.round((i * width * fine) / counts.length) / fine, right = Math.round(((i + 1) * width * fine) / counts.length) / fine;
    const outside = Math.abs(count - each) > band, wide = right - left - gap, top = up(count);
    pen.fillStyle = outside ? alarm : usual;
    pen.globalAlpha = outside ? 1 : PALE;
    pen.fillRect(left, top, wide, height - top);
    pen.globalAlpha = 1;
    if (!outside) pen.fillRect(left, top, wide, CAP);
    else if (count < each && wide > 3 * CAP) pen.clearRect(left + CAP, top + CAP, wide - 2 * CAP, height);
  });
  pen.fillStyle = colour("ink");
  pen.fillRect(0, up(each) - 1, width, 2);
  // The edges of the band are seen in front of the bars too.
  for (const edge of [each - band, each + band]) if (edge > 0) pen.fillRect(0, up(edge) - 0.25, width, 0.5);
}

// Which card lies where, the top card and the top place first: the shade says how much more often
// (filled, gold) or less often (hollow, blue) than on a fair deck.
/** @type {(canvas: HTMLCanvasElement, places: ArrayLike<number>, cards: number, each: number, full: number) => void} */
export function drawMatrix(canvas, places, cards, each, full) {
  const { pen, width, height, fine } = opened(canvas), more = colour("gold"), less = colour("row5");
  // Whole pixels: neighbours neither overlap nor leave a gap.
  /** @type {(cell: number) => number} */
  const across = (cell) => Math.round((cell * width) / cards), down = (/** @type {number} */ cell) => Math.round((cell * height) / cards);
  for (let place = 0; place < cards; place++) {
    for (let card = 0; card < cards; card++) {
      const off = (places[place * cards + card] - each) / full;
      pen.fillStyle = off > 0 ? more : less;
      pen.globalAlpha = Math.min(1, Math.abs(off));
      const left = across(cards - 1 - card), top = down(cards - 1 - place), wide = across(cards - card) - left, high = down(cards - place) - top;
      pen.fillRect(left, top, wide, high);
      const edge = Math.max(1 / fine, wide / 5);
      if (off < 0 && wide > 2.5 * edge) pen.clearRect(left + edge, top + edge, wide - 2 * edge, high - 2 * edge);
    }
  }
  pen.globalAlpha = 1;
}
