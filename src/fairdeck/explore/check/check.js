// Checks the planner of the dealing page and the device's generator: it deals small decks and counts the orders.

import { $, element } from "../../page/scripts/elements.js";
import { GeneratorError, makeMat, systemWords } from "../../page/scripts/planner.js";
import { grouped, t, twoPlaces } from "../../page/scripts/texts.js";
import { openFrame } from "../scripts/frame.js";
import { chanceOfCounts, dealtOrder, ORDERS, rankOf, TOO_UNEVEN } from "./fairness.js";

const EACH = 1000, AT_ONCE = 400, SMALL_DECKS = 1200;
const breath = () => new Promise((resume) => setTimeout(resume));

async function run() {
  $("run").disabled = true;
  const counts = Array(ORDERS).fill(0), mat = makeMat(2, 1);
  try {
    const words = systemWords();
    for (let dealt = 0; dealt < ORDERS * EACH; dealt++) {
      if (dealt % AT_ONCE === 0) {
        showCounts(counts);
        $("said").textContent = t("running", { n: dealt });
        await breath();
      }
      counts[rankOf(dealtOrder(4, mat, words))]++;
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
    $("run").disabled = false;
  }
}

/** @type {(counts: number[]) => void} */
function showCounts(counts) {
  const full = 1.25 * EACH;
  $("bars").replaceChildren(...ordersOfFour().map((order) => {
    const count = counts[rankOf(order)], bar = element("div"), fill = element("i");
    fill.style.width = `${Math.min(100, (100 * count) / full)}%`;
    bar.append(element("span", [...order].reverse().map((card) => order.length - card).join(" ")), fill, element("b", grouped(count)));
    return bar;
  }));
}

const ordersOfFour = () => orderings([0, 1, 2, 3]);
/** @type {(cards: number[]) => number[][]} */
const orderings = (cards) => (cards.length ? cards.flatMap((card) => orderings(cards.filter((other) => other !== card)).map((rest) => [card, ...rest])) : [[]]);

openFrame();
$("text").textContent = t("text", { n: ORDERS * EACH });
$("run").addEventListener("click", run);
showCounts(Array(ORDERS).fill(0));
