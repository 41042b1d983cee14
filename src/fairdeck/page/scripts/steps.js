// The deal goes on by a step; the label is said and felt.

import { onBeat, tempo } from "./beat.js";
import { called, deal, GROUP, isAgain, view } from "./current.js";
import { $ } from "./elements.js";
import { shownColumn, shownGrid } from "./mat.js";
import { show } from "./screen.js";
import { chord, sayLabels, saySentence } from "./sound.js";
import { stepAt } from "./stages.js";
import { changed, clock } from "./taps.js";
import { pieces, t } from "./texts.js";

// A step that takes longer was a break.
const LONGEST_STEP = 30;

/** @type {(at: number) => void} */
export function goTo(at) {
  const now = clock();
  deal.spent += Math.min(LONGEST_STEP, now - deal.last);
  // A double tap must not hit another button.
  if (stepAt(deal, at).kind !== stepAt(deal, deal.at).kind) changed();
  Object.assign(deal, { at, last: now, older: false, resumed: false, counting: "" });
  tempo.called = false;
  show();
}

// Where a space lies on the mat, from -1 on the left to 1 on the right.
/** @type {(space: number) => number} */
export const sideOf = (space) => (2 * shownColumn(space) + 1) / shownGrid().columns - 1;

// Now and then, how many cards are left.
const TENTHS = 10;

export function callOut() {
  const { kind, number, index } = stepAt(deal, deal.at), list = deal.lists[number], left = list.length - index, five = view() === "group";
  if (kind === "done") chord();
  if (kind !== "card") return saySentence($("said").textContent);
  const end = five ? index - (index % GROUP) + GROUP : index + 1, asked = list.slice(index, end);
  sayLabels(called(number, index, end), asked.map(sideOf), pieces([!five && isAgain(list, index) && t("again"), left % TENTHS < asked.length && t("left", { n: left })]));
}

// Milliseconds: pulses for the row, pulses for the column, the pauses after them.
const LONG = 180, SHORT = 45, GAP = 80, PART = 240, BREAK = 500;

// By touch: as many long pulses as the space's row, as many short ones as its column.
/** @type {(space: number) => number[]} */
function pulsesOf(space) {
  const { columns } = deal.task.mat, row = Math.floor(space / columns);
  return [...Array.from({ length: row }, () => [LONG, GAP]), [LONG, PART], ...Array.from({ length: space % columns }, () => [SHORT, GAP]), [SHORT]].flat();
}

export function buzz() {
  if (!$("vibrate").checked || !navigator.vibrate) return;
  const { kind, number, index } = stepAt(deal, deal.at), list = deal.lists[number], { stack, from } = deal.plan.passes[number];
  const other = [60, 60, 60];
  if (kind === "done") navigator.vibrate([...other, 60, 400]);
  else if (kind === "open" && from === "bottom") navigator.vibrate([...other, BREAK, 400]);
  // The pile that is moved first tells where the route begins.
  else if (kind === "gather") navigator.vibrate([...other, BREAK, ...pulsesOf(stack[stack.length - 1 - index])]);
  else if (kind !== "card") navigator.vibrate(other);
  else if (view() !== "group" && !onBeat()) navigator.vibrate(pulsesOf(list[index]));
  else navigator.vibrate(isAgain(list, index) ? [12, 50, 12] : 12);
}
