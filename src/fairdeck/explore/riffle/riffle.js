// How often must I riffle? A deck to shuffle, what is left of its order, and how far from fair it is.

import { $, complain, option } from "../../page/scripts/elements.js";
import { faultOf } from "../../page/scripts/dialogs.js";
import { language, t, twoPlaces } from "../../page/scripts/texts.js";
import { keepDrawn } from "../../page/scripts/canvas.js";
import { seededDraws } from "../scripts/draws.js";
import { openFrame } from "../scripts/frame.js";
import { freshSeed, keepSettings, numberGiven, settingsGiven } from "../scripts/hash.js";
import { cardsOf } from "../scripts/small_decks.js";
import { interleaved } from "../scripts/riffling.js";
import { SHUFFLES } from "../scripts/shuffles.js";
import { inSlices } from "../scripts/slices.js";
import { factorial, quotient } from "../scripts/whole_numbers.js";
import { countsOfDeck, lowerBounds } from "./bounds.js";
import { drawCurve, drawRibbon, drawSequences, inkOf } from "./pictures.js";
import { CELLS, kindsSeparation, orderVariation, twoKindsVariation } from "./riffle_laws.js";

const LEAST = 2, MOST = 104, LAST = 15, SEED = 2026, PILES = 10n;
const HOWS = ["riffle", "overhand", "random-piles-10", "pile-7", "wash(10)"];
// Decks of each half of a simulation; to wash one takes long.
const simulated = () => (state.how === "overhand" ? 1500 : 400);
/** @type {Record<string, { says: string, counts: (n: number) => number[] }>} */
const SEES = {
  all: { says: "seeAll", counts: (n) => Array(n).fill(1) },
  colours: { says: "seeColours", counts: (n) => [Math.floor(n / 2), Math.ceil(n / 2)] },
  suits: { says: "seeSuits", counts: (n) => Array(4).fill(n / 4) },
  ranks: { says: "seeRanks", counts: (n) => Array(n / 4).fill(4) },
};

// A step is 0, or how many cards of the lower packet a hand has left at its cut.
const state = { cards: 52, how: "riffle", see: "all", seed: 0, done: /** @type {number[]} */ ([]) };
const curve = { low: /** @type {number[]} */ ([]), high: /** @type {number[]} */ ([]), beside: /** @type {number[]} */ ([]), error: 0, asked: "" };
// How many cards the next cut takes off the top, and the move on the screen; `frame` is 0 if nothing moves by itself.
const table = { off: 26, move: /** @type {import("./pictures.js").Move | null} */ (null), frame: 0, more: 0 };

// The deck after these steps, the places that its cards had before the last one, and where that one cut.
/** @type {(done: number[]) => { deck: number[], places: number[], cut: number }} */
function after(done) {
  const draws = seededDraws(state.seed);
  let deck = cardsOf(state.cards), places = deck;
  for (const lower of done) {
    places = cardsOf(state.cards);
    if (lower) places = interleaved(places.slice(lower).reverse(), places.slice(0, lower).reverse(), draws).reverse();
    else SHUFFLES[state.how].run(places, draws);
    const before = deck;
    deck = places.map((place) => before[place]);
  }
  const cut = state.how === "riffle" && done.length ? done[done.length - 1] || cutOf(places) : 0;
  return { deck, places, cut };
}

// The cards below the cut of a riffle: the lower packet begins with the lowest card and goes on as long as it finds the next.
/** @type {(places: number[]) => number} */
function cutOf(places) {
  let lower = 0;
  for (const place of places) if (place === lower) lower++;
  return lower;
}

const kindOfCards = () => SEES[state.see].counts(state.cards).flatMap((count, kind) => Array(count).fill(kind));

/** @type {(value: number, places: number) => string} */
const inPlaces = (value, places) => value.toLocaleString(language, { minimumFractionDigits: places, maximumFractionDigits: places });

// What is not quite 1 does not read as 1.
/** @type {(value: number, places?: number) => string} */
function decimals(value, places = 4) {
  const least = 1 - 10 ** -places;
  return value > least ? `> ${inPlaces(least, places)}` : inPlaces(value, places);
}

/** @type {(value: number) => string} */
const atLeast = (value) => inPlaces(Math.min(99, Math.floor(100 * value)) / 100, 2);

