// A worked example: number grids, pass by pass.

import { none } from "./current.js";
import { dealOf, startOf, tableAfter } from "./dealing.js";
import { $, button, complain, element, faultOf, option, wholeNumber } from "./elements.js";
import { GeneratorError, integersFrom, makeMat, systemWords, uniformPermutation, wholeDeck } from "./planner.js";
import { t } from "./texts.js";

const EXAMPLE_MATS = ["2x1", "3x1", "4x1", "5x1", "3x2", "5x2"], EXAMPLE_MOST = 40, MARKS = 6;
/** @type {{ deal: Deal, shown: number, marked: number[] }} */
const example = { deal: none, shown: 0, marked: [] };

/** @type {() => void} */
export function openExample() {
  if (example.deal) return showExample();
  $("example-mat").replaceChildren(...EXAMPLE_MATS.map((mat) => option(mat, mat.replace("x", " × "))));
  $("example-mat").value = "3x1";
  newExample();
}

/** @type {() => any} */
export function newExample() {
  if (!complain("example-error", ["example-cards"], faultOf("example-cards", t("cards"), 2, EXAMPLE_MOST))) return;
  const cards = wholeNumber("example-cards", 2, EXAMPLE_MOST), [columns, rows] = $("example-mat").value.split("x").map(Number);
  const task = { cards, mat: makeMat(columns, rows), goal: wholeDeck(), dealers: 1, leastPasses: 2, classic: false, bottom: "never" };
  try {
    Object.assign(example, { deal: dealOf(task, uniformPermutation(cards, integersFrom(systemWords()))), shown: 0, marked: [] });
  } catch (error) {
    if (!(error instanceof GeneratorError)) throw error;
    return complain("example-error", [], t("faultGenerator"));
  }
  showExample();
}

/** @type {() => { title: string, row?: number[], piles?: Map<number, number[]> }[]} */
function exampleStages() {
  const { deal: shown } = example, { passes } = shown.plan, before = { title: t("before"), row: tableAfter(shown, 0).deck };
  return [before, ...passes.flatMap((_, number) => {
    const end = startOf(shown, number + 1), dealt = startOf(shown, number) + 1 + shown.task.cards;
    const last = number === passes.length - 1;
    return [
      { title: t("stagePiles", { number: number + 1 }), piles: tableAfter(shown, dealt).piles },
      { title: last ? t("stageEnd") : t("stageGathered", { number: number + 1 }), row: tableAfter(shown, end + 1).deck.slice(0, shown.task.cards) },
    ];
  })];
}

function showExample() {
  if (!example.deal) return;
  const stages = exampleStages(), { cards, mat } = example.deal.task;
  $("grids").replaceChildren(...stages.slice(0, example.shown + 1).map(({ title, row, piles }) => {
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
  const place = (card) => example.deal.order.length - example.deal.order.indexOf(card);
  $("followed").textContent = example.marked.map((card) => t("follow", { start: cards - card, end: place(card) })).join(" · ");
  $("example-back").disabled = example.shown === 0;
  $("example-on").disabled = example.shown === stages.length - 1;
}

/** @type {(card: number) => HTMLButtonElement} */
function cardButton(card) {
  const mark = example.marked.indexOf(card), made = button(String(example.deal.task.cards - card), () => markCard(card));
  made.setAttribute("aria-pressed", String(mark >= 0));
  if (mark >= 0) made.className = `mark row${mark % MARKS}`;
  made.dataset.card = card;
  return made;
}

/** @type {(card: number) => void} */
function markCard(card) {
  const place = [...$("grids").querySelectorAll("button")].indexOf(document.activeElement);
  example.marked = example.marked.includes(card) ? example.marked.filter((other) => other !== card) : [...example.marked, card];
  showExample();
  $("grids").querySelectorAll("button")[place]?.focus();
}

/** @type {(by: number) => void} */
export function stepExample(by) {
  example.shown += by;
  showExample();
  $("grids").lastElementChild?.scrollIntoView({ block: "nearest" });
}

/** @type {() => void} */
export function clearExample() {
  example.marked = [];
  showExample();
}
