// The lesson: nine cards and one slip on purpose, which the heights show.

import { ask, deals } from "./beginning.js";
import { deal, GROUP } from "./current.js";
import { $ } from "./elements.js";
import { recalled } from "./kept.js";
import { recall, remember } from "./memory.js";
import { makeMat, wholeDeck } from "./planner.js";
import { t } from "./texts.js";

const LEARNT = "fairdeck-lesson";

export const isOffered = () => !recalled && !recall(LEARNT);

export function startLesson() {
  const begin = () => {
    deals({ cards: 9, mat: makeMat(3, 1), goal: wholeDeck(), dealers: 1, leastPasses: 2, classic: true, bottom: "never" }, { lesson: true });
    remember(LEARNT, 1);
  };
  if (recalled) ask("anew", begin);
  else begin();
}

/** @type {(step: Step) => void} */
export function showHint({ kind, number, index }) {
  /** @type {Record<string, string>} */
  const first = { open: "lessonOpen", card: index < GROUP ? "" : "lessonSlip", check: "lessonCheck" };
  const key = deal.lesson && (kind === "done" ? "lessonDone" : !number && first[kind]);
  $("hint").hidden = !key;
  $("hint").textContent = key ? t(key) : "";
}
