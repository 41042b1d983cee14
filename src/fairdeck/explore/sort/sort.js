// How two deals sort a deck: a picture, a table that plays, and two methods side by side.

import { keepDrawn } from "../../page/scripts/canvas.js";
import { copyFrom } from "../../page/scripts/copying.js";
import { faultOf } from "../../page/scripts/dialogs.js";
import { $, button, chosen, complain, element, wholeNumber } from "../../page/scripts/elements.js";
import { drawLine } from "../../page/scripts/line.js";
import { LARGEST_SIDE, makeMat, PlanError } from "../../page/scripts/planner.js";
import { grouped, pieces, t } from "../../page/scripts/texts.js";
import { openFrame } from "../scripts/frame.js";
import { freshSeed, keepSettings, numberGiven, settingsGiven } from "../scripts/hash.js";
import { openPrediction } from "../scripts/predict.js";
import { clearTable, layTable, moveFocus } from "./cards.js";
import { EXAMPLES, orderFrom, pilesInAll, pilesOf, plansFor, sharedKeys, surelySorted } from "./layouts.js";
import { storyOf } from "./story.js";

const MOST_CARDS = 200, FIELDS = ["cards", "columns", "rows"], FEWEST = [2, 1, 1], LARGEST = [MOST_CARDS, LARGEST_SIDE, LARGEST_SIDE];
const LARGEST_SEED = 2 ** 32 - 1, ANSWERS = ["2", "3", "6", "52"], RIGHT = "2";
// Milliseconds of a deal or a stacking that plays, and of the flight of one card.
const PLAYS = 2500, FLIGHT = 350;
/** @type {any} */
const nothing = null;
// What is on the screen: the plans by method, the story of the chosen one, the moment, and the card that is followed.
const shown = {
  seed: 1, at: 0, playing: 0, lit: 0, story: /** @type {Story} */ (nothing), plan: /** @type {Plan} */ (nothing),
  plans: /** @type {Record<string, Plan>} */ ({}), ends: /** @type {number[]} */ ([]),
};
/** @type {number[][]} */
let pictured = [];

// A real plan for an order that nobody deals: fresh, as every time.
function newPicture() {
  const [cards, columns, rows] = EXAMPLES[0], { fewest } = plansFor(cards, makeMat(columns, rows), orderFrom(cards, freshSeed()));
  $("once").textContent = t("once", { n: pilesOf(fewest)[0] });
  pictured = storyOf(fewest).stages.filter(({ piles }) => !piles.size).map(({ deck }) => deck);
  drawPictures();
}

const drawPictures = () => pictured.forEach((deck, i) => drawLine($(`deck${i}`), deck));

function makePlans() {
  const faults = FIELDS.map((id, i) => faultOf(id, FEWEST[i], LARGEST[i], $(id).getAttribute("aria-label") ?? undefined));
  complain("error", FIELDS, "");
  if (!complain("error", FIELDS.filter((_, i) => faults[i]), faults.find(Boolean) || "")) return;
  const [cards, columns, rows] = FIELDS.map((id) => wholeNumber(id, 1, MOST_CARDS)), mat = makeMat(columns, rows);
  try {
    shown.plans = plansFor(cards, mat, orderFrom(cards, shown.seed));
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return complain("error", ["columns", "rows"], t("faultMat", { n: 2 }));
  }
  showMethods();
  showCapacities(columns * rows);
  showPlan();
}

// Passes and piles of each method, and the difference.
function showMethods() {
  const { classic, fewest } = shown.plans;
  for (const [name, plan] of Object.entries(shown.plans)) {
    const piles = pilesOf(plan);
    $(`${name}-cost`).textContent = `${t("nPasses", { n: piles.length })}, ${t("nPiles", { n: pilesInAll(plan), sum: piles.length > 1 ? `${piles.join(" + ")} = ` : "" })}`;
  }
  const passes = classic.passes.length - fewest.passes.length, piles = pilesInAll(classic) - pilesInAll(fewest);
  $("gain").textContent = passes > 0 ? t("gainPasses", { n: passes }) : piles > 0 ? t("gainPiles", { n: piles }) : t("gainNone");
}

/** @type {(spaces: number) => void} */
function showCapacities(spaces) {
  $("capacities").replaceChildren(...[2, 3].map((passes) => {
    const { classic, fewest } = surelySorted(spaces, passes);
    return element("tr", [element("th", t("nPasses", { n: passes }), "", { scope: "row" }), element("td", grouped(classic)), element("td", grouped(fewest))]);
  }));
  $("capacities-mat").textContent = t("capacities", { mat: `${$("columns").value} × ${$("rows").value}` });
}

