// Where each card lies, and which card lies on it: counted on real shuffles, with exact intervals.

import { $, element } from "../../page/scripts/elements.js";
import { uniformPermutation } from "../../page/scripts/randomness.js";
import { grouped, language, t, twoPlaces } from "../../page/scripts/texts.js";
import { exactInterval } from "../scripts/binomial.js";
import { picked, slid } from "../scripts/chapters.js";
import { drawing } from "../scripts/device.js";
import { cardsOf, obviousDeck } from "../scripts/small_decks.js";
import { factorial } from "../scripts/whole_numbers.js";
import { countDeck } from "./arrangements.js";

const LEVEL = 0.99;
// What is counted: `key` tells for which settings. `table[row][column]` counts decks.
const tally = { key: "", cards: 0, decks: 0, table: /** @type {number[][]} */ ([]) };

/** @type {(n: number, below: Below) => number[]} */
const loopShuffled = (n, below) => obviousDeck(n, cardsOf(n).map(() => below(n)));

export function openCounts() {
  for (const choice of $("decks").options) choice.text = grouped(Number(choice.value));
  $("deal").addEventListener("click", () => {
    const shuffle = picked("by") === "fair" ? uniformPermutation : loopShuffled, more = Number(picked("decks")), neighbours = picked("what") === "next";
    drawing((below) => {
      for (let deck = 0; deck < more; deck++) countDeck(tally.table, shuffle(tally.cards, below), neighbours);
      tally.decks += more;
    });
    showCells();
  });
  $("clear").addEventListener("click", () => { tally.key = ""; readCounts(); });
}

export function readCounts() {
  const cards = slid("few"), what = picked("what"), key = [cards, what, picked("by")].join();
  picked("decks");
  if (key !== tally.key) Object.assign(tally, { key, cards, decks: 0, table: cardsOf(cards).map(() => Array(cards + 1).fill(0)) });
  showCells();
}

function showCells() {
  const { cards, decks, table } = tally, neighbours = picked("what") === "next", columns = neighbours ? [...cardsOf(cards), cards] : cardsOf(cards);
  const head = element("tr", [element("th", t(neighbours ? "onCard" : "place")), ...columns.map((card) => element("th", card === cards ? t("nothing") : t("card", { card })))]);
  let missed = 0, cells = 0;
  const rows = cardsOf(cards).reverse().map((row) => {
    const name = neighbours ? t("card", { card: row }) : row === 0 ? t("bottom") : row === cards - 1 ? t("top") : row;
    return element("tr", [element("th", name, "", { scope: "row" }), ...columns.map((column) => {
      const count = table[row][column];
      if ((neighbours && column === row) || !decks) return element("td", neighbours && column === row ? "–" : "");
      const [low, high] = exactInterval(count, decks, LEVEL), isMissed = low > 1 / cards || high < 1 / cards, inside = element("i");
      cells++;
      missed += Number(isMissed);
      // From half to one and a half times the fair chance, which is in the middle.
      const at = (/** @type {number} */ chance) => Math.max(0, Math.min(100, 100 * (chance * cards - 0.5)));
      inside.style.left = `${at(low)}%`;
      inside.style.width = `${at(high) - at(low)}%`;
      const share = element("b", (count / decks).toLocaleString(language, { style: "percent", minimumFractionDigits: 2 })), ends = { low: twoPlaces(100 * low), high: twoPlaces(100 * high) };
      return element("td", [share, element("div", [inside], "span"), element("small", `${ends.low} – ${ends.high}`)], isMissed ? "missed" : "", { title: t("interval", { count, ...ends }) });
    })]);
  });
  $("table").replaceChildren(head, ...rows);
  $("missed").textContent = decks ? t("missed", { n: missed, cells, decks, cards }) : t("countsStart");
  const every = Number(factorial(cards)), some = Number(factorial(cards - 1));
  $("why").textContent = t(neighbours ? "whyNext" : "whyPlaces", { some: grouped(some), every: grouped(every), cards });
}
