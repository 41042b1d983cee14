// The tree of all paths of a loop: its nodes are draws, its leaves the orders that the paths end in.

import { button, element, svg } from "../../page/scripts/elements.js";
import { cardsOf } from "../scripts/small_decks.js";
import { pathsOf } from "./paths.js";

// With less room for each leaf, the branches of the first draw stand side by side, those of the second below each other.
const LEAST = 30, STEP = 50, TOP = 14, LEAF = 20, ROW = 1.2;
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
    const drawn = svg(width, height, branches.map((path) => edge(from(path), at(path), path.length, choices, width)), "");
    edges = new Map(branches.map((path, i) => [path.join(), drawn.children[i]]));
    box.style.height = `${times * height}px`;
    box.querySelector("svg")?.remove();
    box.prepend(drawn);
    for (const path of nodes) {
      const part = parts.get(path.join()), [x, y] = at(path);
      part.style.left = `${times * x}px`;
      part.style.top = `${times * y}px`;
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

/** @type {(choices: number[], width: number) => (path: number[]) => number[]} */
function placesOf(choices, width) {
  const [first, , third] = choices, leaves = pathsOf(choices).length;
  if (isWide(choices, width)) {
    return (path) => {
      const below = pathsOf(choices.slice(path.length)).length;
      const before = path.reduce((sum, drawn, depth) => sum + drawn * pathsOf(choices.slice(depth + 1)).length, 0);
      return [((before + below / 2) * width) / leaves, TOP + STEP * path.length];
    };
  }
  const column = width / first, room = (column - 14) / third;
  return (path) => {
    const [a, b, c] = path, middle = (a + 0.5) * column + 5, y = TOP + STEP * (1.3 + ROW * b);
    return [[width / 2, TOP], [middle, TOP + STEP * 0.7], [middle, y], [a * column + 12 + (c + 0.5) * room, y + STEP * 0.66]][path.length];
  };
}

/** @type {(from: number[], to: number[], depth: number, choices: number[], width: number) => string} */
function edge([x, y], [toX, toY], depth, choices, width) {
  if (depth === 2 && !isWide(choices, width)) return `M${x} ${y}H${x - width / choices[0] / 2 + 2}V${toY}H${toX}`;
  const middle = (y + toY) / 2;
  return `M${x} ${y}C${x} ${middle} ${toX} ${middle} ${toX} ${toY}`;
}