/** @type {(value: number) => string} */
const atMost = (value) => inPlaces(Math.ceil(100 * value) / 100, 2);

// --- the ribbon

function draw() {
  const { deck } = after(state.done), kinds = kindOfCards(), most = Math.max(1, kinds[kinds.length - 1]);
  const shares = deck.map((card) => kinds[card] / most), still = { places: cardsOf(state.cards), cut: 0, at: 1 };
  drawRibbon($("ribbon"), deck.map((card) => String(state.cards - card)), shares, table.move || still, state.how === "riffle" && !table.move ? table.off : 0);
}

function drawAll() {
  const { deck } = after(state.done), kinds = kindOfCards(), most = Math.max(1, kinds[kinds.length - 1]);
  draw();
  drawSequences($("lines"), deck, deck.map((card) => inkOf(kinds[card] / most)));
  const at = 1.5 * Math.log2(state.cards);
  const turn = state.how === "riffle" && state.see === "all" ? { at, text: t("cutoff", { cards: state.cards, value: inPlaces(at, 1) }) } : null;
  drawCurve($("curve"), curve, state.done.length, LAST, curve.beside, turn, valueNow());
}

// Shows the last step, from `at` on; then what it has done.
/** @type {(from: number) => void} */
function animate(from) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches, lasts = table.more ? 380 : 1100, { places, cut } = after(state.done);
  const begun = performance.now() - from * lasts;
  cancelAnimationFrame(table.frame);
  const tick = () => {
    const at = still ? 1 : (performance.now() - begun) / lasts;
    if (at < 1) {
      table.move = { places, cut, at };
      table.frame = requestAnimationFrame(tick);
      return draw();
    }
    table.move = null;
    table.frame = 0;
    show();
    if (table.more) table.more--, step(0);
  };
  tick();
}

/** @type {(lower: number, from?: number) => void} */
function step(lower, from = 0) {
  if (state.done.length >= LAST) return;
  state.done.push(lower);
  keep();
  animate(from);
}

function keep() {
  const { cards, how, see, seed, done } = state;
  keepSettings({ cards, how, see, seed, done: done.join(".") });
}

// --- words and pictures

function valueNow() {
  const low = curve.low[state.done.length], high = curve.high[state.done.length];
  if (low === undefined) return "";
  if (high === undefined) return `≥ ${atLeast(low)}`;
  if (high - low > 2 * curve.error + 1e-9) return `${atLeast(low)} – ${atMost(high)}`;
  return decimals((low + high) / 2, curve.error ? 3 : 4);
}

function knownNow() {
  const low = curve.low[state.done.length], high = curve.high[state.done.length], value = valueNow();
  if (low === undefined) return t("counting");
  const middle = (low + (high ?? low)) / 2, points = inPlaces(100 * middle, middle < 0.1 ? 1 : 0);
  if (high === undefined) return t(low > 0.01 ? "knownLeast" : "knownNothing", { low: atLeast(low), points: Math.floor(100 * Math.min(0.99, low)) });
  if (high - low > 2 * curve.error + 1e-9) return t("knownBetween", { low: atLeast(low), high: atMost(high) });
  return t(curve.error ? "knownWithin" : "knownExact", { value, points, error: inPlaces(Math.ceil(1000 * curve.error + 0.5) / 1000, 3) });
}

// What has not changed is not read out again.
/** @type {(id: string, text: string) => void} */
const say = (id, text) => { if ($(id).textContent !== text) $(id).textContent = text; };

