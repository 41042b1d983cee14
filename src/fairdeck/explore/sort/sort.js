// How two deals sort a deck: number grids that play, two methods side by side, and any plan.

import { copyFrom } from "../../page/scripts/copying.js";
import { $, button, chosen, complain, element, wholeNumber } from "../../page/scripts/elements.js";
import { faultOf } from "../../page/scripts/dialogs.js";
import { LARGEST_SIDE, makeMat, PlanError } from "../../page/scripts/planner.js";
import { grouped, pieces, t } from "../../page/scripts/texts.js";
import { openFrame } from "../scripts/frame.js";
import { freshSeed, keepSettings, numberGiven, settingsGiven } from "../scripts/hash.js";
import { buildGrids, flyTo, moveFocus, nextColour, showMarks, showMoment } from "./grids.js";
import { cardsAcross, EXAMPLES, orderFrom, pilesInAll, pilesOf, plansFor, sharedKeys, surelySorted } from "./layouts.js";
import { LABELS_WANTED, MOST_CARDS, PlanFault, readPlan, SPACE_WANTED } from "./reading.js";
import { storyOf } from "./story.js";

const FIELDS = ["cards", "columns", "rows"], LEAST = [2, 1, 1], MOST = [MOST_CARDS, LARGEST_SIDE, LARGEST_SIDE];
const LARGEST_SEED = 2 ** 32 - 1, LONGEST_SHOWN = 30;
// Milliseconds of a move at speed 1, and of the longest flight of a card; pixels of a screen with room for one way only.
const SLOWEST = 800, LONGEST_FLIGHT = 400, NARROW = 640;
const still = matchMedia("(prefers-reduced-motion: reduce)");
/** @type {any} */
const nothing = null;
// What is on the screen: the plans by method, the story of the chosen one, the moment, and the colours of lit cards.
const shown = {
  seed: 1, at: 0, timer: 0, across: 1, story: /** @type {Story} */ (nothing), plan: /** @type {Plan} */ (nothing),
  plans: /** @type {Record<string, Plan>} */ ({}), ends: /** @type {number[]} */ ([]), marks: /** @type {Map<number, number>} */ (new Map()),
};

/** @type {(order?: number[]) => any} */
function makePlans(order = undefined) {
  const faults = FIELDS.map((id, i) => faultOf(id, t(id), LEAST[i], MOST[i]));
  complain("error", FIELDS, "");
  if (!complain("error", FIELDS.filter((_, i) => faults[i]), faults.find(Boolean) || "")) return;
  const [cards, columns, rows] = FIELDS.map((id) => wholeNumber(id, 1, MOST_CARDS)), mat = makeMat(columns, rows);
  try {
    shown.plans = plansFor(cards, mat, order || orderFrom(cards, shown.seed));
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return complain("error", ["columns", "rows"], t("faultMat", { n: error.cause || 2 }));
  }
  shown.marks.clear();
  showMethods();
  showCapacities(columns * rows);
  showPlan();
}

// Passes and piles of each method, and the difference.
function showMethods() {
  const { classic, fewest, given } = shown.plans, [more, less] = [classic, fewest].map(pilesInAll);
  if (!given && chosen("method") === "given") $("fewest").checked = true;
  $("given-method").hidden = !given;
  for (const [name, plan] of Object.entries(shown.plans)) {
    const piles = pilesOf(plan), passes = piles.map((n) => element("span", Array.from({ length: n }, () => element("i"))));
    const bars = element("span", passes, "bars", { "aria-hidden": true });
    $(`${name}-cost`).replaceChildren(`${t("nPasses", { n: piles.length })}, ${t("nPiles", { n: pilesInAll(plan), sum: piles.length > 1 ? `${piles.join(" + ")} = ` : "" })}`, bars);
  }
  const saved = classic.passes.length - fewest.passes.length;
  $("gain").textContent = saved > 0 ? t("gainPasses", { n: saved }) : more > less ? t("gainPiles", { n: more - less }) : "";
}

