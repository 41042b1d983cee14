// A slow phone needs longest for its first deal. So the page lays out a deal once, unseen, while the player still chooses.

import { deal, none, setDeal } from "./current.js";
import { dealOf } from "./dealing.js";
import { $ } from "./elements.js";
import { drawMat } from "./mat.js";
import { makeMat, testGenerator, wholeDeck } from "./planner.js";
import { t } from "./texts.js";

/** @type {() => void} */
export function rehearse() {
  if (deal) return;
  const task = { cards: 60, mat: makeMat(5, 2), goal: wholeDeck(), dealers: 1, leastPasses: 1, classic: false, bottom: "pass" };
  try { testGenerator(); } catch { /* a deal will say so */ }
  const played = dealOf(task, Array.from({ length: task.cards }, (_, card) => card));
  setDeal(played);
  drawMat(played.plan.passes[0].counts);
  setDeal(none);
  $("label").textContent = t("dealTop");
  // Hidden so, screen readers do not see it either.
  $("deal").style.visibility = "hidden";
  $("deal").hidden = false;
  $("deal").getBoundingClientRect();
  $("deal").hidden = true;
  $("deal").style.visibility = "";
}
