// The tasks of a worksheet and their answers, drawn from a seed: each pupil's sheet differs.

import { seededDraws } from "../scripts/draws.js";
import { obviousDeck, ordersOf } from "../scripts/small_decks.js";
import { riffledOnce } from "../scripts/riffling.js";
import { risingSequences } from "../scripts/rising.js";

const THREE = 3, PATHS = 5, DECK = 10, APART = 1000;

/** @typedef {{ three: number[], orders: number[][], paths: number[][], ends: number[][], deck: number[], rising: number, riffles: number, cards: number }} Tasks */

/** @type {(seed: number, sheet: number) => Tasks} */
export function tasksOf(seed, sheet) {
  const draws = seededDraws(seed * APART + sheet), three = some(9, THREE, draws).map((card) => card + 1).sort((a, b) => a - b);
  const paths = some(27, PATHS, draws).map((path) => [Math.floor(path / 9), Math.floor(path / 3) % 3, path % 3]);
  let deck = Array.from({ length: DECK }, (_, card) => card);
  // One that is still sorted is no task.
  for (let riffles = 1 + draws.below(3); riffles > 0 || risingSequences(deck) === 1; riffles--) deck = riffledOnce(deck, draws);
  const rising = risingSequences(deck);
  return { three, orders: ordersOf(three), paths, ends: paths.map((drawn) => obviousDeck(THREE, drawn)), deck, rising, riffles: Math.ceil(Math.log2(rising)), cards: 20 + draws.below(33) };
}

// Different numbers below a bound, in random order.
/** @type {(bound: number, many: number, draws: Draws) => number[]} */
function some(bound, many, draws) {
  const left = Array.from({ length: bound }, (_, i) => i);
  return Array.from({ length: many }, () => left.splice(draws.below(left.length), 1)[0]);
}
