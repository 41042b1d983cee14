// Why the obvious loop is biased: its paths shared by the orders, walked, counted and divided; and the right loop.

import { $, element } from "../../page/scripts/elements.js";
import { t } from "../../page/scripts/texts.js";
import { openFrame } from "../scripts/frame.js";
import { openPrediction } from "../scripts/predict.js";
import { openSettings } from "../scripts/settings.js";
import { cardsOf } from "../scripts/small_decks.js";
import { readFour, readSum } from "./arithmetic.js";
import { openHat, readHat } from "./hat.js";
import { obviousCounts } from "./paths.js";
import { openWalk, orderNames, readWalk } from "./walk.js";

const CARDS_SHARED = 3, ANSWERS = ["yes", "longRun", "no"], TRUE_ANSWER = "no";
const counts = obviousCounts(CARDS_SHARED), least = Math.min(...counts), most = Math.max(...counts);

// A square for each path, stacked on its order; before the reveal those that cannot be shared lie beside.
/** @type {(isRevealed: boolean) => void} */
function showShares(isRevealed) {
  const over = counts.filter((count) => count > least).length;
  /** @type {(name: string, squares: string[]) => HTMLElement} */
  const stack = (name, squares) => element("div", [element("span", squares.map((look) => element("i", "", look)), "squares"), element("b", name)]);
  $("shares").replaceChildren(
    ...counts.map((count, rank) => stack(orderNames[rank], cardsOf(most).map((i) => (i < least ? "full" : isRevealed && i < count ? "fell" : "")))),
    stack("?", cardsOf(most).map((i) => (i < over ? (isRevealed ? "" : "spare") : "none"))),
  );
  $("shares").setAttribute("aria-label", t(isRevealed ? "sharesUneven" : "sharesOver"));
}

openFrame();
showShares(false);
openPrediction(ANSWERS.map((answer) => [answer, t(answer)]), TRUE_ANSWER, () => {
  showShares(true);
  $("reveal").textContent = t("reveal");
});
openWalk();
openHat();
openSettings([readWalk, readSum, readFour, readHat]);
