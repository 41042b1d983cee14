// The mat: its rows differ in letter, colour and pattern.

import { deal } from "./current.js";
import { $, element } from "./elements.js";
import { t } from "./texts.js";

export const COLOURS = 6, PATTERNS = 7;
/** @type {(space: number) => number} */
const rowOf = (space) => Math.floor(space / deal.task.mat.columns);
/** @type {(space: number) => string} */
export const rowLook = (space) => `row${rowOf(space) % COLOURS} pattern${rowOf(space) % PATTERNS}`;
/** @type {(deal: Deal) => number[]} */
const spacesIn = (deal) => [...new Set(deal.plan.passes.flatMap((pass) => pass.counts.flatMap((count, space) => (count ? [space] : []))))];

// The rows and columns in use: they fill the screen.
/** @type {() => Grid} */
export function shownGrid() {
  const used = spacesIn(deal);
  return { columns: Math.max(...used.map((space) => space % deal.task.mat.columns)) + 1, rows: Math.max(...used.map(rowOf)) + 1 };
}

/** @type {(space: number) => number} */
export function shownColumn(space) {
  const column = space % deal.task.mat.columns;
  return $("turned").checked ? shownGrid().columns - 1 - column : column;
}
/** @type {(space: number) => number} */
export const shownRow = (space) => ($("turned").checked ? shownGrid().rows - 1 - rowOf(space) : rowOf(space));

/** @type {(label: string, own: number, more: number, sums: boolean) => any[]} */
const heightParts = (label, own, more, sums) => [element("small", label), element("b", sums ? own + more : own), more > 0 && element("em", `${sums ? own : ""} + ${more}`)];
/** @type {(label: string, own: number, more: number, sums: boolean) => string} */
const heightsSaid = (label, own, more, sums) => `${label} ${sums ? own + more : own}${more && !sums ? ` + ${more}` : ""}`;

// The piles of `gone` have been moved. `turns` are the spaces of five cards; the first `dealt` of them are dealt. `piles`
// are heights that are drawn, `heights` are written too; `add` is what other dealers add to them, `sums` whether in one sum.
/** @type {(counts: number[], look?: MatLook) => void} */
export function drawMat(counts, { now = [], then = null, gone = [], piles = [], heights = null, add = [], sums = false, turns = [], dealt = 0 } = {}) {
  const { labels, columns: all } = deal.task.mat, { columns, rows } = shownGrid();
  /** @type {HTMLElement[]} */
  const cells = [];
  /** @type {string[]} */
  const words = [];
  labels.slice(0, rows * all).forEach((label, space) => {
    if (space % all >= columns) return;
    const there = counts[space] && !gone.includes(space), own = (heights || piles)[space] || 0, more = add[space] || 0;
    const what = heights ? heightParts(label, own, more, sums) : label;
    const badges = turns.flatMap((other, i) => (other === space ? [element("i", i + 1, i < dealt ? "dealt" : "")] : []));
    const cell = element("div", [there ? what : "", badges.length > 0 && element("span", badges)], rowLook(space));
    if (there) words.push(heights ? heightsSaid(label, own, more, sums) : label);
    cell.style.setProperty("--high", own);
    cell.style.setProperty("--add", more);
    cell.classList.toggle("card", now.includes(space) || turns.indexOf(space, dealt) >= 0);
    cell.classList.toggle("unused", !there);
    cell.classList.toggle("then", space === then);
    cell.classList.toggle("now", now.includes(space));
    cells.push(cell);
  });
  $("mat").style.gridTemplateColumns = `repeat(${columns}, minmax(calc(.5rem * var(--chars) + .3rem), 1fr))`;
  $("mat").style.setProperty("--rows", rows);
  $("mat").style.setProperty("--most", Math.max(...counts));
  $("mat").style.setProperty("--columns", columns);
  $("mat").replaceChildren(...($("turned").checked ? cells.reverse() : cells));
  $("mat").setAttribute("aria-label", t("matDrawing", { columns: all, what: words.join(", ") }));
  requestAnimationFrame(showPlace);
}

// A mat too wide for the screen moves to where the card goes.
function showPlace() {
  const mat = $("mat"), now = mat.querySelector(".now, [aria-current]");
  mat.scrollLeft = now ? now.offsetLeft + (now.offsetWidth - mat.clientWidth) / 2 : 0;
  for (const part of [mat, $("stage")]) {
    if (part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight) part.tabIndex = 0;
    else part.removeAttribute("tabindex");
  }
}
