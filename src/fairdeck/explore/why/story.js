// Seven riffles: one deck through eight scenes, each with a prediction. The seed and the scene stand in the address, so that a
// link, or a projector, shows the same deck.

import { $ } from "../../page/scripts/elements.js";
import { language, t } from "../../page/scripts/texts.js";
import { drawLine } from "../../page/scripts/line.js";
import { uniformPermutation } from "../../page/scripts/randomness.js";
import { drawPlaces } from "../scripts/charts.js";
import { seededDraws } from "../scripts/draws.js";
import { letFall, stopFalling } from "../scripts/falling.js";
import { freshSeed, keepSettings, numberGiven, settingsGiven } from "../scripts/hash.js";
import { openPrediction } from "../scripts/predict.js";
import { placesRiffled } from "../scripts/riffling.js";
import { fairRisingLaw, risingSequences } from "../scripts/rising.js";
import { raised } from "../scripts/shown.js";
import { inSlices } from "../scripts/slices.js";
import { obviousDeck } from "../scripts/small_decks.js";
import { orderVariation } from "../scripts/variation.js";
import { CARDS, dealtOnce, sorted } from "./mixed.js";

const LAST_SHOWN = 12, COUNTED = 10000;
/** @typedef {import("../scripts/falling.js").Move} Move */
/** @typedef {{ says: string, asks: string, reveals: string, choices: [string, string][], right: string, values?: Record<string, any>, from: string, to: string, deck: number[], moves: Move[], counted?: boolean }} Scene */

const state = { seed: 0, scene: 0, told: false, moves: false };
/** @type {Scene[]} */
let scenes = [];
/** @type {number[]} */
let lies = [];
// How often each card came to each place, the top card and the top place first.
let tally = new Float64Array(0);

// --- the eight scenes of a deck

// All cards go to their places in another deck at once.
/** @type {(before: number[], deck: number[]) => Move} */
const straight = (before, deck) => ({ before, places: deck.map((card) => before.indexOf(card)), cut: 0 });

/** @type {(values: (number | string)[]) => [string, string][]} */
const plainly = (values) => values.map((value) => [String(value), String(value)]);

/** @type {(riffles: number) => string} */
const points = (riffles) => {
  const share = 100 * orderVariation(CARDS, 2n ** BigInt(riffles));
  return share.toLocaleString(language, { maximumFractionDigits: share < 9.95 ? 1 : 0 });
};

/** @type {(seed: number) => Scene[]} */
function scenesOf(seed) {
  const draws = seededDraws(seed), decks = [sorted()], moves = /** @type {Move[]} */ ([]);
  for (let riffle = 0; riffle < LAST_SHOWN; riffle++) {
    moves.push({ before: decks[riffle], ...placesRiffled(CARDS, draws) });
    decks.push(moves[riffle].places.map((place) => decks[riffle][place]));
  }
  const lines = decks.map(risingSequences), few = fairRisingLaw(CARDS).slice(0, lines[3]).reduce((all, share) => all + share, 0);
  const plan = dealtOnce(uniformPermutation(CARDS, draws.below)), loop = obviousDeck(CARDS, sorted().map(() => draws.below(CARDS)));
  const after = (/** @type {number} */ n) => t("after", { n });
  const doubled = (/** @type {number} */ at, /** @type {number[]} */ choices) => ({ choices: plainly(choices), right: String(lines[at + 1]), values: { n: lines[at + 1] } });
  /** @type {(at: number, to: number, move?: Move[]) => Pick<Scene, "from" | "to" | "deck" | "moves">} */
  const riffles = (at, to, move = moves.slice(at, to)) => ({ from: at ? after(at) : t("newDeck"), to: after(to), deck: decks[at], moves: move });
  return [
    { says: "says0", asks: "asks0", reveals: "reveals0", ...doubled(0, [1, 2, 4, 26]), ...riffles(0, 1) },
    { says: "says1", asks: "asks1", reveals: "reveals1", ...doubled(1, [2, 3, 4, 8]), ...riffles(1, 2) },
    {
      says: "says2", asks: "asks2", reveals: "reveals2", choices: [["10", t("oneIn", { n: 10 })], ["1000", t("oneIn", { n: 1000 })], ["0", t("hardly")]], right: "0",
      values: { n: lines[3], odds: `10${raised(Math.floor(-Math.log10(few)))}` }, ...riffles(2, 3),
    },
    {
      says: "says3", asks: "asks3", reveals: "reveals3", choices: plainly(["2", "20", "50", points(5)]), right: points(5),
      values: { points: points(5), lines: lines[3], n: lines[5], fair: (CARDS + 1) / 2 }, ...riffles(3, 5),
    },
    { says: "says4", asks: "asks4", reveals: "reveals4", choices: plainly(["0", "1", "10", points(7)]), right: points(7), values: { points: points(7) }, ...riffles(5, 7) },
    {
      says: "says5", asks: "asks5", reveals: "reveals5", choices: [...plainly([8, 9, 12]), ["no", t("none")]], right: "no",
      values: { list: [8, 9, 10, 11, 12].map(points).join(" · ") }, ...riffles(7, LAST_SHOWN, [straight(decks[7], decks[LAST_SHOWN])]),
    },
    {
      says: "says6", asks: "asks6", reveals: "reveals6", choices: [["36", t("linesLeft", { n: 36 })], ["6", t("linesLeft", { n: 6 })], ["0", t("nothing")]], right: "0",
      from: t("newDeck"), to: t("dealtTwice"), deck: decks[0], moves: [straight(decks[0], plan.once), straight(plan.once, plan.twice)],
    },
    {
      says: "says7", asks: "asks7", reveals: "reveals7", choices: [["yes", t("yes")], ["no", t("no")]], right: "no", values: { n: COUNTED },
      from: t("looped"), to: t("decksCounted", { n: COUNTED }), deck: loop, moves: [], counted: true,
    },
  ];
}