// The story of the chosen method, from its beginning; the card that ends on top is followed.
function showPlan() {
  const method = chosen("method"), plan = shown.plans[method], story = storyOf(plan), { order, stages } = story;
  Object.assign(shown, { plan, story, ends: [], lit: order.length ? order[order.length - 1] : plan.cards - 1 });
  order.forEach((card, i) => { shown.ends[card] = order.length - i; });
  clearTable();
  $("grids").style.setProperty("--tall", String(Math.max(...plan.passes.flatMap((pass) => pass.counts))));
  $("moment").max = story.moves.length;
  for (const { id, dataset } of $("examples").children) $(id).setAttribute("aria-pressed", String(dataset.example === [plan.cards, plan.mat.columns, plan.mat.rows].join()));
  $("method-why").textContent = method === "classic" ? t("whyClassic") : t("whyFewest", { cards: plan.cards, keys: Math.max(...sharedKeys(plan, order)) + 1 });
  $("log").value = logOf(stages);
  $("copy").textContent = t("copy");
  $("plan-text").value = JSON.stringify(plan);
  goTo(0);
}

// Every array as text, for checks by hand; each list begins at the bottom.
/** @type {(stages: Stage[]) => string} */
function logOf(stages) {
  const { plan } = shown, { labels } = plan.mat, written = (/** @type {number[]} */ cards) => cards.map(nameOf).join(" ");
  const heading = Object.entries(settingsNow()).map((setting) => setting.join(" ")).join(", ");
  return [heading, t("logOrder"), ...stages.flatMap((stage) => (stage.piles.size ? [
    "", titleOf(stage), `${t("logTold")}: ${plan.passes[stage.pass].deal.map((space) => labels[space]).join(" ")}`, ...[...stage.piles].map(([space, pile]) => `${labels[space]}: ${written(pile)}`),
  ] : ["", `${titleOf(stage)}: ${written(stage.deck)}`]))].join("\n");
}

/** @type {(stage: Stage) => string} */
function titleOf({ pass, piles }) {
  const { passes, mat } = shown.plan, before = passes[pass - 1];
  if (piles.size) return pieces([t("stagePass", { number: pass + 1 }), passes[pass].from && t("fromBottom")]);
  if (!pass) return t("before");
  return pass === passes.length ? t("end") : t("stageStacked", { label: mat.labels[before.stack[before.stack.length - 1]] });
}

// Places count from the top, 1 on top. A card of a hand has no place at the end, and its place before is its name.
/** @type {(card: number) => number} */
const startOf = (card) => shown.plan.cards - card;
/** @type {(card: number) => number} */
const nameOf = (card) => (shown.story.order.length < shown.plan.cards ? startOf(card) : shown.ends[card]);

// From place 58 onto A3, onto A4, to place 48: each stop leads to its moment; and why.
function showWay() {
  const { story: { stages }, plan, lit, at } = shown, stops = stages.flatMap(({ cells, piles }) => {
    const place = cells.findIndex(({ card }) => card === lit), cell = cells[place], pile = [...piles].find(([, cards]) => cards.includes(lit));
    if (!cell) return [];
    const stop = button(pile ? plan.mat.labels[pile[0]] : t("place", { place: place + 1 }), () => goTo(cell.arrive), "");
    if (at >= cell.arrive && (at < cell.leave || cell.leave === Infinity)) stop.setAttribute("aria-current", "step");
    return [element("li", [stop])];
  });
  $("way").replaceChildren(...stops);
  $("key").textContent = `${t("card", { card: nameOf(lit) })} · ${keyOf(lit)}`.replace(/ · $/, "");
}

/** @type {(card: number) => string} */
function keyOf(card) {
  const { plan, story: { order } } = shown, method = chosen("method"), place = shown.ends[card];
  if (!place || method === "given") return "";
  if (method === "classic") return t("followKey", { key: `${place} − 1 = ${digitsOf(place - 1)}` });
  const keys = sharedKeys(plan, order), same = [...order].reverse().filter((other) => keys[other] === keys[card]);
  return t(same.length > 1 ? "sharedKey" : "followKey", { key: keys[card], cards: same.map(nameOf).join(" ") });
}

// 22 = 4 + 2 × 9: the digits of a place, the one that the first pass deals by first.
/** @type {(place: number) => string} */
function digitsOf(place) {
  let weight = 1;
  return pilesOf(shown.plan).map((radix) => {
    const part = `${Math.floor(place / weight) % radix}${weight > 1 ? ` × ${weight}` : ""}`;
    weight *= radix;
    return part;
  }).join(" + ");
}

/** @type {(at: number, duration?: number) => void} */
function goTo(at, duration = 0) {
  const { story, plan, lit } = shown, { moves } = story, from = shown.at, { labels } = plan.mat;
  shown.at = at;
  layTable(story, {
    labels, name: nameOf, onCard: (card) => { shown.lit = card; goTo(shown.at); }, said: (space, n) => t("pileSaid", { label: labels[space], n }),
    // Where its piece of the line is: the cards of a deck in order show the line.
    part: (card) => (100 * (nameOf(card) - 1)) / Math.max(1, plan.cards - 1),
  }, at, lit, from, duration);
  $("moment").value = at;
  const said = at === moves.length ? t("atEnd") : momentOf(at);
  $("moment").setAttribute("aria-valuetext", said);
  $("said").textContent = said;
  $("back").disabled = !at;
  $("on").disabled = at === moves.length;
  $("play").textContent = playText();
  showWay();
}

