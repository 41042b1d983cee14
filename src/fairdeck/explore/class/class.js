// For teachers: what the riffles of a class are worth, a lesson, worksheets.

import { PAGES } from "../../page/scripts/built.js";
import { keepDrawn } from "../../page/scripts/canvas.js";
import { copyFrom } from "../../page/scripts/copying.js";
import { $, chosen, complain, element, one, option, wholeNumber } from "../../page/scripts/elements.js";
import { faultOf } from "../../page/scripts/dialogs.js";
import { drawLine } from "../../page/scripts/line.js";
import { recall, remember } from "../../page/scripts/memory.js";
import { grouped, language, t } from "../../page/scripts/texts.js";
import { seededDraws } from "../scripts/draws.js";
import { isAlone, openFrame } from "../scripts/frame.js";
import { freshSeed, keepSettings, numberGiven, settingsGiven } from "../scripts/hash.js";
import { openPrediction, VOTES } from "../scripts/predict.js";
import { riffledOnce } from "../scripts/riffling.js";
import { fairRisingLaw, risingLaw, risingSequences } from "../scripts/rising.js";
import { decksOf } from "./decks.js";
import { tasksOf } from "./worksheet.js";
import { MOST_WORTH, worthOf } from "./worth.js";

const FEWEST = 10, MOST = 52, USUAL = 13, RIFFLES = 8, PUPILS = 30, MOST_SHEETS = 40, SHOWN_FAULTS = 5, MOST_SEED = 99999, SMALL = 0.002, NUMBERED = 20;
const GUESSES = ["2", "4", "7"], RIGHT = "4"; // that two riffles leave at most
const TABS = ["riffles", "lesson", "sheets"];
// Minutes, the page, and what to do, to ask, to see.
const PLAN = [
  ["0–5", "guess", "guessDo", "guessAsk", "guessSee"],
  ["5–15", "class", "classDo", "classAsk", "classSee"],
  ["15–22", "riffle", "riffleDo", "riffleAsk", "riffleSee"],
  ["22–30", "loop", "loopDo", "loopAsk", "loopSee"],
  ["30–36", "fair", "fairDo", "fairAsk", "fairSee"],
  ["36–41", "sort", "sortDo", "sortAsk", "sortSee"],
  ["41–45", "", "endDo", "endAsk", "endSee"],
];
// Pages as this lesson needs them: with the cards that pupils hold, and with a fault that few decks do not show.
/** @type {Record<string, string>} */
const OPENED = { guess: "#cards=52&how=riffle*3", fair: "#cards=20&decks=1000&a=modulo-8", sort: "#cards=13&mat=4x1" };
const HERE = "class", CLASS = "fairdeck-class";
const FOR_THE_QUICK = ["random", "two"];
const shown = { cards: USUAL, times: 2, sheets: PUPILS, seed: 1, before: "" };

/** @type {(value: number) => string} */
const onePlace = (value) => grouped(Math.round(10 * value) / 10);
/** @type {(value: number, up: boolean) => string} */
const outwards = (value, up) => grouped((up ? Math.ceil(10 * value) : Math.floor(10 * value)) / 10);
/** @type {(law: number[]) => number} */
const mean = (law) => law.reduce((sum, chance, i) => sum + chance * (i + 1), 0);

// The picture: sorted cards, and two riffles of them, others each time.
function showThree() {
  const draws = seededDraws(freshSeed()), decks = [Array.from({ length: USUAL }, (_, card) => card)];
  while (decks.length < 3) decks.push(riffledOnce(decks[decks.length - 1], draws));
  const canvases = decks.map(() => element("canvas", "", "deck paper"));
  $("three").replaceChildren(...canvases);
  // The top card comes first there, and the bottom card here.
  keepDrawn(() => canvases.forEach((canvas, i) => drawLine(canvas, decks[i].map((card) => USUAL - 1 - card).reverse())));
}