// --- pictures

export function drawStory() {
  if (state.moves) return;
  if (state.told && scenes[state.scene].counted) drawPlaces($("deck"), tally, CARDS, COUNTED / CARDS, 0, null);
  else drawLine($("deck"), lies);
}

// --- one scene after the other

/** @type {(text: string) => void} */
function caption(text) {
  $("lies").textContent = text;
  $("deck").setAttribute("aria-label", text);
}

function showScene() {
  const { says, asks, choices, right, values, from, deck } = scenes[state.scene], first = state.scene === 0;
  stopFalling();
  Object.assign(state, { told: false, moves: false });
  lies = deck;
  $("says").textContent = t(says, values);
  $("asks").textContent = t(asks);
  $("reveal").textContent = "";
  $("count").textContent = `${state.scene + 1} / ${scenes.length}`;
  $("next").textContent = t(state.scene < scenes.length - 1 ? "next" : "otherDeck");
  // A button that is disabled loses the focus.
  if (first && document.activeElement === $("back")) $("next").focus();
  $("back").disabled = first;
  openPrediction(choices, right, tell);
  caption(from);
  drawStory();
}

function tell() {
  const { reveals, values, to, moves, counted } = scenes[state.scene];
  $("reveal").textContent = t(reveals, values);
  if (state.told) return;
  state.told = true;
  caption(to);
  if (counted) inSlices(countLoops(state.seed)).then(drawStory);
  move(moves);
}

/** @type {(moves: Move[]) => void} */
function move([one, ...more]) {
  state.moves = Boolean(one);
  if (!one) return drawStory();
  lies = one.places.map((place) => one.before[place]);
  letFall($("deck"), one, () => move(more));
}

// The obvious loop, as often as it takes to see what it does.
/** @type {(seed: number) => Generator<undefined, void>} */
function* countLoops(seed) {
  const draws = seededDraws(seed), turns = sorted();
  tally = new Float64Array(CARDS * CARDS);
  for (let decks = 0; decks < COUNTED; decks++) {
    obviousDeck(CARDS, turns.map(() => draws.below(CARDS))).forEach((card, place) => { tally[(CARDS - 1 - place) * CARDS + CARDS - 1 - card]++; });
    if (decks % 100 === 0) yield;
  }
}

/** @type {(by: number) => void} */
function turn(by) {
  if (state.scene + by < 0) return;
  state.scene += by;
  if (state.scene === scenes.length) begin(freshSeed(), 0);
  keepSettings({ seed: state.seed, scene: state.scene });
  showScene();
}

/** @type {(seed: number, scene: number) => void} */
function begin(seed, scene) {
  Object.assign(state, { seed, scene });
  scenes = scenesOf(seed);
}

function followLink() {
  const given = settingsGiven();
  begin(numberGiven(given, "seed", 0, 2 ** 32 - 1, freshSeed()), 0);
  state.scene = numberGiven(given, "scene", 0, scenes.length - 1, 0);
  showScene();
  if (given.has("scene")) $("story").scrollIntoView();
}

export function openStory() {
  const story = $("story");
  $("back").addEventListener("click", () => turn(-1));
  $("next").addEventListener("click", () => turn(1));
  $("full").hidden = !document.fullscreenEnabled;
  $("full").addEventListener("click", () => (document.fullscreenElement ? document.exitFullscreen() : story.requestFullscreen()));
  addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const shown = document.fullscreenElement === story || story.contains(document.activeElement) || Math.abs(story.getBoundingClientRect().top) < innerHeight / 2;
    const by = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
    const isPage = event.key.startsWith("Page") && document.fullscreenElement !== story;
    if (!by || !shown || isPage || event.altKey || event.ctrlKey || event.metaKey || /** @type {HTMLElement} */ (event.target).matches("select")) return;
    event.preventDefault();
    turn(by);
  });
  addEventListener("hashchange", followLink);
  followLink();
}
