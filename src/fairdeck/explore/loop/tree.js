// The tree of all paths of a loop: its nodes are draws, its leaves the orders that the paths end in.

import { button, element, svg } from "../../page/scripts/elements.js";
import { cardsOf } from "../scripts/small_decks.js";
import { pathsOf } from "./paths.js";

// With less room for each leaf than `LEAST`, the tree lies on its side: a row for each node before the leaves.
const LEAST = 30, WIDEST = 46, ROOM = 84, APART = 4, STEP = 58, TOP = 14, LEAF = 20, ROW = 40, COLUMN = 44, PART = 0.17, LETTER = 16, SMALL = 0.55;
// Pixels here are those of letters of the usual size.
const scale = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

// Builds the tree of these numbers of choices into a box. What comes back shows it: `face` tells the text, the name and the
// class of each leaf, and each lit path has a class.
/** @type {(box: any, choices: number[], tap: (path: number[]) => void) => (face: (path: number[]) => string[], lit: { path: number[], look: string }[]) => void} */
export function makeTree(box, choices, tap) {
  const nodes = [...cardsOf(choices.length + 1).flatMap((depth) => pathsOf(choices.slice(0, depth)))];
  const branches = nodes.filter((path) => path.length);
  const parts = new Map(nodes.map((path) => {
    if (path.length === choices.length) return [path.join(), button("", () => tap(path), "leaf")];
    return [path.join(), element("span", path[path.length - 1], "node", { "aria-hidden": true })];
  }));
  /** @type {any} */
  let last = null;
  /** @type {Map<string, any>} */
  let edges = new Map();

  const lay = () => {
    const times = scale(), width = box.clientWidth / times, at = placesOf(choices, width), from = (/** @type {number[]} */ path) => at(path.slice(0, -1));
    const height = Math.max(...nodes.map((path) => at(path)[1])) + LEAF;
    const drawn = svg(width, height, branches.map((path) => edge(from(path), at(path), choices, width)), "");
    edges = new Map(branches.map((path, i) => [path.join(), drawn.children[i]]));
    box.style.height = `${times * height}px`;
    box.querySelector("svg")?.remove();
    box.prepend(drawn);
    for (const path of nodes) {
      const part = parts.get(path.join()), [x, y] = at(path);
      part.style.left = `${times * x}px`;
      part.style.top = `${times * y}px`;
      if (path.length < choices.length) continue;
      const wide = Math.min(WIDEST, leafRoom(choices, width) - APART);
      part.style.width = `${times * wide}px`;
      part.style.fontSize = `${times * Math.min(LETTER, wide * SMALL)}px`;
    }
    if (last) show(last[0], last[1]);
  };
  /** @type {(face: (path: number[]) => string[], lit: { path: number[], look: string }[]) => void} */
  const show = (face, lit) => {
    last = [face, lit];
    // Laid out before it is seen, not when its size is observed.
    if (!edges.size && box.clientWidth) return lay();
    for (const path of nodes.filter(({ length }) => length === choices.length)) {
      const leaf = parts.get(path.join()), [text, name, look] = face(path);
      leaf.textContent = text;
      leaf.setAttribute("aria-label", name);
      leaf.className = `leaf ${look}`;
    }
    for (const path of nodes) if (path.length < choices.length) parts.get(path.join()).className = "node";
    for (const line of edges.values()) line.setAttribute("class", "");
    for (const { path, look } of lit) {
      path.forEach((_, depth) => {
        const key = path.slice(0, depth + 1).join();
        edges.get(key)?.setAttribute("class", `lit ${look}`);
        edges.get(key)?.parentNode.append(edges.get(key));
        if (parts.get(key)) parts.get(key).className += ` lit ${look}`;
      });
    }
  };
  box.replaceChildren(...parts.values());
  // One leaf is in the tab order; the arrow keys lead to the others.
  const leaves = [...box.querySelectorAll(".leaf")];
  leaves.forEach((leaf, i) => { leaf.tabIndex = i ? -1 : 0; });
  box.addEventListener("focusin", () => leaves.forEach((leaf) => { leaf.tabIndex = leaf === document.activeElement ? 0 : -1; }));
  box.addEventListener("keydown", (/** @type {KeyboardEvent} */ { key }) => leaves[leaves.indexOf(document.activeElement) + Number(key === "ArrowRight") - Number(key === "ArrowLeft")]?.focus());
  new ResizeObserver(() => { if (box.clientWidth) lay(); }).observe(box);
  return show;
}

/** @type {(choices: number[], width: number) => boolean} */
const isWide = (choices, width) => width / pathsOf(choices).length >= LEAST;
/** @type {(width: number) => number} */
const columnOf = (width) => Math.min(COLUMN, width * PART);

// From one leaf to the next.
/** @type {(choices: number[], width: number) => number} */
const leafRoom = (choices, width) => (isWide(choices, width) ? width / pathsOf(choices).length : Math.min(ROOM, (width - 3 * columnOf(width)) / choices[2]));

/** @type {(choices: number[], width: number) => (path: number[]) => number[]} */
function placesOf(choices, width) {
  const room = leafRoom(choices, width), column = columnOf(width);
  // What lies before a node, and half of what lies below it, in leaves or in rows.
  /** @type {(path: number[], depth: number) => number} */
  const middle = (path, depth) => {
    const below = (/** @type {number} */ from) => pathsOf(choices.slice(from, depth)).length;
    return path.slice(0, depth).reduce((sum, drawn, i) => sum + drawn * below(i + 1), 0) + below(Math.min(path.length, depth)) / 2;
  };
  if (isWide(choices, width)) return (path) => [middle(path, 3) * room, TOP + STEP * path.length];
  return (path) => [path.length < 3 ? (path.length + 0.4) * column : 3 * column + (path[2] + 0.5) * room, middle(path, 2) * ROW];
}

/** @type {(from: number[], to: number[], choices: number[], width: number) => string} */
function edge([x, y], [toX, toY], choices, width) {
  if (isWide(choices, width)) return `M${x} ${y}C${x} ${(y + toY) / 2} ${toX} ${(y + toY) / 2} ${toX} ${toY}`;
  return `M${x} ${y}C${(x + toX) / 2} ${y} ${(x + toX) / 2} ${toY} ${toX} ${toY}`;
}