function ask() {
  $("reveal").textContent = "";
  openPrediction(GUESSES.map((lines) => [lines, lines]), RIGHT, () => { $("reveal").textContent = t("reveal"); });
}

// The riffles of the class.

function showClass() {
  const { cards, times } = shown, { decks, faults } = decksOf($("decks").value, cards), rising = decks.map(risingSequences);
  complain("error", ["decks"], told(faults));
  rememberClass();
  $("how").textContent = t(cards > USUAL ? "howSuits" : "how", { cards });
  $("legendRiffles").textContent = t("legendRiffles", { n: times });
  const law = risingLaw(cards, times), fair = fairRisingLaw(cards), counts = law.map((_, i) => rising.filter((r) => r === i + 1).length);
  $("histogram").parentElement.classList.toggle("empty", !rising.length);
  showHistogram(counts, law, fair, Math.max(1, rising.length));
  if (!rising.length) return void ($("average").textContent = $("worth").textContent = "");
  const average = rising.reduce((sum, r) => sum + r) / rising.length;
  $("average").textContent = t("average", { n: rising.length, average: onePlace(average), expected: onePlace(mean(law)), fair: onePlace(mean(fair)) });
  $("worth").textContent = worthSaid(worthOf(cards, rising));
  const beyond = rising.filter((r) => r > 2 ** times).length;
  if (beyond) $("average").textContent += ` ${t("beyond", { n: beyond, most: 2 ** times })}`;
}

/** @type {(found: ReturnType<typeof worthOf>) => string} */
function worthSaid({ worth, span }) {
  if (!span) return t("worthAbout", { worth: onePlace(worth) });
  const [low, high] = span, values = { worth: onePlace(worth), low: outwards(low, false), high: outwards(high, true) };
  return t(worth === MOST_WORTH ? "worthFair" : high === MOST_WORTH ? "worthOpen" : "worth", values);
}

/** @type {(faults: import("./decks.js").Fault[]) => string} */
function told(faults) {
  const lines = faults.slice(0, SHOWN_FAULTS).map(({ key, values }) => t(key, values));
  return [...lines, ...(faults.length > SHOWN_FAULTS ? [t("moreFaults", { n: faults.length - SHOWN_FAULTS })] : [])].join("\n");
}

/** @type {(counts: number[], law: number[], fair: number[], decks: number) => void} */
function showHistogram(counts, law, fair, decks) {
  const last = counts.reduce((most, count, i) => (count || law[i] > SMALL || fair[i] > SMALL ? i : most), 0);
  const wide = last < NUMBERED, tall = Math.max(...counts, ...[...law, ...fair].map((chance) => chance * decks)) * 1.08;
  $("histogram").replaceChildren(...counts.slice(0, last + 1).map((count, i) => {
    const bar = element("i", wide && count ? count : "");
    bar.style.height = `${(100 * count) / tall}%`;
    const lines = [element("b"), element("u")];
    [law[i], fair[i]].forEach((chance, which) => {
      lines[which].style.bottom = `${(100 * chance * decks) / tall}%`;
      lines[which].hidden = chance < SMALL / 10;
    });
    return element("div", [element("div", [bar, ...lines], "plot"), element("span", wide || i % 5 === 4 || !i ? i + 1 : "")]);
  }));
  const seen = counts.flatMap((count, i) => (count ? [`${i + 1}: ${count}`] : [])).join(", ");
  $("histogram").setAttribute("aria-label", `${t("axis")}: ${seen || "–"}`);
}

/** @type {(text: string) => void} */
function replaceDecks(text) {
  shown.before = $("decks").value;
  $("decks").value = text;
  $("undo").hidden = !shown.before;
  showClass();
}

