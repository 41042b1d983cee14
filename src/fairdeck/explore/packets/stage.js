// The picture: cards as thin stripes in the colour of the packet in which they began, and the streams in which they move.

import { opened } from "../../page/scripts/canvas.js";

/** @typedef {import("./moving.js").Stop} Stop */
/** @typedef {{ stops: Stop[], origin: number[], labels: (name: string, cards: number) => string[] }} Scene */
/** @typedef {Scene & { pen: CanvasRenderingContext2D, width: number, high: number, low: number, tall: number, stripe: number, letters: number, colour: (name: string) => string }} View */

const PACKETS_APART = 22, PARTS_APART = 5, BEND = 14, LIFT = 9;

/** @type {(v: number) => number} */
const eased = (v) => v * v * (3 - 2 * v);
/** @type {(a: number, b: number, v: number) => number} */
const between = (a, b, v) => a + (b - a) * v;

// `labels` are the labels that a packet may have, the longest first.
/** @type {(stops: Stop[], labels: Scene["labels"]) => Scene} */
export function sceneOf(stops, labels) {
  /** @type {number[]} */
  const origin = [];
  stops[0].packets.forEach(([deck], packet) => deck.forEach((card) => { origin[card] = packet; }));
  return { stops, origin, labels };
}

// At a stop, or on the way to it: `at` is 2.3 where 0.3 of the way from stop 2 to stop 3 is done.
/** @type {(canvas: HTMLCanvasElement, scene: Scene, at: number) => void} */
export function drawStage(canvas, scene, at) {
  const view = viewOf(canvas, scene), { stops } = scene, { high, low, tall } = view;
  const stop = Math.ceil(at), way = at === stop ? 1 : at - stop + 1, passing = stop % 2 ? stop : Math.max(1, stop - 1);
  const start = lying(view, stops[passing - 1].packets), end = lying(view, stops[passing].packets);
  drawStreams(view, start, end, stop ? 0.5 : 0.28);
  drawNames(view, stops[passing - 1], start, high - view.letters / 2);
  if (stop === 0) {
    drawGhosts(view, stops[passing], end, low);
    drawNames(view, stops[passing], end, low + tall + view.letters * 1.2);
    return drawCards(view, start, () => high);
  }
  drawGhosts(view, stops[passing - 1], start, high);
  if (stop % 2) drawPassed(view, start, end, way, stop > 1);
  else drawRiffled(view, stops[passing], end, way);
  drawNames(view, stops[stop], lying(view, stops[stop].packets), low + tall + view.letters * 1.2);
}

// The new packets of the step before come up first; then their parts are passed.
/** @type {(view: View, start: number[], end: number[], way: number, comesUp: boolean) => void} */
function drawPassed(view, start, end, way, comesUp) {
  const { high, low } = view, rise = comesUp ? 0.3 : 0, down = eased(Math.max(0, (way - rise) / (1 - rise))), side = eased(down);
  if (way < rise) return drawCards(view, start, () => between(low, high, eased(way / rise)));
  drawCards(view, start.map((x, card) => between(x, end[card], side)), () => between(high, low, down));
}

/** @type {(view: View, stop: Stop, end: number[], way: number) => void} */
function drawRiffled(view, { orders }, end, way) {
  const turn = Math.min(way * orders.length, orders.length - 1e-6), done = Math.floor(turn), v = turn - done;
  /** @type {(number: number) => number[]} */
  const after = (number) => lying(view, orders[number].map((deck) => [deck]));
  const old = done ? after(done - 1) : end, now = after(done), up = LIFT * Math.sin(Math.PI * v);
  drawCards(view, old.map((x, card) => between(x, now[card], eased(v))), (card) => view.low - (now[card] < old[card] ? up : 0));
}

/** @type {(canvas: HTMLCanvasElement, scene: Scene) => View} */
function viewOf(canvas, scene) {
  const { pen, width, height } = opened(canvas), look = getComputedStyle(canvas);
  const letters = parseFloat(look.fontSize) * 0.875, room = letters * 1.6, tall = height * 0.2, stripe = (width - Math.max(...scene.stops.map(gaps))) / scene.origin.length;
  return { ...scene, pen, width, high: room, low: height - room - tall, tall, stripe, letters, colour: (name) => look.getPropertyValue(`--${name}`).trim() };
}

/** @type {(stop: { packets: number[][][] }) => number} */
const gaps = ({ packets }) => packets.reduce((sum, parts) => sum + (parts.length - 1) * PARTS_APART, (packets.length - 1) * PACKETS_APART);

// The left edge of each card.
/** @type {(view: View, packets: number[][][]) => number[]} */
function lying({ width, stripe, origin }, packets) {
  const x = Array(origin.length).fill(0);
  let left = (width - gaps({ packets }) - stripe * x.length) / 2;
  for (const parts of packets) {
    for (const deck of parts) {
      for (const card of deck) x[card] = left, left += stripe;
      left += PARTS_APART;
    }
    left += PACKETS_APART - PARTS_APART;
  }
  return x;
}

/** @type {(view: View, x: number[], y: (card: number) => number) => void} */
function drawCards({ pen, origin, stripe, tall, colour }, x, y) {
  const shades = origin.map((packet) => colour(`row${packet}`)), wide = stripe > 4 ? stripe - 0.5 : stripe + 0.3;
  x.forEach((left, card) => {
    pen.fillStyle = shades[card];
    pen.fillRect(left, y(card), wide, tall);
  });
}

/** @type {(view: View, start: number[], end: number[], strength: number) => void} */
function drawStreams({ pen, origin, stripe, high, low, tall, colour }, start, end, strength) {
  pen.globalAlpha = strength;
  pen.lineWidth = Math.max(0.7, stripe * 0.8);
  start.forEach((left, card) => {
    pen.strokeStyle = colour(`row${origin[card]}`);
    pen.beginPath();
    for (let i = 0; i <= BEND; i++) pen.lineTo(between(left, end[card], eased(i / BEND)) + stripe / 2, between(high + tall, low, i / BEND));
    pen.stroke();
  });
  pen.globalAlpha = 1;
}

// Where the packets lay, or where their parts will lie.
/** @type {(view: View, stop: Stop, x: number[], y: number) => void} */
function drawGhosts({ pen, stripe, tall, colour }, { packets }, x, y) {
  pen.strokeStyle = colour("table-line");
  pen.lineWidth = 1;
  for (const deck of packets.flat()) pen.strokeRect(x[deck[0]] - 0.5, y + 0.5, stripe * deck.length + 1, tall - 1);
}

// Each packet has the longest label that has room.
/** @type {(view: View, stop: Stop, x: number[], y: number) => void} */
function drawNames({ pen, stripe, letters, colour, labels }, { names, packets }, x, y) {
  pen.fillStyle = colour("on-table");
  pen.font = `700 ${letters * 1.1}px Index, sans-serif`;
  pen.textAlign = "center";
  const known = packets.map((parts, at) => labels(names[at], parts.flat().length)), wide = stripe * Math.min(...packets.map((parts) => parts.flat().length));
  const which = known[0].findIndex((_, i) => known.every((each) => pen.measureText(each[i]).width < wide + PACKETS_APART / 2));
  packets.forEach((parts, at) => {
    const deck = parts.flat(), left = x[deck[0]], right = x[deck[deck.length - 1]] + stripe;
    pen.fillText(known[at].at(which) || "", (left + right) / 2, y);
  });
}
