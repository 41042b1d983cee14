// How passes sort a deck: number grids, pass by pass.

import { dealOf, startOf } from "../../page/scripts/dealing.js";
import { $, button, complain, element, faultOf, option, wholeNumber } from "../../page/scripts/elements.js";
import { GeneratorError, integersFrom, makeMat, systemWords, uniformPermutation, wholeDeck } from "../../page/scripts/planner.js";
import { t } from "../../page/scripts/texts.js";
import { openFrame } from "../scripts/frame.js";
import { tableAfter } from "../scripts/table.js";

const MATS = ["2x1", "3x1", "4x1", "5x1", "3x2", "5x2"], MOST_CARDS = 40, MARKS = 6;
/** @type {any} */
const nothing = null;
// The deal, how many of its stages are on the screen after the first, and the cards that are followed.
/** @type {{ deal: Deal, stages: number, marked: number[] }} */
const shown = { deal: nothing, stages: 0, marked: [] };

/** @type {() => any} */
function newOrder() {
  if (!complain("error", ["cards"], faultOf("cards", t("cards"), 2, MOST_CARDS))) return;
  const cards = wholeNumber("cards", 2, MOST_CARDS), [columns, rows] = $("mat").value.split("x").map(Number);
  const task = { cards, mat: makeMat(columns, rows), goal: wholeDeck(), dealers: 1, leastPasses: 2, classic: false, bottom: "never" };
  try {
    Object.assign(shown, { deal: dealOf(task, uniformPermutation(cards, integersFrom(systemWords()))), stages: 0, marked: [] });
  } catch (error) {
    if (!(error instanceof GeneratorError)) throw error;
    return complain("error", [], t("faultGenerator"));
  }
  showGrids();
}

/** @type {() => { title: string, row?: number[], piles?: Map<number, number[]> }[]} */
function gridStages() {
  const { deal } = shown, { passes } = deal.plan, before = { title: t("before"), row: tableAfter(deal, 0).deck };
  return [before, ...passes.flatMap((_, number) => {
    const end = startOf(deal, number + 1), dealt = startOf(deal, number) + 1 + deal.task.cards;
    const last = number === passes.length - 1;
    return [
      { title: t("stagePiles", { number: number + 1 }), piles: tableAfter(deal, dealt).piles },
      { title: last ? t("stageEnd") : t("stageGathered", { number: number + 1 }), row: tableAfter(deal, end + 1).deck.slice(0, deal.task.cards) },
    ];
  })];
}

function showGrids() {
  $("on").disabled = $("back").disabled = true;
  if (!shown.deal) return;
  const stages = gridStages(), { cards, mat } = shown.deal.task;
  $("grids").replaceChildren(...stages.slice(0, shown.stages + 1).map(({ title, row, piles }) => {
    const part = element("section"), grid = element("div", "", row ? "row" : "piles");
    if (row) grid.append(...[...row].reverse().map(cardButton));
    else for (const [space, pile] of [...(piles || [])].sort((a, b) => a[0] - b[0])) {
      const column = element("div", "", "column");
      column.append(...pile.map(cardButton), element("span", mat.labels[space]));
      grid.append(column);
    }
    part.append(element("h2", title), grid);
    return part;
  }));
  /** @type {(card: number) => number} */
  const place = (card) => shown.deal.order.length - shown.deal.order.indexOf(card);
  $("followed").textContent = shown.marked.map((card) => t("follow", { start: cards - card, end: place(card) })).join(" · ");
  $("back").disabled = shown.stages === 0;
  $("on").disabled = shown.stages === stages.length - 1;
}

/** @type {(card: number) => HTMLButtonElement} */
function cardButton(card) {
  const mark = shown.marked.indexOf(card), made = button(String(shown.deal.task.cards - card), () => markCard(card));
  made.setAttribute("aria-pressed", String(mark >= 0));
  if (mark >= 0) made.className = `mark row${mark % MARKS}`;
  return made;
}

/** @type {(card: number) => void} */
function markCard(card) {
  const place = [...$("grids").querySelectorAll("button")].indexOf(document.activeElement);
  shown.marked = shown.marked.includes(card) ? shown.marked.filter((other) => other !== card) : [...shown.marked, card];
  showGrids();
  $("grids").querySelectorAll("button")[place]?.focus();
}

/** @type {(by: number) => void} */
function step(by) {
  shown.stages += by;
  showGrids();
  $("grids").lastElementChild?.scrollIntoView({ block: "nearest" });
  // A button that is disabled loses the focus.
  if (document.activeElement === document.body) $(by > 0 ? "back" : "on").focus();
}

openFrame();
$("mat").append(...MATS.map((mat) => option(mat, mat.replace("x", " × "))));
$("mat").value = "3x1";
for (const id of ["cards", "mat"]) $(id).addEventListener("change", newOrder);
$("new").addEventListener("click", newOrder);
$("on").addEventListener("click", () => step(1));
$("back").addEventListener("click", () => step(-1));
$("clear").addEventListener("click", () => { shown.marked = []; showGrids(); });
newOrder();
