// Checks the planner of the dealing page and the device's generator: it deals small decks and counts the orders.

import { $, element } from "../../page/scripts/elements.js";
import { makeMat } from "../../page/scripts/planner.js";
import { GeneratorError, systemWords } from "../../page/scripts/randomness.js";
import { grouped, t, twoPlaces } from "../../page/scripts/texts.js";
import { openFrame } from "../scripts/frame.js";
import { rankOf } from "../scripts/ranks.js";
import { chanceOfCounts, dealtOrder, ORDERS, TOO_UNEVEN } from "./fairness.js";

const EACH = 1000, AT_ONCE = 400, SAID = 8000, SMALL_DECKS = 1200;
const breath = () => new Promise((resume) => setTimeout(resume));

let running = false;
async function run() {
  // Not disabled: the button would lose the focus.
  if (running) return;
  running = true;
  $("run").setAttribute("aria-disabled", "true");
  const counts = Array(ORDERS).fill(0), mat = makeMat(2, 1);
  try {
    const words = systemWords();
    for (let dealt = 0; dealt < ORDERS * EACH; dealt++) {
      if (dealt % AT_ONCE === 0) {
        showCounts(counts);
        if (dealt % SAID === 0) $("said").textContent = t("running", { n: dealt });
        await breath();
      }
      counts[Number(rankOf(dealtOrder(4, mat, words)))]++;
    }
    for (let dealt = 0; dealt < SMALL_DECKS; dealt++) {
      if (dealt % AT_ONCE === 0) await breath();
      dealtOrder(2 + (dealt % 8), makeMat(2 + (dealt % 3), 1 + (dealt % 2)), words);
    }
    const chance = chanceOfCounts(counts);
    $("said").textContent = chance < TOO_UNEVEN ? t("bad") : t("fine", { n: twoPlaces(100 * chance) });
    showCounts(counts);
  } catch (error) {
    $("said").textContent = t(error instanceof GeneratorError ? "faultGenerator" : "fault");
  } finally {
    running = false;
    $("run").removeAttribute("aria-disabled");
  }
}

/** @type {(counts: number[]) => void} */
function showCounts(counts) {
  const full = 1.25 * EACH;
  $("bars").replaceChildren(...ordersOfFour().map((order) => {
    const count = counts[Number(rankOf(order))], fill = element("i");
    fill.style.width = `${Math.min(100, (100 * count) / full)}%`;
    return element("div", [element("span", [...order].reverse().map((card) => order.length - card).join(" ")), fill, element("b", grouped(count))]);
  }));
}

const ordersOfFour = () => orderings([0, 1, 2, 3]);
/** @type {(cards: number[]) => number[][]} */
const orderings = (cards) => (cards.length ? cards.flatMap((card) => orderings(cards.filter((other) => other !== card)).map((rest) => [card, ...rest])) : [[]]);

openFrame();
$("text").textContent = t("text", { n: ORDERS * EACH });
$("run").addEventListener("click", run);
showCounts(Array(ORDERS).fill(0));
