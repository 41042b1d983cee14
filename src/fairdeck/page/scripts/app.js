// The whole page, put together.

import { BUILD } from "./built.js";
import { readFragment } from "./address.js";
import { ask, finish, goOn } from "./beginning.js";
import { CODE } from "./code.js";
import { readCode } from "./code_reader.js";
import { deal, host, setDeal } from "./current.js";
import { copyFrom } from "./copying.js";
import { chooseDeck, drawDecks, listGiven, matchDeck, removeDeck, saveDeck, takeList, tellDecks } from "./decks.js";
import { sendSentence } from "./done.js";
import { $, one } from "./elements.js";
import { enterCode, openCode, openEnter, takeUp } from "./handover.js";
import { endDeal, ending, lookAgain, passOver, recalled, recallEnd, rememberStep, slotNow } from "./kept.js";
import { isOffered, showHint, startLesson } from "./lesson.js";
import { listed, recall, remember, SETTINGS } from "./memory.js";
import { turnTo } from "./navigation.js";
import { listen, openOptions, optionsChanged } from "./play.js";
import { rehearse } from "./rehearsal.js";
import { show } from "./screen.js";
import { applySettings, cost, dealAgain, dealTask, drawPresets, FIELDS, learnFrom, openChange, rememberSettings, showAdvice, startDeal } from "./setup.js";
import { openRibbon } from "./ribbon.js";
import { openShell } from "./shell.js";
import { canKeep, inTime } from "./slots.js";
import { stepAt } from "./stages.js";
import { resume, takeOver } from "./tabs.js";
import { changed } from "./taps.js";
import { pauseTempo } from "./tempo.js";
import { languageFor, pieces, t, translate } from "./texts.js";

Object.assign(host, {
  screens: { setup: showSetup, deal: show, how: () => {} },
  fields: FIELDS, slotNow, lookAgain, rememberStep, ending, finish, openPage, rememberSettings, hint: showHint, cost,
  endDeal: (/** @type {OpenDeal} */ over) => { learnFrom(over); return endDeal(over); },
});

function showSetup() {
  $("try").hidden = !isOffered();
  $("underway").hidden = !recalled;
  if (recalled) {
    const step = stepAt(recalled, recalled.at), list = recalled.lists[step.number];
    const count = t("cardOf", { card: step.kind === "card" ? step.index + 1 : step.kind === "open" ? 0 : list.length, cards: list.length });
    $("underway-text").textContent = pieces([t("passOf", { number: step.number + 1, passes: recalled.plan.passes.length }), count]);
  }
  showAdvice();
}

/** @type {(fragment?: string) => any} */
function openPage(fragment = readFragment()) {
  if (deal) pauseTempo();
  if (fragment === "how") return turnTo(fragment);
  if (fragment.startsWith(`${CODE}.`)) return openLink(fragment);
  if (deal) turnTo("deal");
  else if (recalled && !recalled.stopped) return resume(recalled);
  else turnTo("setup");
}

// Shows nothing before it knows what was kept, unless that takes too long.
/** @type {(fragment?: string) => Promise<void>} */
async function openFirst(fragment = readFragment()) {
  await inTime(startsFailed < 2 ? lookAgain() : passOver());
  setDeal(await inTime(recallEnd()));
  await openPage(fragment);
  // No tap opened this screen.
  changed(-1);
  remember(STARTS, 0);
  (window.requestIdleCallback || setTimeout)(rehearse);
}

/** @type {(fragment: string) => void} */
function openLink(fragment) {
  const found = readCode(fragment);
  turnTo(deal ? "deal" : "setup");
  if (found) takeUp({ ...found, linked: true });
  else openEnter(fragment);
}

/** @type {(wish?: string, last?: string) => void} */
function chooseLanguage(wish, last = undefined) {
  translate(languageFor(wish));
  $("version").textContent = t("version", BUILD);
  drawPresets();
  drawDecks(last);
  tellDecks("");
}

function showChange() {
  openChange();
  if ($("change").hidden) return;
  $("change").focus({ preventScroll: true });
  $("change").scrollIntoView();
}

// Where a browser offers to install the page, a link does so; Safari on a phone has a menu for it.
function offerInstalling() {
  /** @type {any} */
  let offered;
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offered = event;
    $("install").hidden = false;
  });
  addEventListener("appinstalled", () => { $("install").hidden = true; });
  $("install").onclick = () => offered.prompt();
  $("install-by-hand").hidden = /** @type {any} */ (navigator).standalone !== false;
}

/** @type {(event: Event) => any} */
function edited(event) {
  /** @type {any} */
  const { id, name } = event.target;
  const choosing = id === "deck" || name === "game", anew = choosing || id === "cards";
  if (id === "list") return takeList();
  if (id === "cards" || id === "deck") $("list").value = "";
  (choosing ? chooseDeck : matchDeck)();
  if (anew) listGiven();
  showAdvice();
}

// Starts in a row that failed, and when the last began: one costs the settings, two the deal too. A young one does not
// count: another tab's, or a reload.
const STARTS = "fairdeck-starts", YOUNG_MS = 10000;
/** @type {any[]} */
const [failed = 0, began = 0] = listed(recall(STARTS)), young = Date.now() - began < YOUNG_MS;
const startsFailed = young ? 0 : failed;
if (!young) remember(STARTS, [failed + 1, Date.now()]);
const keptSettings = startsFailed ? null : recall(SETTINGS), USUAL = "deckTrading/60";
listen({
  leave: () => { $("options").close(); ask("leave", finish); }, again: dealAgain, send: sendSentence, "take-over": () => takeOver(deal), "options-setup": openOptions, "go-on": goOn, save: saveDeck, remove: removeDeck,
  "open-code": () => { $("options").close(); openCode(); }, "code-copy": () => copyFrom($("code-text"), $("code-copy")),
  "deal-anew": () => { $("wrong-dialog").close(); ask("anew", () => dealTask(deal.task)); }, "enter-code": () => openEnter(), "enter-go": enterCode, "change-open": showChange,
}, { "deck-name": "save", "enter-text": "enter-go" });
chooseLanguage(keptSettings?.language, String(keptSettings?.deck ?? USUAL));
applySettings(keptSettings);
optionsChanged();
for (const offer of document.querySelectorAll("[data-lesson]")) offer.addEventListener("click", startLesson);
$("form").oninput = edited;
$("form").onsubmit = startDeal;
$("list-file").onchange = () => takeList($("list-file").files[0]);
for (const kind of ["paste", "drop", "dragover"]) {
  addEventListener(kind, (/** @type {any} */ event) => {
    const given = event.clipboardData || event.dataTransfer, text = given.getData("text");
    if ($("setup").hidden || event.target.closest("input, textarea")) return;
    event.preventDefault();
    if (kind !== "dragover" && (text || given.files[0])) takeList(given.files[0], text);
  });
}
// A new number takes the place of the old one.
$("form").onclick = (/** @type {any} */ { target }) => { if (target.inputMode === "numeric") target.select(); };
$("enter-dialog").onclose = () => { $("enter-text").value = ""; };
// What is sent on is the page: never a deal.
openShell(() => location.href.replace(/#.*/, ""), (wish) => { chooseLanguage(wish); rememberSettings(); showSetup(); });
$("parts").firstElementChild.setAttribute("aria-current", "page");
addEventListener("hashchange", () => openPage());
openFirst();
$("plain-http").hidden = isSecureContext;
canKeep().then((can) => { $("keeps-nothing").hidden = can; });
openRibbon();
if (one("link[rel=manifest]")) {
  navigator.serviceWorker?.register("worker.js").catch(() => {});
  offerInstalling();
}