// Only right decks go to the list.
/** @type {(event?: Event) => void} */
function enter(event) {
  event?.preventDefault();
  const { decks, faults } = decksOf($("entry").value, shown.cards), lines = $("entry").value.trim();
  if (!decks.length && !faults.length) return void complain("error", ["entry"], t("faultEmpty"));
  if (!complain("error", ["entry"], told(faults))) return $("entry").focus();
  $("decks").value += `${$("decks").value && !$("decks").value.endsWith("\n") ? "\n" : ""}${lines}\n`;
  $("entry").value = "";
  $("undo").hidden = true;
  showClass();
  $("entry").focus();
}

function demoClass() {
  const draws = seededDraws(freshSeed()), lines = Array.from({ length: PUPILS }, () => {
    let deck = Array.from({ length: shown.cards }, (_, card) => card);
    for (let done = 0; done < shown.times; done++) deck = riffledOnce(deck, draws);
    return deck.map((card) => card + 1).join(" ");
  });
  replaceDecks(`${lines.join("\n")}\n`);
}

// The lesson.

function showPlan() {
  /** @type {(name: string) => HTMLElement} */
  const linkTo = (name) => {
    if (name === HERE) return element("a", t("tabRiffles"), "", { href: "#show=riffles" });
    return isAlone ? element("b", PAGES[language][name]) : element("a", PAGES[language][name], "", { href: `${name}.html${OPENED[name] || ""}` });
  };
  $("plan").replaceChildren(...PLAN.map(([minutes, name, ...keys]) => {
    const head = element("h2", [t("minutes", { minutes }), name && [": ", linkTo(name)]]), parts = ["toDo", "toAsk", "toSee"].map((key, i) => (
      element("div", [element("dt", t(key)), element("dd", t(keys[i], { faulty: t("sModulo") }))])
    ));
    const quick = FOR_THE_QUICK.map((other, i) => [i ? ", " : `${t("quick")} `, linkTo(other)]);
    return element("li", [head, element("dl", parts), !name && element("p", quick)]);
  }));
}

// The worksheets.

/** @type {(cards: number[]) => string} */
const named = (cards) => cards.map((card) => card + 1).join(" ");

/** @type {(sheet: number) => HTMLElement} */
function paper(sheet) {
  const tasks = tasksOf(shown.seed, sheet), gap = () => element("p", "", "gap");
  const table = element("table", [rowOf(t("drawn"), tasks.paths.map(named)), rowOf(t("order"), tasks.paths.map(() => ""))]), list = element("ol", [
    element("li", [element("p", t("taskOrders", { cards: tasks.three.join(", ") })), gap(), gap()]),
    // Large letters make the table scroll: then keys must reach it.
    element("li", [element("p", t("taskPaths")), table, element("p", t("taskWhy")), gap()], "", { tabindex: 0 }),
    element("li", [element("p", t("taskRising")), element("p", named(tasks.deck), "big"), element("p", t("taskRiffles")), gap()]),
    element("li", [element("p", t("taskChance", { cards: tasks.cards })), gap()]),
  ]);
  return element("article", [element("h2", t("sheet", { sheet: `${shown.seed}-${sheet}` })), element("p", t("pupil"), "pupil"), list], "sheet");
}

/** @type {(name: string, cells: any[]) => HTMLElement} */
const rowOf = (name, cells) => element("tr", [element("th", name, "", { scope: "row" }), ...cells.map((text) => element("td", text))]);

function keyPaper() {
  const heads = ["keySheet", "keyOrders", "keyPaths", "keyRising", "keyRiffles", "keyChance"].map((key) => element("th", t(key), "", { scope: "col" }));
  const rows = Array.from({ length: shown.sheets }, (_, i) => {
    const { orders, ends, rising, riffles, cards } = tasksOf(shown.seed, i + 1);
    return rowOf(`${shown.seed}-${i + 1}`, [orders.map((order) => order.join("")).join(" "), ends.map((end) => named(end).replace(/ /g, "")).join(" "), rising, riffles, `1/${cards}`]);
  });
  const table = element("table", [element("thead", [element("tr", heads)]), element("tbody", rows)]);
  const scroll = element("div", [table], "scroll", { tabindex: 0, role: "region", "aria-label": t("key") });
  return element("article", [element("h2", t("key")), scroll, ...["keyAll", "keyWhy", "keyMean"].map((key) => element("p", t(key)))], "sheet key");
}

