// Dealt by two: the table of all orders of one person and all of the other.

import { $, button, element } from "../../page/scripts/elements.js";
import { t } from "../../page/scripts/texts.js";
import { keep, setting } from "../scripts/chapters.js";
import { allOrders, movedBy, nameOf } from "./knowing.js";

const MOVES = allOrders(3), AFTER_FIRST = MOVES.map(nameOf);
/** @type {(move: number[]) => string} */
const placesOf = (move) => move.map((place) => place + 1).join("");

// The order of each person that the reader knows; -1: not known.
const lists = { first: -1, second: -1 };
/** @type {any[][]} */
let grid = [];

export function openPair() {
  const choose = MOVES.map((move, second) => heading("col", placesOf(move), () => open(-1, lists.second === second && lists.first < 0 ? -1 : second)));
  const head = element("tr", [element("td"), ...choose]), rows = MOVES.map((first, row) => element("tr", [
    heading("row", AFTER_FIRST[row], () => open(lists.first === row && lists.second < 0 ? -1 : row, -1)), ...MOVES.map((second, column) => {
      const result = nameOf(movedBy(first, second));
      return element("td", [button(result, () => open(row, column), `row${AFTER_FIRST.indexOf(result)}`)]);
    }),
  ]));
  const table = element("table", [element("caption", t("tableSays")), head, ...rows], "products");
  $("products").append(table);
  grid = [head, ...rows].map((line) => [...line.querySelectorAll("button")]);
  const all = grid.flat();
  // One button is in the tab order; the arrow keys lead to the others.
  all.forEach((cell, i) => { cell.tabIndex = i ? -1 : 0; });
  table.addEventListener("focusin", () => all.forEach((cell) => { cell.tabIndex = cell === document.activeElement ? 0 : -1; }));
  table.addEventListener("keydown", walkTable);
}

// The first line has no corner: its buttons stand above those of the second place and on.
/** @type {(event: KeyboardEvent) => void} */
function walkTable(event) {
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
  const line = grid.findIndex((cells) => cells.includes(document.activeElement));
  if (!step || line < 0) return;
  event.preventDefault();
  const at = grid[line].indexOf(document.activeElement) + Number(!line), to = line + step[0];
  grid[to]?.[at + step[1] - Number(!to)]?.focus();
}

/** @type {(scope: string, name: string, act: () => void) => HTMLElement} */
const heading = (scope, name, act) => element("th", [button(name, act, "", { "aria-label": `${scope === "row" ? 1 : 2}: ${name}` })], "", { scope });

/** @type {(first: number, second: number) => void} */
function open(first, second) {
  keep({ list1: first < 0 ? "" : String(first), list2: second < 0 ? "" : String(second) });
  readPair();
}

export function readPair() {
  /** @type {(name: string) => number} */
  const rankIn = (name) => (/^[0-5]$/.test(setting(name)) ? Number(setting(name)) : -1);
  Object.assign(lists, { first: rankIn("list1"), second: rankIn("list2") });
  const { first, second } = lists;
  grid.forEach((line, i) => line.forEach((cell, j) => {
    const row = i - 1, column = j - Number(i > 0), fits = (first < 0 || first === row) && (second < 0 || second === column);
    if (row < 0 || column < 0) return cell.setAttribute("aria-pressed", String(row < 0 ? second === column : first === row));
    cell.classList.toggle("dim", !fits);
    cell.setAttribute("aria-pressed", String(fits && first >= 0 && second >= 0));
  }));
  const one = first >= 0 ? { number: 1, list: AFTER_FIRST[first] } : { number: 2, list: second < 0 ? "" : placesOf(MOVES[second]) };
  $("pairSaid").textContent = first >= 0 && second >= 0 ? t("bothKnown", { result: nameOf(movedBy(MOVES[first], MOVES[second])) }) : t(one.list ? "oneKnown" : "noneKnown", one);
}
