// One deal and no other. Its order was drawn where the file was made and stays in the file; only how
// far each dealer is goes into the device's memory, under the file's own name, and stays there, so
// that a deal done is not taken for one to be dealt. Each dealer's part is a slot of its own.

const FILE = JSON.parse($("one").textContent), CODED = readCode(FILE.code);
const SCREENS = { who: showDealers, deal: show };
const TEXTS_KEPT = [], CHECKS_KEPT = ["voice", "click", "vibrate", "lefty", "turned"], CHOICES_KEPT = ["view"];

const rememberSettings = () => remember(SETTINGS, { ...recall(SETTINGS), ...settingsShown() });
let seat = 0;
const slotNow = () => `${FILE.name}-${seat + 1}`;
const stepOf = ({ at, spent }) => ({ at, spent });
const rememberStep = (mine) => saveStep(mine, stepOf(mine));
const endDeal = (mine) => mine.owned && rememberStep(mine);
// After the end comes nothing.
const finish = () => {};

async function begin(dealer) {
  seat = dealer;
  const slot = await inTime(readSlot(slotNow()));
  if (seat !== dealer) return;
  const found = { ...dealOf(CODED.task, CODED.order, dealer), foreign: true, spent: 0, ...slot?.step };
  if (slot?.step) resume(found);
  else own({ ...found, taken: slot ? takeSlot(slotNow(), stepOf(found)) : Promise.resolve(null) });
}

async function lookAgain(ownerLives = false) {
  await deal?.taken;
  const slot = deal && (await readSlot(slotNow()));
  if (!slot?.step || !deal || (deal.owned && (!deal.kept || deal.taker === slot.taker))) return;
  const found = { ...deal, ...slot.step, owned: false };
  if (ownerLives) follow(found);
  else resume(found);
}

// The part of the dealer in the address; of several the page asks which one.
function openPage() {
  const dealer = CODED?.task.dealers > 1 ? Number(location.hash.slice(1)) - 1 : 0;
  if (deal) pauseTempo();
  if (deal?.dealer === dealer) return turnTo("deal");
  deal = null;
  if (CODED && isCount(dealer) && dealer < CODED.task.dealers) return begin(dealer);
  seat = -1;
  turnTo("who");
}

function showDealers() {
  $("who-title").textContent = t(CODED ? "whichDealer" : "damaged");
  $("dealers").replaceChildren(...Array.from({ length: CODED?.task.dealers || 0 }, (_, dealer) => button(t("dealer", { n: dealer + 1 }), () => {
    location.hash = dealer + 1;
  }, "primary")));
  for (const id of ["who-text", "who-secret"]) $(id).hidden = !CODED;
}

function backToStart() {
  Object.assign(deal, { at: 0, spent: 0 });
  rememberStep(deal);
  if (deal.task.dealers === 1) openPage();
  else location.hash = "";
}

function chooseLanguage(wish) {
  translate(languageFor(wish));
  $("language").value = language;
  $("version").textContent = t("version", BUILD);
}

listen({ "take-over": () => takeOver(deal), leave: () => { pauseTempo(); $("sure").returnValue = ""; openDialog("sure"); } });
$("sure").addEventListener("close", () => { if ($("sure").returnValue === "forget") backToStart(); });
const kept = recall(SETTINGS);
chooseLanguage(kept?.language);
applyShown(kept || {});
$("language").addEventListener("change", () => { chooseLanguage($("language").value); optionsChanged(); rememberSettings(); });
addEventListener("hashchange", openPage);
optionsChanged();
openPage();
