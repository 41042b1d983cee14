// The setup: its fields become a task; a line says what that implies.

import { advise, PRESETS, suggestionsFor } from "./advice.js";
import { ask, deals, finish } from "./beginning.js";
import { faultOf } from "./dialogs.js";
import { $, button, chosen, complain, element, one, wholeNumber } from "./elements.js";
import { openCode } from "./handover.js";
import { recalled } from "./kept.js";
import { remember, SETTINGS } from "./memory.js";
import { isOwn, learnDeck, learnMinutes, ownTimes } from "./pace.js";
import { block, fits, hands, LARGEST_DECK, LARGEST_SIDE, lettersIn, LONGEST_LABEL, lookOf, makeMat, SHOWN, strata, topCards, wholeDeck } from "./planner.js";
import { applyShown, settingsShown } from "./play.js";
import { showRibbon } from "./ribbon.js";
import { pieces, t } from "./texts.js";

let chosenMat = "5x2";
const MAT_ROWS = 6; // of the small picture

export const FIELDS = {
  texts: ["cards", "columns", "rows", "players", "each", "top", "strata", "labels"],
  checks: ["stock", "turn", "bottom", "voice", "click", "vibrate", "lefty", "turned"],
  choices: ["goal", "dealers", "view"],
};

/** @type {Record<string, string[]>} */
const GOAL_FIELDS = { hands: ["players", "each"], top: ["top"], strata: ["strata"] };
// What is wrong with the deck list, if anything is.
export const listRead = { fault: "" };

// The numbers in these fields; null if one is none, and says so.
/** @type {(error: string, fields: string[], most: number) => any} */
const wholeNumbers = (error, fields, most) => (complain(error, [], ""), fields.every((id) => complain(error, [id], faultOf(id, 1, most))) && fields.map((id) => wholeNumber(id, 1, most)));

/** @type {() => Mat | null} */
function readMat() {
  const sides = wholeNumbers("mat-error", chosenMat === "own" ? ["columns", "rows"] : [], LARGEST_SIDE);
  if (!sides) return null;
  const [columns, rows] = sides.length ? sides : chosenMat.split("x").map(Number), labels = ownLabels(), wrong = labels && faultOfLabels(labels, columns * rows);
  if (!complain("labels-error", ["labels"], wrong || "")) return null;
  return makeMat(columns, rows, labels);
}

/** @type {() => string[] | undefined} */
function ownLabels() {
  const text = String($("labels").value).trim();
  return text ? text.split(text.includes(",") ? "," : /\s+/).map((label) => label.trim()).filter(Boolean) : undefined;
}

/** @type {(labels: string[], spaces: number) => string} */
function faultOfLabels(labels, spaces) {
  const odd = labels.find((label) => !SHOWN.test(label) || lettersIn(label) > LONGEST_LABEL);
  const same = labels.find((label, i) => labels.some((other, j) => j < i && lookOf(other) === lookOf(label)));
  // Signs that turn the direction of writing must not turn this sentence.
  if (odd) return t("faultLetter", { label: odd.replace(/\p{C}/gu, "\ufffd").slice(0, 30) });
  if (same) return t("faultSame", { label: same });
  return labels.length === spaces ? "" : t("faultLabels", { spaces, n: labels.length });
}

/** @type {(cards: number) => Goal | null} */
function readGoal(cards) {
  const kind = chosen("goal"), numbers = wholeNumbers("goal-error", GOAL_FIELDS[kind] || [], cards);
  if (!numbers) return null;
  const [first, second] = numbers, taken = first * second;
  if (kind === "deck") return wholeDeck();
  if (kind === "top") return topCards(cards, first);
  // About equally large, the larger ones on top.
  if (kind === "strata") return strata(Array.from({ length: first }, (_, part) => Math.floor((cards + first - 1 - part) / first)));
  const wrong = taken > cards ? t("faultHands", { players: first, each: second, taken, cards }) : "";
  if (!complain("goal-error", ["players", "each"], wrong)) return null;
  return hands(cards, Array(first).fill(second), $("stock").checked ? "stock" : "rest");
}

