// The player's own pace: seconds a card, and whole deals against the usual minutes, both as medians; and the decks dealt.

import { deal } from "./current.js";
import { isCount, listed, PACE, recall, remember } from "./memory.js";
import { stepAt } from "./stages.js";
import { clock } from "./taps.js";

const PACES = 20, FEWEST_PACES = 4, DEALS = "fairdeck-minutes", DEALS_KEPT = 5, FEWEST_DEALS = 2;

/** @type {(cards: number) => void} */
export function learnPace(cards) {
  const { kind } = stepAt(deal, deal.at), each = (clock() - deal.last) / cards;
  if (kind !== "card" || each < 0.2 || each > 4) return;
  remember(PACE, [...ownPaces(), Math.round(each * 100) / 100].slice(-PACES));
}

const ownPaces = () => listed(recall(PACE)).filter((pace) => pace > 0);

/** @type {() => number | null} */
export function ownPace() {
  const sorted = ownPaces().sort((a, b) => a - b);
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

const HISTORY = "fairdeck-history", DECKS_KEPT = 40;

// How many decks, since which month, and the seconds a card of the last: nothing else, and no order.
/** @type {() => { decks: number, since: string, paces: number[] }} */
export function ownHistory() {
  const { decks, since, paces } = recall(HISTORY) || {};
  return { decks: isCount(decks) && /^\d{4}-\d\d$/.test(since) ? decks : 0, since, paces: listed(paces).filter((pace) => pace > 0) };
}

// Only who deals alone shows how long a deal takes.
/** @type {(over: OpenDeal) => any} */
export const isOwn = ({ owned, foreign, lesson, task }) => owned && !foreign && !lesson && task.dealers === 1;

// Null where cards were passed over, or a break was long.
/** @type {(over: OpenDeal) => number | null} */
export function paceOf({ task, plan, spent }) {
  const pace = Math.round((100 * spent) / task.cards / plan.passes.length) / 100;
  return pace >= 0.2 && pace < 10 ? pace : null;
}

/** @type {(over: OpenDeal) => void} */
export function learnDeck(over) {
  const { decks, since, paces } = ownHistory(), pace = paceOf(over);
  remember(HISTORY, { decks: decks + 1, since: decks ? since : new Date().toISOString().slice(0, 7), paces: [...paces, ...(pace ? [pace] : [])].slice(-DECKS_KEPT) });
}

export function forgetHistory() {
  for (const key of [HISTORY, PACE, DEALS]) remember(key, null);
}
