// The first deal takes longest on a slow phone: so the page lays out one, unseen, before.

import { deal, none, setDeal } from "./current.js";
import { dealOf } from "./dealing.js";
import { $ } from "./elements.js";
import { drawMat } from "./mat.js";
import { makeMat, wholeDeck } from "./planner.js";
import { testGenerator } from "./randomness.js";
import { t } from "./texts.js";

export function rehearse() {
  if (deal) return;
  const task = { cards: 60, mat: makeMat(5, 2), goal: wholeDeck(), dealers: 1, leastPasses: 1, classic: false, bottom: "pass" };
  try { testGenerator(); } catch { /* a deal tells */ }
  const played = dealOf(task, Array.from({ length: task.cards }, (_, card) => card));
  setDeal(played);
  drawMat(played.plan.passes[0].counts);
  setDeal(none);
  $("label").textContent = t("dealTop");
  // Screen readers must not see it either.
  $("deal").style.visibility = "hidden";
  $("deal").hidden = false;
  $("deal").getBoundingClientRect();
  $("deal").hidden = true;
  $("deal").style.visibility = "";
}
