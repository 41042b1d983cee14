// How many riffles until the line is gone? A deck to riffle, how far from fair it is, and how good the visitor's own riffles are.

import { $, element } from "../../page/scripts/elements.js";
import { language, t } from "../../page/scripts/texts.js";
import { colour, keepDrawn } from "../../page/scripts/canvas.js";
import { drawLine } from "../../page/scripts/line.js";
import { seededDraws } from "../scripts/draws.js";
import { drawFalling, letFall, stopFalling } from "../scripts/falling.js";
import { openFrame } from "../scripts/frame.js";
import { freshSeed, keepSettings, numberGiven, settingsGiven } from "../scripts/hash.js";
import { openPrediction } from "../scripts/predict.js";
import { interleaved, placesRiffled } from "../scripts/riffling.js";
import { risingSequences } from "../scripts/rising.js";
import { cardsOf } from "../scripts/small_decks.js";
import { orderVariation } from "../scripts/variation.js";
import { openHands, settingsOfHands } from "./hands.js";

const DECK_LEAST = 2, DECK_MOST = 104, LAST = 12, CHOICES = ["3", "5", "7", "9", "12"], USUAL = 52, PICTURES = 8, OPEN = 4;
// A step is 0, or how many cards of the lower packet a hand has left at its cut; `guess` is the visitor's answer.
const state = { cards: USUAL, seed: 0, done: /** @type {number[]} */ ([]), guess: "" };
// The total variation of a deck of `cards` cards after 0, 1, ... riffles.
const law = { cards: 0, after: /** @type {number[]} */ ([]) };
// How many cards lie below the next cut; whether cards move on the screen.
const table = { lower: 26, moves: false };

// The deck after these steps, and its last move.
/** @type {(done: number[], cards?: number) => import("../scripts/falling.js").Move & { deck: number[] }} */
function after(done, cards = state.cards) {
  const draws = seededDraws(state.seed);
  let deck = cardsOf(cards), before = deck, places = deck, cut = 0;
  for (const lower of done) {
    if (lower) {
      places = interleaved(cardsOf(cards).slice(lower).reverse(), cardsOf(lower).reverse(), draws).reverse();
      cut = lower;
    } else ({ places, cut } = placesRiffled(cards, draws));
    before = deck;
    deck = places.map((place) => before[place]);
  }
  return { deck, before, places, cut };
}

/** @type {(value: number, places: number) => string} */
const inPlaces = (value, places) => value.toLocaleString(language, { minimumFractionDigits: places, maximumFractionDigits: places });

// How many more bets in a hundred are won.
/** @type {(share: number) => string} */
const points = (share) => inPlaces(100 * share, share < 0.0995 ? 1 : 0);

// --- pictures

function draw() {
  if (table.moves) return;
  const canvas = $("deck"), high = canvas.clientHeight / state.cards, y = (state.cards - table.lower) * high, wide = canvas.clientWidth;
  drawLine(canvas, after(state.done).deck);
  const pen = canvas.getContext("2d");
  pen.fillStyle = colour("paper-ink");
  for (const [edge, tip] of [[0, 12], [wide, wide - 12]]) {
    pen.beginPath();
    pen.moveTo(edge, y - 7);
    pen.lineTo(tip, y);
    pen.lineTo(edge, y + 7);
    pen.fill();
  }
}

function drawEight() {
  [...$("eight").children].forEach((item, riffles) => {
    item.classList.toggle("covered", riffles >= OPEN && !state.guess);
    if (riffles < OPEN || state.guess) drawLine(item.firstChild, after(Array(riffles).fill(0), USUAL).deck);
  });
}

/** @type {(lower: number, from?: number) => void} */
function step(lower, from = 0) {
  if (state.done.length >= LAST) return;
  state.done.push(lower);
  keep();
  table.moves = true;
  letFall($("deck"), after(state.done), endMove, from);
}

function endMove() {
  stopFalling();
  table.moves = false;
  show();
}

function keep() {
  const { cards, seed, done } = state;
  keepSettings({ cards, seed, done: done.join("."), ...settingsOfHands() });
}

// --- words

// What has not changed is not read out again.
/** @type {(id: string, text: string) => void} */
const say = (id, text) => { if ($(id).textContent !== text) $(id).textContent = text; };

function show() {
  const { cards, done, guess } = state, own = done.filter(Boolean).length, full = done.length >= LAST, focused = document.activeElement;
  const deck = $("deck"), lines = t("lines", { n: risingSequences(after(done).deck), fair: (cards + 1) / 2 });
  say("left", `${t("riffled", { n: done.length })} ${lines}`);
  $("first").hidden = Boolean(guess);
  $("bars").hidden = $("known").hidden = !guess;
  const known = t("known", { n: done.length, points: points(law.after[done.length]), value: inPlaces(law.after[done.length], 4) });
  if (guess) say("known", `${known} ${own ? t("ownCuts", { n: own }) : ""}`.trim());
  $("once").disabled = full;
  $("undo").disabled = $("again").disabled = !done.length;
  // A button that is disabled loses the focus.
  if (focused instanceof HTMLButtonElement && focused.disabled) $(full ? "again" : "once").focus();
  deck.setAttribute("aria-valuemax", String(cards - 1));
  deck.setAttribute("aria-valuenow", String(table.lower));
  deck.setAttribute("aria-valuetext", t("cutAt", { n: cards - table.lower }));
  $("bars").replaceChildren(...cardsOf(LAST).map((i) => bar(i + 1)));
  draw();
}

