// The picture of the first screen: the side of the deck before, after one deal, after two. Its order comes from numbers of
// its own, always the same for a deck of this size, and never from a deal: a picture of the deal's order would betray it.

import { keepDrawn } from "./canvas.js";
import { $, element } from "./elements.js";
import { drawLine } from "./line.js";
import { finishedSpaces, pilesAfter, planFor, wholeDeck } from "./planner.js";
import { integersFrom, orderFor, WORD } from "./randomness.js";
import { t } from "./texts.js";

const MOST_DRAWN = 200, MOST_PICTURES = 4, LASTS_MS = 2600, STAGGERED = 0.6;
/** @type {number[][]} */
let pictured = [];
/** @type {(now: number) => void} */
let repeat = () => {};
/** @type {Task} */
let example;
let state = 0;

const exampleWord = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0);

/** @type {(task: Task, passes: number) => void} */
export function showRibbon(task, passes) {
  const cards = Math.min(task.cards, MOST_DRAWN);
  state = (cards * 2654435761) % WORD;
  example = { ...task, cards, goal: cards < task.cards ? wholeDeck() : task.goal, dealers: 1, leastPasses: passes };
  dealExample();
}

// What the same planner does with another order: the deck after each of its passes, with the finished hands on top.
function dealExample() {
  const { cards, mat } = example, plan = planFor(example, orderFor(example, integersFrom(exampleWord)));
  let deck = Array.from({ length: cards }, (_, card) => card);
  /** @type {number[]} */
  const handed = [];
  pictured = [deck];
  for (const pass of plan.passes) {
    const piles = pilesAfter(pass, deck, mat.columns * mat.rows);
    for (const space of finishedSpaces(pass)) handed.push(...piles[space]);
    deck = pass.stack.flatMap((space) => piles[space]);
    pictured.push([...deck, ...handed]);
  }
  const words = pictured.map((_, i) => (i ? t("dealtTimes").split("/")[i - 1] || t("dealtMore", { n: i }) : t("yourDeck")));
  if (pictured.length > MOST_PICTURES) for (const list of [pictured, words]) list.splice(MOST_PICTURES - 1, list.length - MOST_PICTURES);
  $("ribbon").replaceChildren(...words.map((word) => element("span", [element("canvas", "", "deck paper"), word])));
  $("ribbon").setAttribute("aria-label", t("ribbon", { n: cards }));
  drawRibbon();
}

// How far the show is: whole pictures, and the part of one in which each card is on its way from its place before.
/** @type {(at?: number) => void} */
function drawRibbon(at = Infinity) {
  const was = pictured.map((deck) => { const places = Array(deck.length); deck.forEach((card, i) => { places[card] = deck.length - 1 - i; }); return places; });
  [...$("ribbon").querySelectorAll("canvas")].forEach((canvas, i) => drawLine(canvas, pictured[i], undefined, (row, card) => {
    const way = Math.min(1, Math.max(0, (at - i + 1) * (1 + STAGGERED) - (STAGGERED * row) / pictured[i].length)), before = i ? was[i - 1][card] : row;
    return before + (row - before) * way * way * (3 - 2 * way);
  }));
}

// Touched, it deals another order once.
function playRibbon() {
  dealExample();
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const legs = pictured.length - 1;
  let began = 0;
  const mine = repeat = (now) => {
    if (mine !== repeat) return;
    began ||= now;
    const at = (legs * (now - began)) / LASTS_MS;
    drawRibbon(at);
    if (at < legs) requestAnimationFrame(mine);
  };
  drawRibbon(0);
  requestAnimationFrame(mine);
}

export const openRibbon = () => { $("ribbon").onclick = playRibbon; keepDrawn(() => drawRibbon()); };
