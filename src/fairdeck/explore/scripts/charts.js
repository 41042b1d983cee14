// Pictures of counts, on paper. Without colours too: filled is too often, hollow too seldom.

import { colour, opened } from "../../page/scripts/canvas.js";

const PALE = 0.35, CAP = 1.5, FULL = 0.4, LEAST_SQUARE = 0.15;

// Bars around the line at which all would be equal; the band holds what chance does. Bars outside it stand out: those in it
// are pale, those above it filled, those below it hollow where there is room.
/** @type {(canvas: HTMLCanvasElement, bins: ArrayLike<number>, each: number, band: number) => void} */
export function drawHistogram(canvas, bins, each, band) {
  const { pen, width, height, fine } = opened(canvas), counts = Array.from(bins), most = Math.max(2 * each, ...counts) || 1;
  // All bars or none: of bars of four and five pixels only some would have a gap.
  const gap = width / counts.length > 5 ? 1 : 0;
  // Before the first deck there is no band: it would fill the picture.
  if (!each) return;
  /** @type {(count: number) => number} */
  const up = (count) => height - (count / most) * height;
  pen.fillStyle = colour("paper-line");
  pen.fillRect(0, up(each + band), width, up(Math.max(0, each - band)) - up(each + band));
  const odd = colour("mark"), usual = colour("paper-soft");
  counts.forEach((count, i) => {
    const left = Math.round((i * width * fine) / counts.length) / fine, right = Math.round(((i + 1) * width * fine) / counts.length) / fine;
    const outside = Math.abs(count - each) > band, wide = right - left - gap, top = up(count);
    pen.fillStyle = outside ? odd : usual;
    pen.globalAlpha = outside ? 1 : PALE;
    pen.fillRect(left, top, wide, height - top);
    pen.globalAlpha = 1;
    if (!outside) pen.fillRect(left, top, wide, CAP);
    else if (count < each && wide > 3 * CAP) pen.clearRect(left + CAP, top + CAP, wide - 2 * CAP, height);
  });
  pen.fillStyle = colour("paper-ink");
  pen.fillRect(0, up(each) - 1, width, 2);
  // The edges of the band are seen in front of the bars too.
  for (const edge of [each - band, each + band]) if (edge > 0) pen.fillRect(0, up(edge) - 0.25, width, 0.5);
}

// Which card lies where: cards across, places down, both from the first. A square is the larger the more a card comes too
// often (filled) or too seldom (hollow); what chance does is a point. A ring lies around the cell that is spoken of.
/** @type {(canvas: HTMLCanvasElement, places: ArrayLike<number>, cards: number, each: number, band: number, ringed: number | null) => void} */
export function drawPlaces(canvas, places, cards, each, band, ringed) {
  const { pen, width, height } = opened(canvas), across = width / (cards + 1), down = height / (cards + 1), less = colour("paper-ink"), more = colour("mark");
  const full = Math.max(FULL, (3 * band) / each);
  /** @type {(cell: number) => [number, number]} */
  const middle = (cell) => [(cell % cards + 1) * across, (Math.floor(cell / cards) + 1) * down];
  for (let cell = 0; cell < cards * cards; cell++) {
    const off = places[cell] / each - 1, [x, y] = middle(cell);
    const size = Math.max(LEAST_SQUARE, Math.min(1, Math.abs(off) / full) ** 0.75) * Math.min(across, down) * 0.92;
    pen.lineWidth = Math.min(size / 2, Math.max(1, across / 14));
    pen.fillStyle = more;
    pen.strokeStyle = less;
    if (off > 0) pen.fillRect(x - size / 2, y - size / 2, size, size);
    else pen.strokeRect(x - (size - pen.lineWidth) / 2, y - (size - pen.lineWidth) / 2, size - pen.lineWidth, size - pen.lineWidth);
  }
  if (ringed === null) return;
  const round = Math.max(9, across * 0.95), edge = round + 3, [x, y] = middle(ringed);
  for (const [ink, wide] of [["paper", 5], ["paper-ink", 2.5]]) {
    pen.strokeStyle = colour(String(ink));
    pen.lineWidth = Number(wide);
    pen.beginPath();
    pen.arc(Math.max(edge, Math.min(width - edge, x)), Math.max(edge, Math.min(height - edge, y)), round, 0, 7);
    pen.stroke();
  }
}
