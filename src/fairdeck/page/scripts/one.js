// One deal and no other. Its order was drawn where the file was made and stays in the file; only how
// far each dealer is goes into the device's memory, under the file's own name, and stays there, so
// that a deal done is not taken for one to be dealt.

const FILE = JSON.parse($("one").textContent), CODED = readCode(FILE.code);
const SCREENS = { who: showDealers, deal: show };
const TEXTS_KEPT = [], CHECKS_KEPT = ["voice", "click", "vibrate", "lefty", "turned"], CHOICES_KEPT = ["view"];

const rememberSettings = () => remember(SETTINGS, { ...recall(SETTINGS), ...settingsShown() });
const keyOf = (dealer) => `fairdeck-file-${FILE.name}-${dealer + 1}`;
const rememberStep = ({ dealer, at, spent }) => remember(keyOf(dealer), [at, spent]);
const forgetDeal = rememberStep;
// After the end comes nothing.
const finish = () => {};

function begin(dealer) {
  const [at, spent] = [].concat(recall(keyOf(dealer)));
  deal = { ...dealOf(CODED.task, CODED.order, dealer, isCount(at) ? at : 0), spent: Number(spent) || 0, foreign: true, last: clock(), kept: true };
  turnTo("deal");
  stayAwake();
}

// The part of the dealer in the address; of several the page asks which one.
function openPage() {
  const dealer = CODED?.task.dealers > 1 ? Number(location.hash.slice(1)) - 1 : 0;
  if (deal) pauseTempo();
  if (deal?.dealer === dealer) return turnTo("deal");
  if (CODED && isCount(dealer) && dealer < CODED.task.dealers) return begin(dealer);
  deal = null;
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

listen({ leave: () => { pauseTempo(); $("sure").returnValue = ""; openDialog("sure"); } });
$("sure").addEventListener("close", () => { if ($("sure").returnValue === "forget") backToStart(); });
const kept = recall(SETTINGS);
chooseLanguage(kept?.language);
applyShown(kept || {});
$("language").addEventListener("change", () => { chooseLanguage($("language").value); optionsChanged(); rememberSettings(); });
addEventListener("hashchange", openPage);
optionsChanged();
openPage();
