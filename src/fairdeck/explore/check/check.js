// Checks the planner of the dealing page and the device's generator: it deals small decks and counts the orders.

import { $, element } from "../../page/scripts/elements.js";
import { dealOf } from "../../page/scripts/dealing.js";
import { makeMat, wholeDeck } from "../../page/scripts/planner.js";
import { GeneratorError, integersFrom, systemWords, uniformPermutation } from "../../page/scripts/randomness.js";
import { grouped, t, twoPlaces } from "../../page/scripts/texts.js";
import { binsTest, UNFAIR } from "../scripts/evidence.js";
import { openFrame } from "../scripts/frame.js";
import { rankOf } from "../scripts/ranks.js";
import { ordersOf } from "../scripts/small_decks.js";

const ORDERS = 24, EACH = 1000, AT_ONCE = 400, SAID = 8000, SMALL_DECKS = 1200;
// Dealt and stacked card by card, as a person does it; the planner's own check is not asked.
/** @type {(plan: Plan) => number[]} */
function deckAfter({ cards, passes }) {
  let deck = Array.from({ length: cards }, (_, card) => card);
  for (const { deal, stack, from } of passes) {
    /** @type {number[][]} */
    const piles = [];
    for (const space of deal) (piles[space] ||= []).push(Number(from === "bottom" ? deck.shift() : deck.pop()));
    deck = [];
    for (const space of stack) deck.push(...piles[space]);
  }
  return deck;
}

/** @type {(cards: number, mat: Mat, words: Words) => number[]} */
function dealtOrder(cards, mat, words) {
  const task = { cards, mat, goal: wholeDeck(), dealers: 1, leastPasses: 1, classic: false, bottom: "pass" };
  const { plan, order } = dealOf(task, uniformPermutation(cards, integersFrom(words))), deck = deckAfter(plan);
  if (deck.join() !== order.join()) throw new Error("the deal does not reach its order");
  return deck;
}

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
    const chance = Number(binsTest({ decks: ORDERS * EACH, bins: counts }));
    $("said").textContent = chance < UNFAIR ? t("bad") : t("fine", { n: twoPlaces(100 * chance) });
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
  $("bars").replaceChildren(...ordersOf([0, 1, 2, 3]).map((order) => {
    const count = counts[Number(rankOf(order))], fill = element("i");
    fill.style.width = `${Math.min(100, (100 * count) / full)}%`;
    return element("div", [element("span", [...order].reverse().map((card) => order.length - card).join(" ")), fill, element("b", grouped(count))]);
  }));
}

openFrame();
$("text").textContent = t("text", { n: ORDERS * EACH });
$("run").addEventListener("click", run);
showCounts(Array(ORDERS).fill(0));
