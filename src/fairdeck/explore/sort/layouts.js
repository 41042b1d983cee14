// Two methods of sorting a deck in passes, the order of an example, and how many cards a mat surely sorts.

import { passesFor, PlanError, planFor, sum, wholeDeck } from "../../page/scripts/planner.js";
import { integersFrom, uniformPermutation } from "../../page/scripts/randomness.js";

// Cards, columns and rows: the deck of the question above, and the examples that the literature works through.
export const EXAMPLES = [[52, 3, 2], [81, 9, 1], [58, 9, 1], [64, 4, 1], [42, 4, 1], [100, 5, 2]];

// Every pass fills the mat; the last one has only as many piles as are still needed: 58 cards on nine spaces, 9 x 7.
/** @type {(cards: number, spaces: number) => number[]} */
export function classicRadices(cards, spaces) {
  if (spaces < 2) throw new PlanError("spaces");
  return cards > spaces ? [spaces, ...classicRadices(Math.ceil(cards / spaces), spaces)] : [cards];
}

// The key of a card is the place where it must end, 0 on top; each pass deals by one digit of it, the lowest first.
/** @type {(cards: number, mat: Mat, order: number[]) => Plan} */
function classicPlan(cards, mat, order) {
  const shape = { radices: classicRadices(cards, mat.columns * mat.rows), fromBottom: false };
  const task = { cards, mat, goal: wholeDeck(), dealers: 1, leastPasses: 1, classic: true, bottom: "never" };
  /** @type {number[]} */
  const places = [];
  order.forEach((card, i) => { places[card] = cards - 1 - i; });
  return { format: "fairdeck-plan/1", cards, mat, dealers: 1, goal: "deck", passes: passesFor(task, shape, places, order) };
}

// What the dealing page would deal.
/** @type {(cards: number, mat: Mat, order: number[]) => Plan} */
const fewestPlan = (cards, mat, order) => planFor({ cards, mat, goal: wholeDeck(), dealers: 1, leastPasses: 1, classic: false, bottom: "pass" }, order);

/** @type {(cards: number, mat: Mat, order: number[]) => Record<string, Plan>} */
export const plansFor = (cards, mat, order) => ({ classic: classicPlan(cards, mat, order), fewest: fewestPlan(cards, mat, order) });

/** @type {(plan: Plan) => number[]} */
export const pilesOf = (plan) => plan.passes.map((pass) => pass.counts.filter(Boolean).length);

// The key that each card shares with those that already lie in the order that these passes keep; 0 on top.
/** @type {(plan: Plan, order: number[]) => number[]} */
export function sharedKeys(plan, order) {
  const turns = plan.passes.filter((pass) => pass.from !== "bottom").length, down = [...order].reverse();
  /** @type {number[]} */
  const keys = [];
  let key = 0;
  down.forEach((card, i) => {
    if (i && card < down[i - 1] !== (turns % 2 === 0)) key++;
    keys[card] = key;
  });
  return keys;
}

// The order that is surely sorted: with a key for each card as many as the passes can tell apart; with shared keys twice
// as many, since of the two directions one shares enough, if a pass may be dealt from the bottom.
/** @type {(spaces: number, passes: number) => { classic: number, fewest: number }} */
export const surelySorted = (spaces, passes) => ({ classic: spaces ** passes, fewest: 2 * spaces ** passes });

// SplitMix64 (Steele, Lea and Flood 2014): the higher half of each word. The same seed gives the same order everywhere.
/** @type {(seed: number) => Words} */
export function seededWords(seed) {
  /** @type {(value: bigint) => bigint} */
  const low = (value) => BigInt.asUintN(64, value);
  let state = BigInt(seed);
  return () => {
    state = low(state + 0x9E3779B97F4A7C15n);
    let word = low((state ^ (state >> 30n)) * 0xBF58476D1CE4E5B9n);
    word = low((word ^ (word >> 27n)) * 0x94D049BB133111EBn);
    return Number((word ^ (word >> 31n)) >> 32n);
  };
}

/** @type {(cards: number, seed: number) => number[]} */
export const orderFrom = (cards, seed) => uniformPermutation(cards, integersFrom(seededWords(seed)));

/** @type {(plan: Plan) => number} */
export const pilesInAll = (plan) => sum(pilesOf(plan));
