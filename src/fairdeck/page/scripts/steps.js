// The deal goes on by a step; the label is said and felt.

import { tempo } from "./beat.js";
import { deal, GROUP, isAgain, labelsOf, view } from "./current.js";
import { $ } from "./elements.js";
import { show } from "./screen.js";
import { sayLabels, saySentence } from "./sound.js";
import { routeOf, stepAt } from "./stages.js";
import { changed, clock } from "./taps.js";
import { t } from "./texts.js";

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

export function callOut() {
  const { kind, number, index } = stepAt(deal, deal.at), list = deal.lists[number];
  const asked = view() === "group" ? list.slice(index, index - (index % GROUP) + GROUP) : [list[index]];
  if (kind === "card") sayLabels(labelsOf(asked));
  if (kind === "gather") saySentence([$("label").textContent, ...labelsOf(routeOf(deal.plan.passes[number]).slice(index))].join(", "));
  if (kind === "done") saySentence($("label").textContent);
  if (kind === "check") saySentence(t("saidCheck", { number: number + 1 }));
}

export function buzz() {
  if (!$("vibrate").checked || !navigator.vibrate) return;
  const { kind, number, index } = stepAt(deal, deal.at), list = deal.lists[number];
  if (kind !== "card") navigator.vibrate([60, 60, 60]);
  else navigator.vibrate(isAgain(list, index) ? [12, 50, 12] : 12);
}
