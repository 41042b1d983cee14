// The page put together.

const SCREENS = { setup: showSetup, deal: show, how: openFilm, example: openExample, proof: openProof };
const LESSON = /^(how|example|proof)$/;

function begin(fresh) {
  for (const old of [deal, recalled]) if (old) erase(old);
  remember(DONE, null, "sessionStorage");
  const first = { begun: Date.now(), spent: 0, ...fresh };
  own({ ...first, taken: takeAnew(first) });
  leaveFragment();
  // Still part of the tap, but a slow phone shows the first step before it sees to its sound.
  requestAnimationFrame(() => setTimeout(unlockSound));
}

// A code tells the order: it leaves the address at once, though not the browser's history.
function readFragment() {
  const fragment = location.hash.slice(1);
  if (fragment.startsWith(`${CODE}.`)) leaveFragment();
  return fragment;
}

function leaveFragment() {
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
}

function showSetup() {
  $("underway").hidden = !recalled;
  if (recalled) {
    const step = stepAt(recalled, recalled.at), list = recalled.lists[step.number];
    const count = t("cardOf", { card: step.kind === "card" ? step.index + 1 : step.kind === "open" ? 0 : list.length, cards: list.length });
    $("underway-text").textContent = t("underway", { pass: step.number + 1, count });
  }
  showAdvice();
}

// Asks before a deal is lost: "stay", "stop" or "forget".
function ask(what, forget) {
  if (deal) pauseTempo();
  $("sure-title").textContent = t(`${what}Title`);
  $("sure-text").textContent = `${what === "anew" || deal.kept ? t(`${what}Text`) : ""} ${t("partly")}`;
  $("stop").hidden = what === "anew" || !deal.kept;
  // Or the answer to an earlier question would count again.
  $("sure").returnValue = "";
  $("sure").onclose = () => {
    const answer = $("sure").returnValue;
    if (answer === "forget") forget();
    else if (answer === "stop") stopForNow();
    else if (answer === "stay" && !deal) goOn();
  };
  openDialog("sure");
}

function finish() {
  if (!isDone()) forgetDeal(deal);
  remember(DONE, null, "sessionStorage");
  leaveDeal();
}

function stopForNow() {
  if (deal?.kept) rememberStep(deal, true);
  if (deal) leaveDeal();
}

function leaveDeal() {
  deal = null;
  awake?.release();
  clearCodes();
  stopTempo();
  hush();
  sound.keys?.pause();
  turnTo("setup");
}

function goOn() {
  unlockSound();
  if (recalled) resume(recalled);
  else showSetup();
}

function openPage(fragment = readFragment()) {
  if (deal) pauseTempo();
  if (LESSON.test(fragment)) return turnTo(fragment);
  if (fragment.startsWith(`${CODE}.`)) return openLink(fragment);
  if (deal) turnTo("deal");
  else if (recalled && !recalled.stopped) return resume(recalled);
  else turnTo("setup");
}

// Nothing is shown before it is known what was kept, unless the browser takes too long to say.
async function openFirst(fragment = readFragment()) {
  if (startsFailed < 2) await inTime(lookAgain());
  deal = recall(DONE, "sessionStorage");
  await openPage(fragment);
  // No tap brought this screen up.
  turned = -1;
  remember(STARTS, 0);
}

function openLink(fragment) {
  const found = readCode(fragment);
  if (!deal) turnTo("setup");
  if (found) takeUp({ ...found, linked: true });
  else openEnter(fragment);
}

function chooseLanguage(wish) {
  translate(languageFor(wish));
  $("language").value = language;
  $("version").textContent = t("version", BUILD);
  drawPresets();
  drawDecks();
  tellDecks("");
}

// How many starts in a row never came to their end, frozen or at fault, and when the last one began: after one the page
// leaves the settings out, after two the deal under way as well. One just begun may be another tab's, or was reloaded.
const STARTS = "fairdeck-starts", YOUNG_MS = 10000;
const [failed = 0, began = 0] = [].concat(recall(STARTS) || []), young = Date.now() - began < YOUNG_MS;
const startsFailed = young ? 0 : failed;
if (!young) remember(STARTS, [failed + 1, Date.now()]);
const kept = startsFailed ? null : recall(SETTINGS);
listen({
  leave: () => ask("leave", finish), "take-over": () => takeOver(deal), "options-setup": openOptions, "go-on": goOn, save: saveDeck, remove: removeDeck,
  export: exportDecks, "open-code": () => { $("options").close(); openCode(); }, "code-copy": copyCode,
  "deal-anew": () => { $("wrong-dialog").close(); ask("anew", () => deals(deal.task)); }, "enter-code": () => openEnter(), "enter-go": enterCode,
  "film-play": playFilm, "film-back": () => moveFilm(-1), "film-on": () => moveFilm(1), "example-new": newExample,
  "example-on": () => stepExample(1), "example-back": () => stepExample(-1), "example-clear": clearExample, "proof-run": runProof,
}, { "deck-name": "save", "enter-text": "enter-go" });
chooseLanguage(kept?.language);
applySettings(kept);
optionsChanged();
$("form").addEventListener("input", (event) => { if (event.target !== $("deck")) matchDeck(), showAdvice(); });
$("form").addEventListener("submit", start);
$("deck").addEventListener("change", chooseDeck);
$("import").addEventListener("change", importDecks);
$("language").addEventListener("change", () => { chooseLanguage($("language").value); rememberSettings(); showSetup(); });
$("example-cards").addEventListener("change", newExample);
$("example-mat").addEventListener("change", newExample);
addEventListener("hashchange", () => openPage());
openFirst();
$("plain-http").hidden = isSecureContext;
canKeep().then((can) => { $("keeps-nothing").hidden = can; });
// Only a page of a site can be installed, and then opens with no network.
if (document.querySelector("link[rel=manifest]")) navigator.serviceWorker?.register("worker.js").catch(() => {});
