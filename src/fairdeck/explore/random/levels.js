// What random enough means, level by level; each with a shuffle that fails it.

import { $, element } from "../../page/scripts/elements.js";
import { drawLine } from "../../page/scripts/line.js";
import { uniformPermutation } from "../../page/scripts/randomness.js";
import { grouped } from "../../page/scripts/texts.js";
import { drawing } from "../scripts/device.js";
import { rankOf, unrank } from "../scripts/ranks.js";
import { cardsOf } from "../scripts/small_decks.js";

const MADE = 600, FEW = 3, WHOLE = 52, SEED_BITS = 32;
const ORDERS = Array.from({ length: 6 }, (_, rank) => unrank(BigInt(rank), FEW));
let pair = cardsOf(WHOLE);

// A bar for each count, and a tick where it is expected.
/** @type {(names: string[], counts: number[], expected: number[]) => HTMLElement[]} */
export function barsOf(names, counts, expected) {
  const most = 1.05 * Math.max(...counts, ...expected);
  return counts.map((count, i) => {
    const fill = element("i"), tick = element("s");
    fill.style.width = `${(100 * count) / most}%`;
    tick.style.left = `${(100 * expected[i]) / most}%`;
    return element("div", [element("span", names[i]), element("u", [fill, tick]), element("b", grouped(count))]);
  });
}

/** @type {(id: string, decks: number[][]) => void} */
function showOrders(id, decks) {
  const counts = ORDERS.map(() => 0);
  for (const deck of decks) counts[Number(rankOf(deck))]++;
  $(id).replaceChildren(...barsOf(ORDERS.map((order) => order.map((card) => "ABC"[card]).join("")), counts, counts.map(() => MADE / counts.length)));
}

/** @type {(make: () => number[]) => number[][]} */
const several = (make) => Array.from({ length: MADE }, make);

const countBoth = () => drawing((below) => {
  showOrders("cutBars", several(() => {
    const cut = below(FEW);
    return cardsOf(FEW).map((card) => (card + cut) % FEW);
  }));
  showOrders("hatBars", several(() => uniformPermutation(FEW, below)));
});

export function drawPair() {
  drawLine($("first"), pair);
  drawLine($("second"), [...pair].reverse());
}

function newPair() {
  drawing((below) => { pair = uniformPermutation(WHOLE, below); });
  drawPair();
}

export function openLevels() {
  $("others").addEventListener("click", countBoth);
  $("pair").addEventListener("click", newPair);
  $("seeds").textContent = grouped(2 ** SEED_BITS);
  for (const id of ["cutBars", "hatBars"]) showOrders(id, []);
  countBoth();
  newPair();
}
