// Next and Undo.

import { onBeat } from "./beat.js";
import { deal, GROUP, host, isDone, view } from "./current.js";
import { $ } from "./elements.js";
import { learnPace } from "./pace.js";
import { unlockSound } from "./sound.js";
import { startOf, stepAt } from "./stages.js";
import { buzz, callOut, goTo } from "./steps.js";
import { clock, lastChange } from "./taps.js";
import { pauseTempo, toggleTempo } from "./tempo.js";

// After a tap on Undo, the keys mean Next again.
export function undoTapped() {
  undo();
  $("next").focus();
}

function stepAfter() {
  const { kind, number, index } = stepAt(deal, deal.at);
  if (kind === "gather") return deal.at + deal.plan.passes[number].stack.length - 1 - index;
  if (kind !== "card" || view() !== "group") return deal.at + 1;
  return deal.at + Math.min(GROUP - (index % GROUP), deal.lists[number].length - index);
}

function stepBefore() {
  const { kind, number, index } = stepAt(deal, deal.at), before = stepAt(deal, deal.at - 1);
  // Which piles had been stacked before, only the dealer knows: the route begins anew.
  if (kind === "open" && before.kind === "gather") return deal.at - 1 - before.index;
  if (view() !== "group") return deal.at - 1;
  if (kind === "check" && deal.lists[number].length) return deal.at - (((deal.lists[number].length - 1) % GROUP) + 1);
  if (kind !== "card" || index === 0) return deal.at - 1;
  return deal.at - (index % GROUP || GROUP);
}

// The least seconds between steps; a tap that comes sooner is part of the last one.
const SOONEST = { card: 0.25, five: 0.5, other: 0.7 }, tapped = { next: -1, undo: -1, label: -1 };

/** @type {(what: "next" | "undo" | "label") => boolean} */
function tooSoon(what) {
  const { kind } = stepAt(deal, deal.at), now = clock();
  if (now - Math.max(tapped[what], lastChange) < SOONEST[what === "label" ? "card" : kind !== "card" ? "other" : view() === "group" ? "five" : "card"]) return true;
  tapped[what] = now;
  return false;
}

export function next() {
  if (!deal.owned || tooSoon("next")) return;
  const { kind } = stepAt(deal, deal.at);
  if (kind === "done") return host.finish();
  unlockSound();
  if (onBeat() && (kind === "open" || kind === "card")) return toggleTempo();
  learnPace(stepAfter() - deal.at);
  goTo(stepAfter());
  callOut();
  buzz();
}

// A tap on one of the five labels: it and those before it are dealt; on a dealt one: it comes next.
/** @type {(event: any) => void} */
export function labelTapped({ target }) {
  const place = [...$("five").children].indexOf(target.closest("li"));
  if (place < 0 || !deal.owned || tooSoon("label")) return;
  const { number, index } = stepAt(deal, deal.at), card = index - (index % GROUP) + place;
  goTo(startOf(deal, number) + (card < index ? 1 : 2) + card);
  if (deal.at % GROUP === 1) callOut();
  buzz();
}

// A tap on a stop of the route: it and those before it are stacked; on a stacked one: it comes next.
/** @type {(event: any) => void} */
export function stopTapped({ target }) {
  const stop = target.closest("button"), { kind, index } = stepAt(deal, deal.at), place = [...$("mat").querySelectorAll("li")].indexOf(stop?.parentElement);
  if (kind !== "gather" || place < 0 || !deal.owned || tooSoon("label")) return;
  goTo(Math.min(stepAfter(), deal.at - index + place + Number(place >= index)));
  ($("mat").querySelector("[aria-current]") || $("next")).focus();
  callOut();
  buzz();
}

export function undo() {
  pauseTempo();
  if (deal.owned && deal.at > 0 && !isDone() && !tooSoon("undo")) goTo(stepBefore()), callOut(), buzz();
}
