// Pictures of the order that is left, and of how far from fair a deck is.

import { language } from "../../page/scripts/texts.js";
import { colour, opened } from "../../page/scripts/canvas.js";

const ROWS = 6;

// A dot for each card: across its place, from the top, and down the place where it started. Lines join the cards of each rising sequence.
/** @type {(canvas: HTMLCanvasElement, deck: ArrayLike<number>, inks: string[]) => void} */
export function drawSequences(canvas, deck, inks) {
  const { pen, width, height } = opened(canvas), n = deck.length, edge = 6, columns = new Int32Array(n);
  for (let place = 0; place < n; place++) columns[n - 1 - deck[place]] = n - 1 - place;
  /** @type {(column: number) => number} */
  const across = (column) => edge + (column * (width - 2 * edge)) / Math.max(1, n - 1);
  /** @type {(start: number) => number} */
  const down = (start) => edge + (start * (height - 2 * edge)) / Math.max(1, n - 1);
  let row = 0;
  pen.lineWidth = 2.5;
  for (let start = 0; start < n; start++) {
    if (start === 0 || columns[start] < columns[start - 1]) {
      pen.strokeStyle = colour(`row${row++ % ROWS}`);
      pen.beginPath();
      pen.moveTo(across(columns[start]), down(start));
    } else pen.lineTo(across(columns[start]), down(start));
    if (start === n - 1 || columns[start + 1] < columns[start]) pen.stroke();
  }
  const size = Math.max(1.5, Math.min(5, width / n / 2));
  for (let place = 0; place < n; place++) {
    pen.beginPath();
    pen.arc(across(n - 1 - place), down(n - 1 - deck[place]), size, 0, 2 * Math.PI);
    pen.fillStyle = inks[place];
    pen.fill();
    pen.strokeStyle = colour("ink");
    pen.lineWidth = 0.75;
    pen.stroke();
  }
}

/** @typedef {{ low: number[], high: number[] }} Curve */
/** @typedef {{ pen: CanvasRenderingContext2D, unit: number, left: number, right: number, top: number, bottom: number, across: (round: number) => number, up: (share: number) => number }} Plane */

// Total variation after 0, 1, ... rounds. Between low and high nobody knows; a low without a high is a lower bound, and the
// curve may lie anywhere above it. `beside` is drawn thin, to compare with.
/** @type {(canvas: HTMLCanvasElement, curve: Curve, now: number, last: number, beside: number[], turn: { at: number, text: string } | null, value: string) => void} */
export function drawCurve(canvas, { low, high }, now, last, beside, turn, value) {
  const plane = planeOf(canvas, last), { pen, across, up } = plane, bounded = high.length > 0, ink = bounded ? "row1" : "row2";
  drawAxes(plane, last);
  if (turn && turn.at <= last) drawTurn(plane, turn);
  drawLine(plane, beside, "soft", 1);
  pen.fillStyle = colour(ink);
  pen.globalAlpha = bounded ? 0.35 : 0.2;
  pen.beginPath();
  low.forEach((share, round) => pen.lineTo(across(round), up(bounded ? high[round] : 1)));
  for (let round = low.length - 1; round >= 0; round--) pen.lineTo(across(round), up(low[round]));
  pen.fill();
  pen.globalAlpha = 1;
  if (bounded) drawLine(plane, high, ink, 2);
  drawLine(plane, low, ink, 2.5);
  pen.fillStyle = colour(ink);
  low.forEach((share, round) => {
    pen.beginPath();
    if (bounded) pen.arc(across(round), up(share), 3, 0, 2 * Math.PI);
    else pen.lineTo(across(round) - 5, up(share)), pen.lineTo(across(round) + 5, up(share)), pen.lineTo(across(round), up(share) - 8);
    pen.fill();
  });
  if (now < low.length) drawNow(plane, across(now), up(low[now]), value);
}

/** @type {(canvas: HTMLCanvasElement, last: number) => Plane} */
function planeOf(canvas, last) {
  const { pen, width, height } = opened(canvas), unit = parseFloat(getComputedStyle(canvas).fontSize) / 16;
  const left = 30 * unit, right = width - 12 * unit, top = 22 * unit, bottom = height - 22 * unit;
  return { pen, unit, left, right, top, bottom, across: (round) => left + (round * (right - left)) / last, up: (share) => bottom - share * (bottom - top) };
}

/** @type {(plane: Plane, values: number[], ink: string, wide: number) => void} */
function drawLine({ pen, across, up }, values, ink, wide) {
  pen.strokeStyle = colour(ink);
  pen.lineWidth = wide;
  pen.beginPath();
  values.forEach((share, round) => pen.lineTo(across(round), up(share)));
  pen.stroke();
}

/** @type {(plane: Plane, last: number) => void} */
function drawAxes({ pen, unit, left, right, bottom, across, up }, last) {
  pen.font = `${13 * unit}px system-ui, sans-serif`;
  pen.fillStyle = colour("soft");
  pen.textAlign = "right";
  for (const share of [0, 0.5, 1]) {
    pen.fillText(share.toLocaleString(language), left - 6, up(share) + 4 * unit);
    pen.fillRect(left, up(share), right - left, 0.5);
  }
  pen.textAlign = "center";
  const each = across(1) - left > 25 * unit ? 1 : 5;
  for (let round = 0; round <= last; round += each) pen.fillText(String(round), across(round), bottom + 17 * unit);
}

/** @type {(plane: Plane, turn: { at: number, text: string }) => void} */
function drawTurn({ pen, unit, right, top, bottom, across }, { at, text }) {
  pen.setLineDash([4, 4]);
  pen.strokeStyle = colour("soft");
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.moveTo(across(at), top - 5 * unit);
  pen.lineTo(across(at), bottom);
  pen.stroke();
  pen.setLineDash([]);
  pen.textAlign = across(at) > right * 0.7 ? "right" : "center";
  pen.fillText(text, across(at), 13 * unit);
}

/** @type {(plane: Plane, x: number, y: number, value: string) => void} */
function drawNow({ pen, unit, left, right, top, bottom }, x, y, value) {
  pen.fillStyle = colour("gold");
  pen.strokeStyle = colour("ink");
  pen.lineWidth = 2;
  pen.beginPath();
  pen.arc(x, y, 8, 0, 2 * Math.PI);
  pen.fill();
  pen.stroke();
  pen.fillStyle = colour("ink");
  pen.font = `700 ${15 * unit}px system-ui, sans-serif`;
  const above = y > (top + bottom) / 2, room = 45 * unit, ample = above && x < right - 2 * room;
  pen.textAlign = ample ? "left" : "center";
  pen.fillText(value, ample ? x + 4 : Math.max(left + room, Math.min(x, right - room)), above ? y - 13 : y + 14 + 12 * unit);
}

// --- the deck as a ribbon of thin cards, top card on the left; while it is shuffled, each card moves from its old place to its new one

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
