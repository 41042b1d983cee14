// The lesson: nine cards and one slip on purpose, which the heights show.

import { ask, deals } from "./beginning.js";
import { factorial } from "./code.js";
import { deal, GROUP } from "./current.js";
import { $, element } from "./elements.js";
import { recalled } from "./kept.js";
import { recall, remember } from "./memory.js";
import { makeMat, pilesAfter, planFor, wholeDeck } from "./planner.js";
import { language, t } from "./texts.js";

const LEARNT = "fairdeck-lesson", NINE = 9;
/** @type {Task} */
const TASK = { cards: NINE, mat: makeMat(3, 1), goal: wholeDeck(), dealers: 1, leastPasses: 2, classic: true, bottom: "never" };

export const isOffered = () => !recalled && !recall(LEARNT);

export function startLesson() {
  const begin = () => {
    deals(TASK, { lesson: { picture: "lessonPicture", way: wayOfNine } });
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
  if (!key || $("hint").dataset.key === key + language) return;
  $("hint").dataset.key = key + language;
  $("hint").replaceChildren(element("p", t(key, { n: Number(factorial(NINE)) })));
}

// What a deal makes of nine other cards: sorted, after one pass, after two.
/** @type {(order: number[]) => number[][]} */
function wayOfNine(order) {
  const first = planFor(TASK, order).passes[0], sorted = order.map((_, card) => card), piles = pilesAfter(first, sorted, NINE);
  return [sorted, first.stack.flatMap((space) => piles[space]), order];
}
