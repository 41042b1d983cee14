// The number grids: every stage of a story as cells that one can tap; which are there at a moment; which are lit.

import { $, button, element } from "../../page/scripts/elements.js";
import { sum } from "../../page/scripts/planner.js";
import { inSlices } from "../scripts/slices.js";

/** @typedef {{ cell: Cell, made: HTMLButtonElement, stage: Stage }} Shown */
/**
 * @typedef {{ across: number, tall: number, labels: string[], name: (card: number) => number, shade: (card: number) => number,
 *   titles: string[], said: (space: number, height: number) => string, onCards: (cards: number[]) => void }} View
 */

const MARK_COLOURS = 5, KEYS_TO = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
/** @type {Shown[]} */
let cells = [];
let builds = 0, moment = 0, moving = false;
/** @type {Map<number, number>} */
let lit = new Map();

// Large decks have thousands of cells: their stages are filled one after another, and the page answers in between.
/** @type {(story: Story, view: View) => void} */
export function buildGrids(story, view) {
  const build = ++builds;
  cells = [];
  $("grids").style.setProperty("--across", view.across);
  $("grids").style.setProperty("--tall", view.tall);
  const grids = story.stages.map((stage, i) => emptyGrid(stage, i, view));
  $("grids").replaceChildren(...grids.map((grid) => grid.parentNode));
  setTimeout(() => inSlices(fillGrids(story.stages, grids, view), () => build !== builds));
}

// It is as high as its cells will be, so that nothing moves when they come.
/** @type {(stage: Stage, i: number, view: View) => any} */
function emptyGrid({ piles, cells: { length } }, i, { across, titles }) {
  const id = `stage${i}`, grid = element("div", "", piles.size ? "piles" : "row", { role: "group", "aria-labelledby": id });
  const heights = [...piles.values()].map((pile) => pile.length + 1), lines = [];
  for (let first = 0; first < heights.length; first += across) lines.push(Math.max(...heights.slice(first, first + across)));
  grid.style.setProperty("--high", piles.size ? sum(lines) : Math.ceil(length / across));
  grid.style.setProperty("--gaps", Math.max(0, lines.length - 1));
  element("section", [element("h2", titles[i], "", { id }), grid]);
  return grid;
}

/** @type {(stages: Stage[], grids: any[], view: View) => Generator<void>} */
function* fillGrids(stages, grids, view) {
  for (const [i, stage] of stages.entries()) {
    const made = stage.cells.map((cell) => cellButton(cell, stage, view));
    grids[i].append(...(stage.piles.size ? pileColumns(stage, made, view) : made));
    // One stop for the Tab key in each grid; the arrow keys go on.
    grids[i].querySelector("button").tabIndex = 0;
    const fresh = cells.slice(-made.length);
    fresh.forEach(drawMoment);
    fresh.forEach(drawMarks);
    yield;
  }
}

/** @type {(cell: Cell, stage: Stage, view: View) => HTMLButtonElement} */
function cellButton(cell, stage, view) {
  const made = button(String(view.name(cell.card)), () => view.onCards([cell.card]));
  made.style.setProperty("--shade", `${view.shade(cell.card)}%`);
  placed(made, cell.x, cell.y);
  cells.push({ cell, made, stage });
  return made;
}

/** @type {(made: HTMLButtonElement, x: number, y: number) => void} */
function placed(made, x, y) {
  made.tabIndex = -1;
  made.dataset.place = `${x},${y}`;
}

/** @type {(stage: Stage, made: HTMLButtonElement[], view: View) => HTMLElement[]} */
function pileColumns(stage, made, view) {
  let from = 0;
  return [...stage.piles].map(([space, pile], x) => {
    const label = button(view.labels[space], () => view.onCards(pile), "label", { "aria-label": view.said(space, pile.length) });
    placed(label, x, -1);
    from += pile.length;
    // Read from the top, the label last, though the pile grows from the label upwards.
    return element("div", [...made.slice(from - pile.length, from).reverse(), label], "column");
  });
}

/** @type {(at: number, move: Move | undefined) => void} */
export function showMoment(at, move) {
  moment = at;
  moving = Boolean(move);
  cells.forEach(drawMoment);
}

/** @type {(shown: Shown) => void} */
function drawMoment({ cell, made, stage }) {
  made.classList.toggle("away", moment < cell.arrive);
  made.classList.toggle("gone", moment >= cell.leave && moment < stage.over);
  made.classList.toggle("now", moment > 0 && cell.arrive === moment && moving);
}

/** @type {(marks: Map<number, number>) => void} */
export function showMarks(marks) {
  lit = marks;
  cells.forEach(drawMarks);
}

/** @type {(shown: Shown) => void} */
function drawMarks({ cell, made }) {
  const colour = lit.get(cell.card);
  made.setAttribute("aria-pressed", String(colour !== undefined));
  for (let i = 0; i < MARK_COLOURS; i++) made.classList.toggle(`row${i}`, i === colour);
}

// The colour that the fewest cards have.
/** @type {(marks: Map<number, number>) => number} */
export function nextColour(marks) {
  const counts = Array(MARK_COLOURS).fill(0);
  for (const colour of marks.values()) counts[colour]++;
  return counts.indexOf(Math.min(...counts));
}

// The cards of the move that reached this moment fly from where they lay.
/** @type {(at: number, duration: number) => void} */
export function flyTo(at, duration) {
  const from = new Map(cells.filter(({ cell }) => cell.leave === at).map(({ cell, made }) => [cell.card, made.getBoundingClientRect()]));
  for (const { cell, made } of cells) {
    const start = cell.arrive === at && from.get(cell.card);
    if (!start) continue;
    const end = made.getBoundingClientRect();
    made.animate([{ transform: `translate(${start.x - end.x}px, ${start.y - end.y}px)`, zIndex: 1 }, { transform: "none", zIndex: 1 }], { duration, easing: "ease-out" });
  }
}

/** @type {(event: KeyboardEvent) => void} */
export function moveFocus(event) {
  const by = KEYS_TO[/** @type {keyof typeof KEYS_TO} */ (event.key)], target = /** @type {HTMLElement} */ (event.target);
  if (!by || !target.dataset.place) return;
  event.preventDefault();
  const [x, y] = target.dataset.place.split(",").map(Number), grid = target.closest("[role=group]");
  const other = /** @type {HTMLElement} */ (grid?.querySelector(`[data-place="${x + by[0]},${y + by[1]}"]:not(.away)`));
  if (!other) return;
  target.tabIndex = -1;
  other.tabIndex = 0;
  other.focus();
}