/** @type {(spaces: number) => void} */
function showCapacities(spaces) {
  $("capacities").replaceChildren(...[2, 3].map((passes) => {
    const { classic, fewest } = surelySorted(spaces, passes);
    return element("tr", [element("th", t("nPasses", { n: passes }), "", { scope: "row" }), element("td", grouped(classic)), element("td", grouped(fewest))]);
  }));
  $("capacities-mat").textContent = t("capacities", { mat: `${$("columns").value} × ${$("rows").value}` });
}

// The story of the chosen method, at its end: everything is there to be followed.
/** @type {(at?: number) => void} */
function showPlan(at = Infinity) {
  pause();
  const method = chosen("method"), plan = shown.plans[method], spaces = plan.mat.columns * plan.mat.rows;
  shown.plan = plan;
  shown.across = cardsAcross(Math.min(spaces, plan.cards));
  shown.story = storyOf(plan, shown.across);
  shown.ends = [];
  shown.story.order.forEach((card, i) => { shown.ends[card] = shown.story.order.length - i; });
  const { stages, order } = shown.story, finishes = order.length < plan.cards;
  // A card of a hand has no place at the end.
  $("numbers").disabled = finishes;
  if (finishes) $("numbers").value = "start";
  const titles = stages.map(titleOf);
  const tall = Math.max(...plan.passes.flatMap((pass) => pass.counts), Math.ceil(plan.cards / shown.across));
  buildGrids(shown.story, {
    across: shown.across, tall, labels: plan.mat.labels, name: nameOf, onCards: mark, titles,
    // Darker the deeper a card ends.
    shade: (card) => Math.round((40 * (endOf(card) - 1)) / Math.max(1, order.length - 1)),
    said: (space, n) => t("pileSaid", { label: plan.mat.labels[space], n }),
  });
  $("moment").max = shown.story.moves.length;
  for (const { id, dataset } of $("examples").children) $(id).setAttribute("aria-pressed", String(dataset.example === [plan.cards, plan.mat.columns, plan.mat.rows].join()));
  $("method-why").textContent = method === "given" ? "" : method === "classic" ? t("whyClassic") : t("whyFewest", { cards: plan.cards, keys: Math.max(...keysNow()) + 1 });
  $("log").value = logOf(stages, titles);
  $("copy").textContent = t("copy");
  $("plan-text").value = JSON.stringify(plan);
  complain("plan-faults", ["plan-text"], "");
  lightMarks();
  goTo(Math.min(at, shown.story.moves.length));
}

// Every array as text, for checks by hand; each list begins at the bottom.
/** @type {(stages: Stage[], titles: string[]) => string} */
function logOf(stages, titles) {
  const { plans, plan } = shown, { labels } = plan.mat, written = (/** @type {number[]} */ cards) => cards.map(nameOf).join(" ");
  const heading = plans.given ? t("given") : Object.entries(settingsNow()).map((setting) => setting.join(" ")).join(", ");
  return [heading, t("logOrder"), ...stages.flatMap(({ pass, deck, piles }, i) => (piles.size ? [
    "", titles[i], `${t("logTold")}: ${plan.passes[pass].deal.map((space) => labels[space]).join(" ")}`, ...[...piles].map(([space, pile]) => `${labels[space]}: ${written(pile)}`),
  ] : ["", `${titles[i]}: ${written(deck)}`]))].join("\n");
}

/** @type {(stage: Stage, i: number) => string} */
function titleOf({ pass, piles }, i) {
  const { passes, mat } = shown.plan, before = passes[pass - 1];
  if (piles.size) return pieces([t("stagePass", { number: pass + 1 }), passes[pass].from && t("fromBottom")]);
  if (!i) return t("before");
  return pass === passes.length ? t("end") : t("stageStacked", { label: mat.labels[before.stack[before.stack.length - 1]] });
}

