// The page's check of itself, on the screen.

import { $, element } from "./elements.js";
import { chanceOfCounts, dealtOrder, ORDERS, rankOf, TOO_UNEVEN } from "./fairness.js";
import { GeneratorError, makeMat, systemWords } from "./planner.js";
import { grouped, t, twoPlaces } from "./texts.js";

const EACH = 1000, AT_ONCE = 400, SMALL_DECKS = 1200;
const proof = { busy: false };

/** @type {() => void} */
export function openProof() {
  $("proof-text").textContent = t("proofText", { n: ORDERS * EACH });
}

const breath = () => new Promise((resume) => setTimeout(resume));

/** @type {() => Promise<void>} */
export async function runProof() {
  if (proof.busy) return;
  proof.busy = true;
  $("proof-run").disabled = true;
  const counts = Array(ORDERS).fill(0), mat = makeMat(2, 1);
  try {
    const words = systemWords();
    for (let dealt = 0; dealt < ORDERS * EACH; dealt++) {
      if (dealt % AT_ONCE === 0) {
        if ($("proof").hidden) return;
        showCounts(counts);
        $("proof-said").textContent = t("proofRunning", { n: dealt });
        await breath();
      }
      counts[rankOf(dealtOrder(4, mat, words))]++;
    }
    for (let dealt = 0; dealt < SMALL_DECKS; dealt++) {
      if (dealt % AT_ONCE === 0) await breath();
      dealtOrder(2 + (dealt % 8), makeMat(2 + (dealt % 3), 1 + (dealt % 2)), words);
    }
    const chance = chanceOfCounts(counts);
    $("proof-said").textContent = chance < TOO_UNEVEN ? t("proofBad") : t("proofFine", { n: twoPlaces(100 * chance) });
    showCounts(counts);
  } catch (error) {
    $("proof-said").textContent = t(error instanceof GeneratorError ? "faultGenerator" : "proofFault");
  } finally {
    $("proof-run").disabled = proof.busy = false;
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
