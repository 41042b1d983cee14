// The obvious loop, walked: three draws choose a path, and the 27 paths end in six orders.

import { $, button, element } from "../../page/scripts/elements.js";
import { t } from "../../page/scripts/texts.js";
import { drawing } from "../scripts/device.js";
import { rankOf } from "../scripts/ranks.js";
import { keep, setting } from "../scripts/settings.js";
import { cardsOf, obviousDeck } from "../scripts/small_decks.js";
import { pathsOf } from "./paths.js";
import { makeTree } from "./tree.js";

const CARDS = 3, CHOICES = [CARDS, CARDS, CARDS], PATHS = pathsOf(CHOICES), MOST = 5;
const RANKS = PATHS.map((path) => Number(rankOf(obviousDeck(CARDS, path))));
export const orderNames = pathsOf([3, 2, 1]).map((_, rank) => namesOf(obviousDeck(CARDS, PATHS[RANKS.indexOf(rank)])));
const ALL = 2 ** PATHS.length - 1;
// The draws so far, the paths walked (a bit each), the order whose paths are lit.
const walk = { path: /** @type {number[]} */ ([]), seen: 0, order: -1 };
/** @type {any} */
let showTree = null;

/** @type {(deck: number[]) => string} */
export function namesOf(deck) {
  return deck.map((card) => "ABCDEFGH"[card]).join("");
}

// Lays the cards of a deck on numbered places; null is an empty one.
/** @type {(box: any, deck: (number | null)[], now?: number) => void} */
export function layDeck(box, deck, now = -1) {
  if (box.children.length !== deck.length) {
    box.replaceChildren(...deck.map((_, place) => element("div", [element("b"), element("small", `deck[${place}]`)], "slot")));
  }
  deck.forEach((card, place) => {
    const slot = box.children[place], face = slot.firstChild, text = card === null ? "" : namesOf([card]);
    slot.classList.toggle("now", place === now);
    if (face.textContent === text) return;
    face.textContent = text;
    face.classList.remove("moved");
    void face.offsetWidth; // so that the animation runs again
    if (text) face.classList.add("moved");
  });
}

export function openWalk() {
  showTree = makeTree($("tree"), CHOICES, (path) => go({ path, seen: walk.seen | bitOf(path), order: -1 }));
  $("choices").append(...cardsOf(CARDS).map((drawn) => button(String(drawn), () => choose(drawn), "small-primary")));
  $("dice").addEventListener("click", () => drawing((below) => choose(below(CARDS))));
  $("fill").addEventListener("click", () => go({ ...walk, seen: ALL, order: -1 }));
  $("empty").addEventListener("click", () => go({ path: [], seen: 0, order: -1 }));
  $("orders").append(...orderNames.map((name, rank) => {
    const stack = element("span", cardsOf(MOST).map(() => element("i")), "squares");
    return button([stack, element("b"), element("span", name)], () => go({ ...walk, order: walk.order === rank ? -1 : rank }), `row${rank}`);
  }));
}

/** @type {(path: number[]) => number} */
const bitOf = (path) => 2 ** PATHS.findIndex((other) => other.join() === path.join());

/** @type {(drawn: number) => void} */
function choose(drawn) {
  const path = [...(walk.path.length === CARDS ? [] : walk.path), drawn];
  go({ path, seen: path.length === CARDS ? walk.seen | bitOf(path) : walk.seen, order: -1 });
}

/** @type {(next: typeof walk) => void} */
function go(next) {
  keep({ path: next.path.join(""), seen: next.seen ? next.seen.toString(16) : "", order: next.order < 0 ? "" : String(next.order) });
  readWalk();
}

export function readWalk() {
  const path = /^[012]{0,3}$/.test(setting("path")) ? [...setting("path")].map(Number) : [];
  const seen = /^[0-9a-f]{1,7}$/.test(setting("seen")) ? parseInt(setting("seen"), 16) & ALL : 0;
  Object.assign(walk, { path, seen: path.length === CARDS ? seen | bitOf(path) : seen, order: /^[0-5]$/.test(setting("order")) ? Number(setting("order")) : -1 });
  showWalk();
}

function showWalk() {
  const { path, seen, order } = walk, walked = PATHS.filter((_, i) => seen & (2 ** i)), done = path.length === CARDS;
  layDeck($("deck"), obviousDeck(CARDS, path), done ? -1 : path.length);
  $("walked").textContent = saidOf(path, walked.length);
  /** @type {(leaf: number[]) => string[]} */
  const face = (leaf) => {
    const rank = RANKS[PATHS.findIndex((other) => other.join() === leaf.join())], known = seen & bitOf(leaf) || rank === order;
    return [known ? orderNames[rank] : "", known ? t("leaf", { path: leaf.join(" "), order: orderNames[rank] }) : t("unknownLeaf", { path: leaf.join(" ") }), known ? `known row${rank}` : ""];
  };
  showTree(face, order < 0 ? [{ path, look: "" }] : PATHS.filter((_, i) => RANKS[i] === order).map((each) => ({ path: each, look: `row${order}` })));
  [...$("orders").children].forEach((button, rank) => {
    const n = walked.filter((each) => RANKS[PATHS.indexOf(each)] === rank).length;
    [...button.firstChild.children].forEach((block, i) => block.classList.toggle("full", i < n));
    button.children[1].textContent = n;
    button.setAttribute("aria-label", t("orderCount", { order: orderNames[rank], n }));
    button.setAttribute("aria-pressed", String(rank === order));
  });
  $("fairShare").textContent = t(seen === ALL ? "shareAll" : "shareFair");
}

/** @type {(path: number[], n: number) => string} */
function saidOf(path, n) {
  if (!path.length) return t("walkStart");
  const i = path.length - 1, drawn = path[i];
  const moved = t(drawn === i ? "walkStays" : "walkSwaps", { i, drawn });
  return path.length < CARDS ? `${moved} ${t("walkNext", { i: i + 1 })}` : `${moved} ${t("walkEnd", { path: path.join(" "), order: namesOf(obviousDeck(CARDS, path)), n })}`;
}