function show() {
  const { cards, done, how } = state, { deck } = after(done), [sequences, together] = countsOfDeck(deck), own = done.filter(Boolean).length;
  const left = [t("sequences", { n: sequences, fair: (cards + 1) / 2 }), t("together", { n: together, all: cards - 1, fair: twoPlaces((cards - 1) / cards) })];
  say("so", t("afterSo", { n: done.length }));
  say("left", left.join(" "));
  say("known", `${knownNow()} ${own ? t("ownCuts", { n: own }) : ""}`.trim());
  $("lines").setAttribute("aria-label", left.join(" "));
  $("curve").setAttribute("aria-label", t("curveLabel", { values: curve.low.map((low, round) => `${round}: ${decimals(low, 2)}`).join("; ") }));
  const full = done.length >= LAST, focused = document.activeElement;
  $("once").disabled = $("five").disabled = full;
  $("undo").disabled = $("again").disabled = !done.length;
  // A button that is disabled loses the focus.
  if (focused instanceof HTMLButtonElement && focused.disabled) $(full ? "again" : "once").focus();
  $("ribbon").setAttribute("aria-disabled", String(how !== "riffle"));
  $("ribbon").setAttribute("aria-valuemax", String(cards - 1));
  $("ribbon").setAttribute("aria-valuenow", String(table.off));
  $("ribbon").setAttribute("aria-valuetext", t("cutAt", { n: table.off }));
  drawAll();
}

// --- the curve

/** @type {() => Generator<any, void>} */
function* curveOf() {
  const { cards, how, see } = state, rounds = cardsOf(LAST + 1), { low, high } = curve, counts = SEES[see].counts(cards);
  const one = 1 - quotient(1n, factorial(cards));
  if (how !== "riffle") for (const round of rounds) yield curve.beside.push(orderVariation(cards, 2n ** BigInt(round)));
  if (how === "overhand" || how.startsWith("wash")) {
    return void low.push(...(yield* lowerBounds(cards, LAST, simulated(), SHUFFLES[how].run, seededDraws(SEED))));
  }
  for (const round of rounds) {
    if (how === "pile-7") low.push(one), high.push(one);
    else {
      const packets = (how === "riffle" ? 2n : PILES) ** BigInt(round), order = orderVariation(cards, packets);
      const [least, most] = see === "all" ? [order, order] : kindsBounds(counts, packets, order);
      low.push(least);
      high.push(most);
    }
    yield;
  }
}

// Two kinds are counted. More kinds also tell whether a card is of the lower half of the kinds: that is a lower bound.
/** @type {(counts: number[], packets: bigint, order: number) => [number, number]} */
function kindsBounds(counts, packets, order) {
  const half = Math.floor(counts.length / 2), lower = counts.slice(0, half).reduce((all, count) => all + count, 0);
  const most = Math.min(order, kindsSeparation(counts, packets)), found = twoKindsVariation(lower, state.cards - lower, Number(packets)), off = lower / 2 / CELLS;
  if (counts.length === 2) curve.error = off;
  return [Math.max(0, found - off), counts.length === 2 ? Math.min(found + off, most) : most];
}

async function count() {
  const asked = curve.asked = `${state.cards} ${state.how} ${state.see}`;
  Object.assign(curve, { low: [], high: [], beside: [], error: 0 });
  const drawing = setInterval(show, 200);
  await inSlices(curveOf(), () => curve.asked !== asked);
  clearInterval(drawing);
  if (curve.asked === asked && !table.move) show();
}

// --- settings

// Whether these settings go together; if not, says why and leaves all as it was.
function settingsAreGood() {
  if (!complain("error", ["cards"], faultOf("cards", t("cards"), LEAST, MOST))) return false;
  const uneven = ["suits", "ranks"].includes($("see").value) && (Number($("cards").value) % 4 || Number($("cards").value) < 8);
  return complain("error", ["cards", "see"], uneven ? t("faultFours") : "");
}

/** @type {(fresh: boolean) => void} */
function begin(fresh) {
  cancelAnimationFrame(table.frame);
  Object.assign(table, { move: null, frame: 0, more: 0, off: Math.round(state.cards / 2) });
  if (fresh) Object.assign(state, { done: [], seed: freshSeed() }), keep();
  if (state.how !== "riffle") state.see = "all";
  $("cards").value = state.cards;
  $("how").value = state.how;
  $("see").value = state.see;
  $("see").disabled = state.how !== "riffle";
  say("lead", t(state.how === "riffle" ? "lead" : "leadOther"));
  $("modelled").textContent = t(MODELS[state.how], { decks: simulated() }) + (state.see === "all" ? "" : ` ${t("modelKinds")}`);
  if (curve.asked !== `${state.cards} ${state.how} ${state.see}`) count();
  show();
}

/** @type {Record<string, string>} */
const MODELS = { riffle: "modelRiffle", overhand: "modelOverhand", "random-piles-10": "modelRandomPiles", "pile-7": "modelPile", "wash(10)": "modelWash" };

