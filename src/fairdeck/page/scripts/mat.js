// The mat: its rows differ in letter, colour and pattern.

import { deal } from "./current.js";
import { $, element } from "./elements.js";
import { t } from "./texts.js";

export const WIDE = 10, COLOURS = 6, PATTERNS = 7;
/** @type {(space: number) => number} */
const rowOf = (space) => Math.floor(space / deal.task.mat.columns);
/** @type {(space: number) => string} */
export const rowLook = (space) => `row${rowOf(space) % COLOURS} pattern${rowOf(space) % PATTERNS}`;
/** @type {(deal: Deal) => number[]} */
const spacesIn = (deal) => [...new Set(deal.plan.passes.flatMap((pass) => pass.counts.flatMap((count, space) => (count ? [space] : []))))];

// The used rows; of a very wide mat also only the used columns.
/** @type {() => Grid} */
export function shownGrid() {
  const { columns } = deal.task.mat, used = spacesIn(deal);
  const shown = columns <= WIDE ? columns : Math.max(WIDE, ...used.map((space) => (space % columns) + 1));
  return { columns: shown, rows: Math.max(...used.map(rowOf)) + 1 };
}

/** @type {(space: number) => number} */
export function shownColumn(space) {
  const column = space % deal.task.mat.columns;
  return $("turned").checked ? shownGrid().columns - 1 - column : column;
}

// The piles of `gone` have been moved; `turns` are the spaces of five cards.
/** @type {(counts: number[], look?: { now?: number[], then?: number | null, gone?: number[], heights?: number[] | null, turns?: number[] }) => void} */
export function drawMat(counts, { now = [], then = null, gone = [], heights = null, turns = [] } = {}) {
  const { labels, columns: all } = deal.task.mat, { columns, rows } = shownGrid();
  /** @type {HTMLElement[]} */
  const cells = [];
  /** @type {string[]} */
  const words = [];
  labels.slice(0, rows * all).forEach((label, space) => {
    if (space % all >= columns) return;
    const there = counts[space] && !gone.includes(space), mine = turns.flatMap((s, i) => (s === space ? [i + 1] : []));
    const cell = element("div", there && !heights ? label : "", rowLook(space));
    if (there) words.push(heights ? `${label} ${heights[space]}` : label);
    if (there && heights) cell.append(element("small", label), element("b", heights[space]));
    if (mine.length) cell.append(element("i", mine.join(" ")));
    cell.classList.toggle("unused", !there);
    cell.classList.toggle("then", space === then || (mine.length > 0 && !now.includes(space)));
    cell.classList.toggle("now", now.includes(space));
    cells.push(cell);
  });
  $("mat").style.gridTemplateColumns = `repeat(${columns}, minmax(calc(.46rem * var(--chars) + .35rem), 1fr))`;
  $("mat").style.setProperty("--rows", rows);
  $("mat").style.setProperty("--columns", columns);
  $("mat").replaceChildren(...($("turned").checked ? cells.reverse() : cells));
  $("mat").setAttribute("aria-label", t("matDrawing", { columns: all, what: words.join(", ") }));
  requestAnimationFrame(showPlace);
}

// A mat too wide for the screen moves to where the card goes.
function showPlace() {
  const mat = $("mat"), now = mat.querySelector(".now");
  mat.scrollLeft = now ? now.offsetLeft + (now.offsetWidth - mat.clientWidth) / 2 : 0;
  for (const part of [mat, $("stage")]) {
    if (part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight) part.tabIndex = 0;
    else part.removeAttribute("tabindex");
  }
}