const showSheets = () => { $("papers").replaceChildren(...Array.from({ length: shown.sheets }, (_, i) => paper(i + 1)), keyPaper()); };

// All of it.

function keep() {
  keepSettings({ show: chosen("show"), cards: shown.cards, riffles: shown.times, sheets: shown.sheets, seed: shown.seed });
  rememberClass();
}

function showAndKeep() {
  showClass();
  keep();
}

// A lesson leads to other pages and back.
const rememberClass = () => { remember(CLASS, { decks: $("decks").value, address: location.hash }, "sessionStorage"); };

function showTab() {
  for (const tab of TABS) $(tab).hidden = tab !== chosen("show");
  keep();
}

function readLink() {
  const given = settingsGiven(), show = given.get("show") || "";
  $("tabs").querySelectorAll("input").forEach((/** @type {HTMLInputElement} */ input) => { input.checked = input.value === (TABS.includes(show) ? show : TABS[0]); });
  shown.cards = numberGiven(given, "cards", FEWEST, MOST, shown.cards);
  shown.times = numberGiven(given, "riffles", 1, RIFFLES, shown.times);
  shown.sheets = numberGiven(given, "sheets", 1, MOST_SHEETS, shown.sheets);
  shown.seed = numberGiven(given, "seed", 1, MOST_SEED, shown.seed);
  for (const [id, value] of Object.entries({ cards: shown.cards, times: shown.times, many: shown.sheets })) $(id).value = value;
  showTab();
  showClass();
  showSheets();
}

openFrame();
$("votes").checked = recall(VOTES, "sessionStorage") === true;
$("votes").addEventListener("change", () => { remember(VOTES, $("votes").checked, "sessionStorage"); ask(); });
showPlan();
$("times").append(...Array.from({ length: RIFFLES }, (_, i) => option(String(i + 1), String(i + 1))));
$("tabs").addEventListener("change", showTab);
$("cards").addEventListener("change", () => {
  if (!complain("error", ["cards"], faultOf("cards", FEWEST, MOST))) return;
  shown.cards = wholeNumber("cards", FEWEST, MOST);
  showAndKeep();
});
$("times").addEventListener("change", () => { shown.times = Number($("times").value); showAndKeep(); });
$("enter").addEventListener("submit", enter);
$("entry").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => { if (event.key === "Enter" && !event.shiftKey && !event.isComposing) enter(event); });
$("decks").addEventListener("input", () => { $("copy").textContent = t("copy"); showClass(); });
$("demo").addEventListener("click", demoClass);
$("copy").addEventListener("click", () => copyFrom($("decks"), $("copy")));
$("clear").addEventListener("click", () => replaceDecks(""));
$("undo").addEventListener("click", () => { replaceDecks(shown.before); $("undo").hidden = true; $("entry").focus(); });
$("many").addEventListener("change", () => {
  if (!complain("sheetError", ["many"], faultOf("many", 1, MOST_SHEETS))) return;
  shown.sheets = wholeNumber("many", 1, MOST_SHEETS);
  showSheets();
  keep();
});
$("others").addEventListener("click", () => {
  shown.seed = 1 + (freshSeed() % MOST_SEED);
  showSheets();
  keep();
});
$("print").addEventListener("click", () => print());
showThree();
ask();
const { decks = "", address = "" } = recall(CLASS, "sessionStorage") || {};
$("decks").value = decks;
if (!location.hash && address) history.replaceState(null, "", address);
// The link of the lesson leaves the screen with it: the tab takes the focus.
addEventListener("hashchange", () => { readLink(); one("input[name=show]:checked").focus(); scrollTo(0, 0); });
readLink();
