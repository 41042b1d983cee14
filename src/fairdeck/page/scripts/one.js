// The page of one deal. Its order was drawn where the file was made and stays in the file. The device keeps only how far
// each dealer is, in a slot for each, under the file's own name, also after the end: a deal that is done stays done.

import { BUILD, LANGUAGES } from "./built.js";
import { readCode } from "./code_reader.js";
import { deal, host, setDeal } from "./current.js";
import { dealOf } from "./dealing.js";
import { openDialog } from "./dialogs.js";
import { $, button, option } from "./elements.js";
import { isCount, recall, remember, SETTINGS } from "./memory.js";
import { turnTo } from "./navigation.js";
import { applyShown, listen, optionsChanged, settingsShown } from "./play.js";
import { show } from "./screen.js";
import { inTime, readSlot, takeSlot } from "./slots.js";
import { follow, ownDeal, resume, saveStep, takeOver } from "./tabs.js";
import { pauseTempo } from "./tempo.js";
import { language, languageFor, t, translate, WORDS } from "./texts.js";

const FILE = JSON.parse($("one").textContent);
/** @type {any} */
const CODED = readCode(FILE.code);
const rememberSettings = () => remember(SETTINGS, { ...recall(SETTINGS), ...settingsShown() });
let seat = 0;
const slotNow = () => `${FILE.name}-${seat + 1}`;
/** @type {(deal: any) => KeptStep} */
const stepOf = ({ at, spent }) => ({ at, spent });
/** @type {(mine: OpenDeal) => Promise<void>} */
const rememberStep = (mine) => saveStep(mine, stepOf(mine));
/** @type {(mine: OpenDeal) => any} */
const endDeal = (mine) => mine.owned && rememberStep(mine);

// After the end comes nothing.
Object.assign(host, {
  screens: { who: showDealers, deal: show },
  fields: { texts: [], checks: ["voice", "click", "vibrate", "lefty", "turned"], choices: ["view"] },
  slotNow, lookAgain, rememberStep, endDeal, ending: () => t("wiped"), given: FILE.given, finish: () => {}, openPage, rememberSettings,
});

// What starts the deal while the device has not yet said how far it is. Such a deal is not kept.
/** @type {(() => void) | null} */
let startNow = null;

/** @type {(dealer: number) => Promise<void>} */
async function begin(dealer) {
  seat = dealer;
  const asked = readSlot(slotNow()), first = { ...dealOf(CODED.task, CODED.order, dealer), foreign: true, spent: 0 };
  const waits = () => seat === dealer && !deal, unkept = { ...first, taken: Promise.resolve(null) };
  if (!(await inTime(asked.then(() => true))) && waits()) {
    startNow = () => ownDeal(unkept);
    turnTo("who");
  }
  const slot = await asked;
  if (!waits()) return;
  startNow = null;
  if (slot?.step) resume({ ...first, ...slot.step, taker: slot.taker });
  else ownDeal(slot ? { ...first, taken: takeSlot(slotNow(), undefined, stepOf(first)) } : unkept);
}

/** @type {(ownerLives?: boolean) => Promise<void>} */
async function lookAgain(ownerLives = false) {
  await deal?.taken;
  const slot = deal && (await readSlot(slotNow()));
  if (!slot?.step || !deal || (deal.owned && (!deal.kept || deal.taker === slot.taker))) return;
  const found = { ...deal, ...slot.step, taker: slot.taker, owned: false };
  if (ownerLives) follow(found);
  else resume(found);
}

// The address names the dealer; without it the page asks.
function openPage() {
  const dealer = CODED?.task.dealers > 1 ? Number(location.hash.slice(1)) - 1 : 0;
  if (deal) pauseTempo();
  if (deal?.dealer === dealer) return turnTo("deal");
  setDeal(null);
  // Its buttons need a deal.
  $("deal").hidden = true;
  startNow = null;
  if (CODED && isCount(dealer) && dealer < CODED.task.dealers) return begin(dealer);
  seat = -1;
  turnTo("who");
}

function showDealers() {
  $("who-title").textContent = t(startNow ? "looking" : CODED ? "whichDealer" : "damaged");
  $("dealers").replaceChildren(...(startNow ? [button(t("startNow"), startNow)] : Array.from({ length: CODED?.task.dealers || 0 }, (_, dealer) => button(t("dealer", { n: dealer + 1 }), () => {
    location.hash = `${dealer + 1}`;
  }, "primary"))));
  for (const id of ["who-text", "who-secret"]) $(id).hidden = !CODED || startNow !== null;
}

function backToStart() {
  Object.assign(deal, { at: 0, spent: 0 });
  rememberStep(deal);
  if (deal.task.dealers === 1) openPage();
  else location.hash = "";
}

/** @type {(wish?: string) => void} */
function chooseLanguage(wish) {
  translate(languageFor(wish));
  $("language").value = language;
  $("version").textContent = t("version", BUILD);
}

listen({ "take-over": () => takeOver(deal), leave: () => { $("options").close(); $("sure").returnValue = ""; openDialog("sure"); } });
$("sure").onclose = () => { if ($("sure").returnValue === "forget") backToStart(); };
$("language").append(...LANGUAGES.map((value, i) => option(value, WORDS["language"][i])));
const keptSettings = recall(SETTINGS);
chooseLanguage(keptSettings?.language);
applyShown(keptSettings || {});
$("language").onchange = () => { chooseLanguage($("language").value); optionsChanged(); rememberSettings(); };
addEventListener("hashchange", openPage);
optionsChanged();
openPage();