/** @type {() => Task | null} */
export function readTask() {
  const cards = wholeNumber("cards", 1, LARGEST_DECK), dealers = Number(chosen("dealers"));
  complain("cards-error", [...FIELDS.texts, "list"], "");
  complain("cards-error", [listRead.fault ? "list" : "cards"], listRead.fault || faultOf("cards", 1, LARGEST_DECK));
  const mat = readMat(), goal = readGoal(cards || LARGEST_DECK);
  complain("dealers-error", [], cards && dealers > cards ? t("faultDealers", { n: dealers, cards: t("nCards", { n: cards }) }) : "");
  if (listRead.fault || !cards || !mat || !goal || dealers > cards) return null;
  const task = { cards, mat, goal, dealers, leastPasses: 1, classic: !!goal.parts, bottom: $("bottom").checked ? "pass" : "never", turn: $("turn").checked };
  return complain("mat-error", ["columns", "rows"], fits(task) ? "" : t("faultMat", { n: 2 })) ? task : null;
}

/** @type {(chance: number) => string} */
function rarely(chance) {
  if (chance < 1e-7) return "";
  return chance < 0.01 ? t("oneMoreIn", { n: Math.round(1 / chance) }) : t("oneMorePercent", { n: Math.round(100 * chance) });
}

// As `fairdeck check` says it, until the player's own deals tell better.
/** @type {(usual: number) => string} */
function aboutTime(usual) {
  const times = ownTimes(), minutes = times ? Math.max(1, Math.round(usual * times)) : usual;
  const about = minutes >= 120 ? t("aboutHours", { n: Math.round(minutes / 60) }) : t("aboutMinutes", { n: minutes });
  return times ? `${about} ${t("yourPace")}` : about;
}

/** @type {(task: Task) => string} */
export const cost = (task) => aboutTime(advise(task).minutes);

/** @type {(over: OpenDeal) => void} */
export function learnFrom(over) {
  if (!over.order.length || !isOwn(over)) return;
  learnMinutes(advise(over.task).minutes, over.spent / 60);
  learnDeck(over);
}

export function showAdvice() {
  $("own").hidden = chosenMat !== "own";
  for (const kind in GOAL_FIELDS) $(`${kind}-fields`).hidden = chosen("goal") !== kind;
  $("other").hidden = chosen("game") !== OTHER;
  for (const preset of $("presets").children) preset.setAttribute("aria-pressed", String(preset.value === chosenMat));
  const task = readTask();
  $("advice").replaceChildren();
  $("plan-mat").hidden = !task;
  $("heights").textContent = "";
  $("ways").replaceChildren();
  if (!task) return;
  const advice = advise(task), { columns } = task.mat;
  const used = new Set(block(task.mat, advice.spaces)), across = Math.max(...[...used].map((space) => space % columns)) + 1;
  $("plan-mat").replaceWith(matPicture(across, Math.min(used.size, across * MAT_ROWS), "plan-mat"));
  $("advice").append(element("p", [
    element("b", pieces([t("nPasses", { n: advice.passes }), t("nPiles", { n: advice.spaces })])), " ", element("span", aboutTime(advice.minutes)),
  ], "", { id: "line" }));
  $("heights").textContent = pieces([t("tallest", { n: advice.tallest }), rarely(advice.chanceOfOneMorePass)]);
  if (task.goal.loose) $("advice").append(element("p", t("onlyTop", { n: task.cards - task.goal.loose }), "soft"));
  /** @type {(way: Suggestion) => boolean} */
  const better = (way) => way.passes < advice.passes || (way.passes === advice.passes && advice.chanceOfOneMorePass > 0.01);
  for (const way of suggestionsFor(task).filter(better).slice(0, 2)) {
    const text = t("useMat", { mat: `${way.columns} × ${way.rows}`, passes: t("nPasses", { n: way.passes }) });
    $("ways").append(button(text, () => chooseMat(way.columns, way.rows)));
  }
  showRibbon(task, advice.passes);
  // Saved last: settings that freeze the page must not do so at every start.
  rememberSettings();
}