/** @type {(riffles: number) => HTMLElement} */
function bar(riffles) {
  const isGuess = String(riffles) === state.guess;
  const made = element("li", [element("b", riffles), element("i"), element("span", points(law.after[riffles])), isGuess && element("small", `↑ ${t("yours")}`)], isGuess ? "guessed" : "");
  made.style.setProperty("--share", String(law.after[riffles]));
  if (riffles === state.done.length) made.setAttribute("aria-current", "true");
  return made;
}

// --- settings

/** @type {(fresh: boolean) => void} */
function begin(fresh) {
  table.lower = Math.round(state.cards / 2);
  if (fresh) Object.assign(state, { done: [], seed: freshSeed() });
  $("cards").value = $("cards").nextElementSibling.textContent = state.cards;
  if (law.cards !== state.cards) Object.assign(law, { cards: state.cards, after: cardsOf(LAST + 1).map((riffles) => orderVariation(state.cards, 2n ** BigInt(riffles))) });
  endMove();
  drawEight();
}

function followLink() {
  const asked = settingsGiven(), cards = numberGiven(asked, "cards", DECK_LEAST, DECK_MOST, USUAL);
  Object.assign(state, { cards, seed: numberGiven(asked, "seed", 0, 2 ** 32 - 1, freshSeed()) });
  const steps = (asked.get("done") || "").split(".").filter((text) => /^\d{1,3}$/.test(text)).map(Number);
  state.done = steps.slice(0, LAST).map((lower) => (lower < cards ? lower : 0));
  begin(false);
}

// --- hands

const DRAG = 0.4, HELD = 0.15;
function listenToHands() {
  const canvas = $("deck"), within = (/** @type {number} */ lower) => Math.max(1, Math.min(state.cards - 1, lower));
  /** @type {{ x: number, at: number, move: import("../scripts/falling.js").Move } | null} */
  let held = null;
  const cutAt = (/** @type {PointerEvent} */ event) => {
    const { top, height } = canvas.getBoundingClientRect();
    table.lower = within(Math.round((1 - (event.clientY - top) / height) * state.cards));
  };
  canvas.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
    if (held || state.done.length >= LAST || event.button) return;
    endMove();
    cutAt(event);
    held = { x: event.clientX, at: HELD, move: after([...state.done, table.lower]) };
    canvas.setPointerCapture(event.pointerId);
    table.moves = true;
    drawFalling(canvas, held.move, held.at);
  });
  canvas.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
    if (held) {
      held.at = Math.min(0.99, HELD + Math.abs(event.clientX - held.x) / (canvas.clientWidth * DRAG));
      drawFalling(canvas, held.move, held.at);
    } else if (event.pointerType === "mouse" && !table.moves) {
      cutAt(event);
      draw();
    }
  });
  canvas.addEventListener("pointerup", () => {
    if (!held) return;
    const { at } = held;
    held = null;
    step(table.lower, at);
  });
  canvas.addEventListener("pointercancel", () => {
    if (!held) return;
    held = null;
    endMove();
  });
  canvas.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -5, PageUp: 5, Home: -DECK_MOST, End: DECK_MOST }[event.key];
    if (!by && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    endMove();
    if (!by) return step(table.lower);
    table.lower = within(table.lower + by);
    show();
  });
}

openFrame();
$("eight").append(...cardsOf(PICTURES).map((n) => element("li", [element("canvas", "", "deck paper", { role: "img", "aria-label": t("riffled", { n }) }), element("b", n)])));
openPrediction(CHOICES.map((value) => [value, value]), CHOICES[CHOICES.length - 1], (guess) => {
  state.guess = guess;
  $("reveal").textContent = t("reveal", { n: Number(guess), points: points(orderVariation(USUAL, 2n ** BigInt(guess))) });
  drawEight();
  show();
});
$("cards").addEventListener("input", () => { state.cards = Number($("cards").value); begin(true); keep(); });
$("once").addEventListener("click", () => { endMove(); step(0); });
$("undo").addEventListener("click", () => { state.done.pop(); keep(); endMove(); });
$("again").addEventListener("click", () => { begin(true); keep(); });
listenToHands();
openHands(keep);
addEventListener("hashchange", followLink);
followLink();
keepDrawn(() => { draw(); drawEight(); });
