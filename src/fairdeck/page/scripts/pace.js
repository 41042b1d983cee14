// The pace of the player's own taps: the median of the last ones, in seconds a card.

import { deal } from "./current.js";
import { stepAt } from "./dealing.js";
import { listed, PACE, recall, remember } from "./memory.js";
import { clock } from "./taps.js";

const PACES = 20, FEWEST_PACES = 4;

/** @type {(cards: number) => void} */
export function learnPace(cards) {
  const { kind } = stepAt(deal, deal.at), each = (clock() - deal.last) / cards;
  if (kind !== "card" || each < 0.2 || each > 4) return;
  remember(PACE, [...paces(), Math.round(each * 100) / 100].slice(-PACES));
}

/** @type {() => number[]} */
const paces = () => listed(recall(PACE)).filter((pace) => pace > 0);

/** @type {() => number | null} */
export function ownPace() {
  const sorted = paces().sort((a, b) => a - b);
  return sorted.length < FEWEST_PACES ? null : Math.min(2, Math.max(0.4, Math.round(sorted[sorted.length >> 1] * 20) / 20));
}