// A mat as a picture of a few letters' size.
/** @type {(columns: number, spaces: number, id?: string) => HTMLElement} */
function matPicture(columns, spaces, id = "") {
  const cells = Array.from({ length: spaces }, (_, space) => element("b", "", `row${Math.floor(space / columns) % MAT_ROWS}`));
  const made = element("i", cells, "little-mat", { id, "aria-hidden": true });
  made.style.gridTemplateColumns = `repeat(${columns}, auto)`;
  return made;
}

/** @type {(name: string) => boolean} */
const isPreset = (name) => PRESETS.some((grid) => grid.join("x") === name);

/** @type {(columns: number, rows: number) => void} */
function chooseMat(columns, rows) {
  const name = `${columns}x${rows}`;
  if (isPreset(name)) chosenMat = name;
  else {
    chosenMat = "own";
    $("columns").value = columns;
    $("rows").value = rows;
  }
  $("labels").value = "";
  showAdvice();
}

export function drawPresets() {
  $("presets").replaceChildren(...[...PRESETS, [0, 0]].map(([columns, rows]) => {
    const value = columns ? `${columns}x${rows}` : "own", content = columns ? [matPicture(columns, columns * rows), `${columns} × ${rows}`] : t("myMat");
    return button(content, () => { chosenMat = value; showAdvice(); }, "", { value });
  }));
}

/** @type {(open?: boolean) => void} */
export function openChange(open = $("change").hidden) {
  $("change").hidden = !open;
  $("change-open").setAttribute("aria-expanded", String(open));
}

// A deck is chosen by its tile, or in the list that the tile "Other" opens.
export const OTHER = "other";
export const deckChosen = () => (chosen("game") === OTHER ? $("deck").value : chosen("game"));

/** @type {(value: string) => void} */
export function selectDeck(value) {
  /** @type {any[]} */
  const tiles = [...document.getElementsByName("game")], tile = tiles.find((each) => each.value === value);
  (tile || tiles[tiles.length - 1]).checked = true;
  $("deck").value = value;
  if ($("deck").selectedIndex < 0) $("deck").value = "";
  $("remove").hidden = !value.startsWith("own/") || deckChosen() !== value;
}

/** @type {() => Record<string, any>} */
export const settings = () => ({ mat: chosenMat, deck: deckChosen(), ...settingsShown() });

// Stored or imported settings may be anything.
/** @type {(kept: any) => void} */
export function applySettings(kept) {
  const last = kept || {};
  applyShown(last);
  if (last.mat === "own" || isPreset(last.mat)) chosenMat = last.mat;
  if (typeof last.deck === "string") selectDeck(last.deck);
}

export const rememberSettings = () => remember(SETTINGS, settings());

/** @type {(event: Event) => void} */
export function startDeal(event) {
  event.preventDefault();
  if (!readTask()) return showFault();
  if (recalled) return ask("anew", dealNew);
  dealNew();
}

export function showFault() {
  const fault = [...document.querySelectorAll("#form .error")].find((error) => error.textContent);
  if (fault?.closest("#change")) openChange(true);
  if (fault?.closest("#more")) $("more").open = true;
  one("[aria-invalid=true]")?.focus();
  fault?.scrollIntoView({ block: "center" });
}

/** @type {(task: any) => void} */
export function dealTask(task) {
  if (deals(task) && task.dealers > 1) openCode();
}

const dealNew = () => dealTask(readTask());

export const dealAgain = () => { finish(); dealNew(); };
