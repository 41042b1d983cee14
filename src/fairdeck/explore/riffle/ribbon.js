// The deck as a ribbon of thin cards, top card on the left; while it is shuffled, each card moves from its old place to its new one.

import { colour, opened } from "../scripts/canvas.js";

// From dark to light without a step back, so that the order is also seen in grey and with any sort of colour blindness.
const SHADES = [[62, 35, 121], [56, 88, 140], [33, 140, 141], [83, 190, 108], [250, 230, 60]];

// The red, green and blue of a card that started at this share of the way from the bottom to the top.
/** @type {(share: number) => number[]} */
export function shadeOf(share) {
  const at = share * (SHADES.length - 1), low = Math.min(Math.floor(at), SHADES.length - 2);
  return SHADES[low].map((value, i) => Math.round(value + (SHADES[low + 1][i] - value) * (at - low)));
}

/** @type {(share: number) => string} */
export const inkOf = (share) => `rgb(${shadeOf(share).join(" ")})`;

/** @type {(t: number) => number} */
const eased = (t) => (t <= 0 ? 0 : t >= 1 ? 1 : t * t * (3 - 2 * t));

const LIFTED = 0.2, FALLS = 0.18;
/** @typedef {{ x: number, y: number }} Spot */
/** @typedef {{ places: ArrayLike<number>, cut: number, at: number }} Move */

// Where the card now at a place is drawn: columns from the left, heights above the table from -1 to 1. The cut parts the packets
// that fall together; 0 if the shuffle is no riffle.
/** @type {(place: number, move: Move) => Spot} */
export function spotOf(place, { places, cut, at }) {
  const n = places.length, from = n - 1 - places[place], to = n - 1 - place;
  if (!cut) return { x: from + (to - from) * eased(at), y: Math.sin(Math.PI * eased(at)) * Math.sign(from - to) * 0.8 };
  const lifted = eased(at / LIFTED), fallen = eased((at - LIFTED - ((1 - LIFTED - FALLS) * place) / n) / FALLS);
  return { x: from + (to - from) * fallen, y: (places[place] < cut ? -1 : 1) * lifted * (1 - fallen) };
}

/** @type {(canvas: HTMLCanvasElement, labels: string[], shares: number[], move: Move, marked: number) => void} */
export function drawRibbon(canvas, labels, shares, move, marked) {
  const { pen, width, height } = opened(canvas), n = shares.length, wide = width / n, shape = /** @type {any} */ (pen);
  const lift = height * 0.11, top = lift + 10, tall = height - lift - top - 12;
  pen.textAlign = "center";
  pen.font = `600 ${Math.min(18, wide * 0.6)}px system-ui, sans-serif`;
  for (let place = n - 1; place >= 0; place--) {
    const { x, y } = spotOf(place, move), left = x * wide, gap = wide > 5 ? 1 : 0, [red, green, blue] = shadeOf(shares[place]);
    pen.fillStyle = inkOf(shares[place]);
    pen.beginPath();
    shape.roundRect(left + gap / 2, top - y * lift, wide - gap + (gap ? 0 : 0.4), tall, Math.min(5, wide / 4));
    pen.fill();
    if (wide < 14) continue;
    pen.fillStyle = red + 2 * green + blue / 2 > 330 ? "#000" : "#fff";
    pen.fillText(labels[place], left + wide / 2, top - y * lift + 20);
  }
  if (!marked) return;
  // Where the next cut is: a mark above the gap.
  const x = marked * wide;
  pen.fillStyle = colour("ink");
  pen.beginPath();
  pen.moveTo(x - 8, 0);
  pen.lineTo(x + 8, 0);
  pen.lineTo(x, 11);
  pen.fill();
  pen.fillRect(x - 1, 8, 2, top + tall - 8);
}
