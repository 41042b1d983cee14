// Which single slip explains the heights of the piles, and the way back (as dealing/slips.py).

import { countsOf } from "./planner.js";

// Likeliest first. Cards count from 0; `hand` is what is left of the list.
/** @type {(list: number[], dealt: number, heights: number[], columns: number, hand: number) => Slip[]} */
export function explanations(list, dealt, heights, columns, hand) {
  const done = list.slice(0, dealt), expected = countsOf(done, heights.length), ended = Number(dealt === list.length);
  // If a card is short, the last label gets none.
  const short = ended ? list[dealt - 1] : -1;
  /** @type {Slip[]} */
  const found = [];
  /** @type {(kind: string, more: number, less: number, held: number, own?: number, space?: number) => void} */
  const tryOut = (kind, more, less, held, own = -1, space = own) => {
    const fits = (/** @type {number} */ seen, /** @type {number} */ at) => seen === expected[at] + Number(at === more) - Number(at === less);
    if (hand !== list.length - dealt + held || !heights.every(fits)) return;
    if (own < 0) found.push({ kind, card: -1, space });
    else done.forEach((each, card) => { if (each === own && shows(kind, list, dealt, card)) found.push({ kind, card, space }); });
  };
  tryOut("missing", -1, short, ended - 1);
  tryOut("extra", -1, -1, 1);
  if (!ended) tryOut("ahead", list[dealt], -1, -1);
  for (const own of [...new Set(done)].sort((a, b) => a - b)) {
    for (let space = 0; space < heights.length; space++) if (heights[space] > expected[space]) tryOut("misplaced", space, own, 0, own, space);
    tryOut("skipped", -1, own, 1, own);
    tryOut("twice", own, short, ended - 1, own);
  }
  const isRight = hand === list.length - dealt && heights.every((seen, space) => seen === expected[space]);
  return isRight ? [] : found.sort((a, b) => unlikely(list, columns, a) - unlikely(list, columns, b) || b.card - a.card);
}

// All labels of a run leave one table; of the last two runs, a label dealt twice leaves another slip's, or the right one.
/** @type {(kind: string, list: number[], dealt: number, card: number) => boolean} */
const shows = (kind, list, dealt, card) => kind === "misplaced"
  || ((card + 1 === dealt || list[card + 1] !== list[card]) && (kind !== "twice" || dealt < list.length || new Set(list.slice(card + 1)).size > 1));

/** @type {(list: number[], columns: number, slip: Slip) => number} */
function unlikely(list, columns, { kind, card, space }) {
  if (card < 0) return kind === "ahead" ? -1 : 3;
  if (kind !== "misplaced") return Number(!card || list[card - 1] !== space);
  const far = Math.abs((space % columns) - (list[card] % columns)) + Math.abs(Math.floor(space / columns) - Math.floor(list[card] / columns));
  return 2 - Number(far === 1) - Number(list.slice(Math.max(0, card - 1), card + 2).includes(space));
}

// The spaces to take cards back from, in turn; then card `next` comes.
/** @type {(list: number[], dealt: number, slip: Slip) => { take: number[], next: number }} */
export function wayBack(list, dealt, { kind, card }) {
  const laid = [...list.slice(0, card), ...(kind === "twice" ? [list[card], list[card]] : []), ...list.slice(card + 1, dealt)].slice(0, list.length);
  let next = 0;
  while (next < laid.length && laid[next] === list[next]) next++;
  return { take: laid.slice(next).reverse(), next };
}
