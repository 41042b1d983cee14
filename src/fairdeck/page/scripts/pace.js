// The player's own pace: seconds a card, and whole deals against the usual minutes. Both are medians.

import { deal } from "./current.js";
import { listed, PACE, recall, remember } from "./memory.js";
import { stepAt } from "./stages.js";
import { clock } from "./taps.js";

const PACES = 20, FEWEST_PACES = 4, DEALS = "fairdeck-minutes", DEALS_KEPT = 5, FEWEST_DEALS = 2;

/** @type {(cards: number) => void} */
export function learnPace(cards) {
  const { kind } = stepAt(deal, deal.at), each = (clock() - deal.last) / cards;
  if (kind !== "card" || each < 0.2 || each > 4) return;
  remember(PACE, [...paces(), Math.round(each * 100) / 100].slice(-PACES));
}

const paces = () => listed(recall(PACE)).filter((pace) => pace > 0);

/** @type {() => number | null} */
export function ownPace() {
  const sorted = paces().sort((a, b) => a - b);
  return sorted.length < FEWEST_PACES ? null : Math.min(2, Math.max(0.4, Math.round(sorted[sorted.length >> 1] * 20) / 20));
}

/** @type {(usual: number, minutes: number) => void} */
export function learnMinutes(usual, minutes) {
  const times = minutes / usual;
  // Others tell nothing.
  if (usual > 1 && times > 0.3 && times < 10) remember(DEALS, [...listed(recall(DEALS)), Math.round(times * 100) / 100].slice(-DEALS_KEPT));
}

// How many times as long as usual the player takes; null before there are enough deals.
/** @type {() => number | null} */
export function ownTimes() {
  const sorted = listed(recall(DEALS)).filter((times) => times > 0.3 && times < 10).sort((a, b) => a - b);
  return sorted.length < FEWEST_DEALS ? null : sorted[sorted.length >> 1];
}