function change() {
  if (!settingsAreGood()) return;
  const fresh = Number($("cards").value) !== state.cards || $("how").value !== state.how;
  Object.assign(state, { cards: Number($("cards").value), how: $("how").value, see: $("see").value });
  begin(fresh);
  keep();
}

function followLink() {
  const asked = settingsGiven(), cards = numberGiven(asked, "cards", LEAST, MOST, 52), how = asked.get("how") || "", see = asked.get("see") || "";
  const fours = cards % 4 === 0 && cards >= 8;
  Object.assign(state, {
    cards,
    how: HOWS.includes(how) ? how : "riffle",
    see: Object.keys(SEES).includes(see) && (fours || !["suits", "ranks"].includes(see)) ? see : "all",
    seed: numberGiven(asked, "seed", 0, 2 ** 32 - 1, freshSeed()),
  });
  const steps = (asked.get("done") || "").split(".").filter((text) => /^\d{1,3}$/.test(text)).map(Number);
  state.done = steps.slice(0, LAST).map((lower) => (state.how === "riffle" && lower < cards ? lower : 0));
  complain("error", ["cards", "see"], "");
  begin(false);
  keep();
}

// --- hands

/** @type {(event: PointerEvent) => number} */
function cardsLeftOf(event) {
  const { left, width } = $("ribbon").getBoundingClientRect();
  return Math.max(1, Math.min(state.cards - 1, Math.round(((event.clientX - left) / width) * state.cards)));
}

const DRAG = 0.4;
function listenToHands() {
  const ribbon = $("ribbon");
  /** @type {{ at: number, move: import("./pictures.js").Move } | null} */
  let held = null;
  ribbon.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
    if (held || state.how !== "riffle" || state.done.length >= LAST || event.button) return;
    stopMoving();
    table.off = cardsLeftOf(event);
    const cut = state.cards - table.off, { places } = after([...state.done, cut]);
    held = { at: event.clientX, move: { places, cut, at: 0.15 } };
    ribbon.setPointerCapture(event.pointerId);
    state.done.push(cut);
    table.move = held.move;
    draw();
  });
  ribbon.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
    if (held) {
      held.move.at = Math.min(0.99, 0.15 + Math.abs(event.clientX - held.at) / (ribbon.clientWidth * DRAG));
      draw();
    } else if (state.how === "riffle" && event.pointerType === "mouse" && !table.move) {
      table.off = cardsLeftOf(event);
      draw();
    }
  });
  ribbon.addEventListener("pointerup", () => {
    if (!held) return;
    const { at } = held.move;
    held = null;
    keep();
    animate(at);
  });
  ribbon.addEventListener("pointercancel", () => {
    if (!held) return;
    held = null;
    table.move = null;
    state.done.pop();
    show();
  });
  ribbon.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -5, PageUp: 5, Home: -MOST, End: MOST }[event.key];
    if (state.how !== "riffle") return;
    if (by) table.off = Math.max(1, Math.min(state.cards - 1, table.off + by));
    else if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (by) show();
    else stopMoving(), step(state.cards - table.off);
  });
}

// A tap does not wait for the cards that still move: all that was asked for is done at once.
function stopMoving() {
  cancelAnimationFrame(table.frame);
  for (; table.more; table.more--) state.done.push(0);
  Object.assign(table, { move: null, frame: 0, more: 0 });
  show();
}

openFrame();
$("how").append(...HOWS.map((how) => option(how, t(SHUFFLES[how].says))));
$("see").append(...Object.entries(SEES).map(([see, { says }]) => option(see, t(says))));
for (const id of ["cards", "how", "see"]) $(id).addEventListener("change", change);
$("once").addEventListener("click", () => { stopMoving(); step(0); });
$("five").addEventListener("click", () => { stopMoving(); table.more = Math.max(0, Math.min(4, LAST - state.done.length - 1)); step(0); });
$("undo").addEventListener("click", () => { stopMoving(); state.done.pop(); keep(); show(); });
$("again").addEventListener("click", () => begin(true));
listenToHands();
addEventListener("hashchange", followLink);
followLink();
keepDrawn(drawAll);
