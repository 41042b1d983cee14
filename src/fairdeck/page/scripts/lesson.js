// The lesson: nine cards and one slip on purpose, which the heights show.

import { ask, deals } from "./beginning.js";
import { factorial } from "./code.js";
import { deal, GROUP } from "./current.js";
import { dealOf } from "./dealing.js";
import { $, element } from "./elements.js";
import { recalled } from "./kept.js";
import { drawLine } from "./line.js";
import { recall, remember } from "./memory.js";
import { makeMat, pilesAfter, wholeDeck } from "./planner.js";
import { integersFrom, systemWords, uniformPermutation } from "./randomness.js";
import { language, t } from "./texts.js";

const LEARNT = "fairdeck-lesson", NINE = 9;
/** @type {Task} */
const TASK = { cards: NINE, mat: makeMat(3, 1), goal: wholeDeck(), dealers: 1, leastPasses: 2, classic: true, bottom: "never" };

export const isOffered = () => !recalled && !recall(LEARNT);

export function startLesson() {
  const begin = () => {
    deals(TASK, { lesson: true });
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
  if (kind === "done") drawNine();
}

// Nine other cards, freshly drawn: no picture shows the order of a deal.
function drawNine() {
  const { order, plan } = dealOf(TASK, uniformPermutation(NINE, integersFrom(systemWords()))), sorted = order.map((_, card) => card);
  const piles = pilesAfter(plan.passes[0], sorted, NINE), once = plan.passes[0].stack.flatMap((space) => piles[space]);
  const pictures = [sorted, once, order].map((deck) => ({ deck, canvas: element("canvas", "", "deck paper") }));
  $("hint").append(element("div", pictures.map(({ canvas }) => canvas), "nine", { role: "img", "aria-label": t("lessonPicture") }), element("p", t("lessonPicture"), "fine"));
  for (const { deck, canvas } of pictures) drawLine(canvas, deck);
}