// Places count from the top, 1 on top.
/** @type {(card: number) => number} */
const startOf = (card) => shown.plan.cards - card;
/** @type {(card: number) => number} */
const endOf = (card) => shown.ends[card] || 1;
/** @type {(card: number) => number} */
const nameOf = (card) => ($("numbers").value === "start" ? startOf(card) : endOf(card));
const keysNow = () => sharedKeys(shown.plan, shown.story.order);

/** @type {(cards: number[]) => void} */
function mark(cards) {
  const colour = shown.marks.get(cards[0]), same = colour !== undefined && cards.every((card) => shown.marks.get(card) === colour);
  const next = nextColour(shown.marks);
  for (const card of cards) same ? shown.marks.delete(card) : shown.marks.set(card, next);
  lightMarks();
}

function lightMarks() {
  showMarks(shown.marks);
  const cards = [...shown.marks.keys()], room = innerWidth < NARROW ? 1 : 2, lines = cards.slice(-room).map(wayOf);
  if (cards.length > room) lines.unshift(`+ ${cards.length - room}`);
  $("followed").replaceChildren(...lines.map((line) => element("p", line)));
  $("clear").hidden = !cards.length;
}

// From place 58 onto A3, onto A4, to place 48; and why.
/** @type {(card: number) => string} */
function wayOf(card) {
  const { plan, story } = shown, method = chosen("method"), place = endOf(card), keys = keysNow();
  const way = story.stages.flatMap(({ piles }) => [...piles].filter(([, pile]) => pile.includes(card)).map(([space]) => plan.mat.labels[space]));
  if (!shown.ends[card]) return [t("place", { place: startOf(card) }), ...way].join(" → ");
  const line = [t("place", { place: startOf(card) }), ...way, t("place", { place })].join(" → ");
  // And the cards that share the key.
  const same = [...story.order].reverse().filter((other) => keys[other] === keys[card]).map(nameOf);
  if (method === "fewest") return `${line} · ${t("followKey", { key: `${keys[card]} (${same.join(" ")})` })}`;
  return method === "classic" ? `${line} · ${t("followKey", { key: `${place} − 1 = ${digitsOf(place - 1)}` })}` : line;
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

/** @type {(at: number) => void} */
function goTo(at) {
  const { moves } = shown.story, last = moves[at - 1], over = at === moves.length;
  shown.at = at;
  showMoment(at, over ? undefined : last);
  $("moment").value = at;
  const said = over ? t("end") : last ? momentOf(last) : t("before");
  $("moment").setAttribute("aria-valuetext", said);
  $("said").textContent = at && !over ? said : "";
  $("back").disabled = !at;
  $("on").disabled = over;
}

/** @type {(move: Move) => string} */
function momentOf({ pass, space, cards, index, stacked }) {
  const { mat, passes } = shown.plan, values = { number: pass + 1, label: mat.labels[space], card: nameOf(cards[0]) };
  return stacked ? t("momentStacked", values) : t("momentDealt", { ...values, index: index + 1, cards: passes[pass].deal.length });
}

/** @type {(by: number, duration?: number) => void} */
function step(by, duration = LONGEST_FLIGHT) {
  goTo(Math.max(0, Math.min(shown.story.moves.length, shown.at + by)));
  if (by > 0) {
    const { index, pass } = shown.story.moves[shown.at - 1];
    if (!still.matches) flyTo(shown.at, duration);
    if (!index) $(`stage${2 * pass + 1}`).parentNode.scrollIntoView({ block: "nearest" });
  }
  // A button that is disabled loses the focus.
  if (document.activeElement === document.body) $(by > 0 ? "back" : "on").focus();
}

function pause() {
  clearInterval(shown.timer);
  shown.timer = 0;
  $("play").textContent = t("play");
  $("said").setAttribute("aria-live", "polite");
}

function play() {
  if (shown.timer) return pause();
  if (shown.at === shown.story.moves.length) goTo(0);
  const pace = SLOWEST / Number($("speed").value);
  $("play").textContent = t("pause");
  $("said").setAttribute("aria-live", "off");
  shown.timer = setInterval(() => {
    step(1, Math.min(pace, LONGEST_FLIGHT));
    if (shown.at === shown.story.moves.length) pause();
  }, pace);
}

function showFreePlan() {
  let plan;
  try {
    plan = readPlan($("plan-text").value);
  } catch (error) {
    if (!(error instanceof PlanFault)) throw error;
    const [where, given, wanted] = error.told, known = [LABELS_WANTED, SPACE_WANTED].includes(wanted) ? t(wanted) : wanted;
    return complain("plan-faults", ["plan-text"], t("planFault", { where, given: (JSON.stringify(given) ?? "–").slice(0, LONGEST_SHOWN), wanted: known }));
  }
  for (const [id, value] of Object.entries({ cards: plan.cards, columns: plan.mat.columns, rows: plan.mat.rows })) $(id).value = value;
  const { order } = storyOf(plan, 1);
  // Of hands there is no order that the methods could sort.
  makePlans(order.length === plan.cards ? order : undefined);
  shown.plans.given = plan;
  showMethods();
  $("given").checked = true;
  showPlan();
  $("grids").scrollIntoView({ block: "nearest" });
}

// The link carries all settings; what it says wrongly is passed over.
function readLink() {
  const link = settingsGiven(), [, columns, rows] = /^(\d+)x(\d+)$/.exec(link.get("mat") || "") || [], [usual] = EXAMPLES;
  link.set("columns", columns || "");
  link.set("rows", rows || "");
  FIELDS.forEach((id, i) => { $(id).value = numberGiven(link, id, LEAST[i], MOST[i], usual[i]); });
  // One space sorts nothing.
  if ($("columns").value * $("rows").value < 2) $("columns").value = usual[1];
  $(link.get("method") === "fewest" ? "fewest" : "classic").checked = true;
  $("numbers").value = link.get("numbers") === "start" ? "start" : "end";
  shown.seed = numberGiven(link, "seed", 0, LARGEST_SEED, 1);
  makePlans();
}

const settingsNow = () => ({
  cards: $("cards").value, mat: `${$("columns").value}x${$("rows").value}`, method: chosen("method"), numbers: $("numbers").value, seed: shown.seed,
});

// A plan from elsewhere is in no link.
function writeLink() {
  if (!$("error").textContent && !shown.plans.given) keepSettings(settingsNow());
}

/** @type {(example: number[]) => void} */
function changeTo(example) {
  example.forEach((value, i) => { $(FIELDS[i]).value = value; });
  makePlans();
  writeLink();
}

openFrame();
$("examples").append(...EXAMPLES.map((example) => {
  const [cards, columns, rows] = example;
  return button(t("example", { cards, mat: `${columns} × ${rows}` }), () => changeTo(example), "", { id: `example${cards}`, "data-example": example });
}));
$("play").hidden = $("speed").hidden = still.matches;
for (const id of FIELDS) $(id).addEventListener("change", () => changeTo([]));
for (const id of ["classic", "fewest", "given"]) $(id).addEventListener("change", () => { showPlan(); writeLink(); });
$("numbers").addEventListener("change", () => { showPlan(shown.at); writeLink(); });
$("new").addEventListener("click", () => { shown.seed = freshSeed(); changeTo([]); });
$("play").addEventListener("click", play);
$("speed").addEventListener("change", () => { if (shown.timer) pause(), play(); });
$("back").addEventListener("click", () => { pause(); step(-1); });
$("on").addEventListener("click", () => { pause(); step(1); });
$("moment").addEventListener("input", () => { pause(); goTo(Number($("moment").value)); });
$("clear").addEventListener("click", () => { shown.marks.clear(); lightMarks(); });
$("copy").addEventListener("click", () => copyFrom($("log"), $("copy")));
$("plan-show").addEventListener("click", showFreePlan);
$("grids").addEventListener("keydown", moveFocus);
addEventListener("hashchange", readLink);
readLink();