// What comes next.
/** @type {(at: number) => string} */
function momentOf(at) {
  const { plan: { mat, passes }, story: { moves } } = shown, { pass, space, cards, index, stacked } = moves[at];
  const values = { number: pass + 1, label: mat.labels[space], card: nameOf(cards[0]), index: index + 1, cards: passes[pass].deal.length };
  return t(stacked ? "momentStacked" : "momentDealt", values);
}

function playText() {
  const { at, story: { moves }, playing } = shown;
  if (playing) return t("pause");
  if (at === moves.length) return t("again");
  const { pass, stacked } = moves[at];
  return stacked ? t("stack") : t("deal", { number: pass + 1 });
}

/** @type {(by: number) => void} */
function step(by) {
  goTo(Math.max(0, Math.min(shown.story.moves.length, shown.at + by)), by > 0 ? FLIGHT : 0);
  // A button that is disabled loses the focus.
  if (document.activeElement === document.body) $(by > 0 ? "back" : "on").focus();
}

function pause() {
  cancelAnimationFrame(shown.playing);
  shown.playing = 0;
  $("said").setAttribute("aria-live", "polite");
  $("play").textContent = playText();
}

// A touch deals or stacks all that is left of it.
function play() {
  const { at: from, story: { moves } } = shown, begun = performance.now();
  if (shown.playing) return pause();
  if (from === moves.length) return goTo(0);
  const same = (/** @type {Move} */ { pass, stacked }) => pass === moves[from].pass && stacked === moves[from].stacked;
  const to = moves.length - [...moves].reverse().findIndex(same), isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (isStill) return goTo(to);
  const frame = () => {
    shown.playing = requestAnimationFrame(frame);
    const at = Math.min(to, from + Math.floor(((performance.now() - begun) / PLAYS) * (to - from)));
    if (at > shown.at) goTo(at, FLIGHT);
    if (at === to) pause();
  };
  $("said").setAttribute("aria-live", "off");
  frame();
  $("play").textContent = playText();
}

// The link carries all settings; what it says wrongly is passed over.
function readLink() {
  const link = settingsGiven(), [, columns, rows] = /^(\d+)x(\d+)$/.exec(link.get("mat") || "") || [], [usual] = EXAMPLES;
  link.set("columns", columns || "");
  link.set("rows", rows || "");
  FIELDS.forEach((id, i) => { $(id).value = numberGiven(link, id, FEWEST[i], LARGEST[i], usual[i]); });
  // One space sorts nothing.
  if ($("columns").value * $("rows").value < 2) $("columns").value = usual[1];
  $(link.get("method") === "classic" ? "classic" : "fewest").checked = true;
  shown.seed = numberGiven(link, "seed", 0, LARGEST_SEED, 1);
  makePlans();
}

const settingsNow = () => ({ cards: $("cards").value, mat: `${$("columns").value}x${$("rows").value}`, method: chosen("method"), seed: shown.seed });

function writeLink() {
  if (!$("error").textContent) keepSettings(settingsNow());
}

/** @type {(example: number[]) => void} */
function changeTo(example) {
  pause();
  example.forEach((value, i) => { $(FIELDS[i]).value = value; });
  makePlans();
  writeLink();
}

openFrame();
openPrediction(ANSWERS.map((answer) => [answer, answer]), RIGHT, () => { $("reveal").textContent = t("reveal"); });
$("examples").append(...EXAMPLES.map((example) => {
  const [cards, columns, rows] = example;
  return button(t("example", { cards, mat: `${columns} × ${rows}` }), () => changeTo(example), "", { id: `example${cards}`, "data-example": example });
}));
for (const id of FIELDS) $(id).addEventListener("change", () => changeTo([]));
for (const id of ["classic", "fewest"]) $(id).addEventListener("change", () => { pause(); showPlan(); writeLink(); });
$("new").addEventListener("click", () => { shown.seed = freshSeed(); changeTo([]); });
$("redraw").addEventListener("click", newPicture);
$("play").addEventListener("click", play);
$("back").addEventListener("click", () => { pause(); step(-1); });
$("on").addEventListener("click", () => { pause(); step(1); });
$("moment").addEventListener("input", () => { pause(); goTo(Number($("moment").value)); });
$("copy").addEventListener("click", () => copyFrom($("log"), $("copy")));
$("grids").addEventListener("keydown", moveFocus);
addEventListener("hashchange", () => { pause(); readLink(); });
readLink();
newPicture();
keepDrawn(drawPictures);
