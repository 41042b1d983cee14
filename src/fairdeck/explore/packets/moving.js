// The steps of a flow, done with cards: where each card lies when the parts are passed, and when they are riffled.

import { interleaved, riffledOnce } from "../scripts/riffling.js";

/** @typedef {import("../../page/scripts/built.js").Flow} Flow */
/** @typedef {import("../../page/scripts/built.js").Move} Move */
/** @typedef {import("../../page/scripts/built.js").Part} Part */

// Each packet is a list of parts, each part a list of cards; the top card first. While parts are passed, `orders`
// says what the packets become, riffle by riffle.
/** @typedef {{ names: string[], packets: number[][][], orders: number[][][] }} Stop */

// How many cards a share is; halves are rounded up. See `fairdeck.packets.notation`.
/** @type {(share: string, cards: number) => number} */
export function cardsAbove(share, cards) {
  const [over, under = 1] = share.split("/").map(Number);
  return Math.floor((2 * over * cards + under) / (2 * under));
}

// The pack as it is cut, then two stops for each step: the parts are passed; the new packets are riffled.
/** @type {(flow: Flow, cards: number, riffles: number, draws: Draws) => Stop[]} */
export function stopsOf(flow, cards, riffles, draws) {
  const many = flow.names[0].length, cuts = Array.from({ length: many + 1 }, (_, at) => cardsAbove(`${at}/${many}`, cards));
  let packets = flow.names[0].map((_, at) => Array.from({ length: cuts[at + 1] - cuts[at] }, (_card, i) => cuts[at] + i));
  const stops = [resting(flow.names[0], packets)];
  for (let step = 0; step + 1 < flow.names.length; step++) {
    const moves = flow.steps[step % flow.steps.length], names = flow.names[step + 1], before = packets;
    const passed = moves.map(({ upper, lower }) => [...upper, ...lower].map((part) => taken(part, before)));
    const orders = [];
    packets = passed.map((parts) => parts.flat());
    for (let done = 0; done < riffles; done++) {
      packets = moves.map((move, at) => riffledBy(move, passed[at], packets[at], done, draws));
      orders.push(packets);
    }
    stops.push({ names, packets: passed, orders }, resting(names, packets));
  }
  return stops;
}

/** @type {(names: string[], packets: number[][]) => Stop} */
const resting = (names, packets) => ({ names, packets: packets.map((deck) => [deck]), orders: [] });

/** @type {(part: Part, packets: number[][]) => number[]} */
function taken([packet, from, to], packets) {
  const deck = packets[packet];
  return deck.slice(cardsAbove(from, deck.length), cardsAbove(to, deck.length));
}

// The first riffle of two parts is of the one into the other; all later ones are of both together.
/** @type {(move: Move, parts: number[][], deck: number[], done: number, draws: Draws) => number[]} */
function riffledBy({ kind, upper }, parts, deck, done, draws) {
  if (!kind) return deck;
  if (kind === "!" || done) return riffledOnce(deck, draws);
  return interleaved(parts.slice(0, upper.length).flat(), parts.slice(upper.length).flat(), draws);
}
