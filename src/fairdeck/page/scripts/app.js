// The page put together: which screen is shown, what the keys do, and what was when it opens.

const SCREENS = ["setup", "deal", "how", "example", "proof"];
const OPENERS = { how: openFilm, example: openExample, proof: openProof };

function begin(fresh) {
  stopTempo();
  hush();
  deal = { kept: false, spent: 0, foreign: false, last: clock(), ...fresh };
  if (!deal.kept) deal.kept = rememberDeal(deal);
  leaveFragment();
  turnTo("deal");
  stayAwake();
  // Still part of the tap, but a slow phone shows the first step before it sees to its sound.
  requestAnimationFrame(() => setTimeout(unlockSound));
}

// The fragment may hold a code, and so the order: it does not stay in the address.
function leaveFragment() {
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
}

function turnTo(screen) {
  stopFilm();
  if (deal) pauseTempo();
  document.querySelector("dialog[open]")?.close();
  for (const id of SCREENS) $(id).hidden = id !== screen;
  // Filled before it takes the focus, which would have it laid out once more.
  if (screen === "setup") showSetup();
  if (screen === "deal") show();
  OPENERS[screen]?.();
  $(screen).focus();
  scrollTo(0, 0);
}

function showSetup() {
  const [stopped] = recallDeal() || [];
  $("underway").hidden = !stopped;
  if (stopped) {
    const step = stepAt(stopped, stopped.at), list = stopped.lists[step.number];
    const count = t("cardOf", { card: Math.min(step.kind === "card" ? step.index + 1 : step.kind === "open" ? 0 : list.length, list.length), cards: list.length });
    $("underway-text").textContent = t("underway", { pass: step.number + 1, count });
  }
  showAdvice();
}

// Asks once before a deal is lost. What is chosen is "stay", "stop" or "forget".
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
  forgetDeal(deal);
  stopForNow();
}

function stopForNow() {
  if (!deal) return;
  if (deal.kept) rememberStep(deal, true);
  deal = null;
  awake?.release();
  for (const id of ["code-text", "enter-text"]) $(id).value = "";
  $("qr").replaceChildren();
  stopTempo();
  hush();
  sound.keys?.pause();
  turnTo("setup");
}

function goOn() {
  const [kept] = recallDeal() || [];
  unlockSound();
  if (kept) begin(kept);
  else showSetup();
}

// Opens on what the address names, else on the deal that was interrupted, else on the setup.
function openPage() {
  const fragment = location.hash.slice(1), [kept, stopped] = recallDeal() || [];
  if (deal) pauseTempo();
  if (OPENERS[fragment]) return turnTo(fragment);
  if (fragment.startsWith(`${CODE}.`)) return openLink(fragment);
  if (deal) turnTo("deal");
  else if (kept && !stopped) begin(kept);
  else {
    if (!kept) forgetDeal();
    turnTo("setup");
  }
}

function openLink(fragment) {
  const found = readCode(fragment);
  leaveFragment();
  if (!deal) turnTo("setup");
  if (found) takeUp(found);
  else openEnter(fragment);
}

// A dark screen loses the place; browsers without a wake lock go on as before, and say so.
let awake = null;
async function stayAwake() {
  try {
    awake = await navigator.wakeLock.request("screen");
  } catch {
    $("awake-hint").hidden = Boolean(navigator.wakeLock);
  }
}

const NEXT_KEYS = [" ", "Enter", "ArrowRight", "ArrowDown", "PageDown", "MediaTrackNext", "MediaPlayPause"];
const UNDO_KEYS = ["Backspace", "ArrowLeft", "ArrowUp", "PageUp", "MediaTrackPrevious"];

// Keys and headsets mean the deal only while it is what one sees.
const listening = () => deal && !$("deal").hidden && !document.querySelector("dialog[open]");

function onKey(event) {
  if (!listening() || event.altKey || event.ctrlKey || event.metaKey) return;
  const onButton = event.target instanceof HTMLButtonElement && (event.key === " " || event.key === "Enter");
  // The button itself answers.
  if (onButton) return;
  if (NEXT_KEYS.includes(event.key)) event.repeat || next();
  else if (UNDO_KEYS.includes(event.key)) undo();
  else return;
  event.preventDefault();
}

function openOptions() {
  pauseTempo();
  const pace = ownPace(), step = deal && stepAt(deal, deal.at);
  $("deal-only").hidden = !deal;
  $("pace").hidden = pace === null;
  if (pace !== null) $("pace").textContent = t("myPace", { n: twoPlaces(pace) });
  $("pace").onclick = () => { $("beat").value = pace; optionsChanged(); rememberSettings(); };
  $("go-card").closest(".field").hidden = !step || (step.kind !== "card" && step.kind !== "check");
  if (step) $("go-card").value = $("wrong-card").value = Math.min(step.index + 1, deal.lists[step.number].length);
  optionsChanged();
  openDialog("options");
}

function optionsChanged() {
  $("beat-shown").textContent = t("seconds", { n: twoPlaces(beatLength()) });
  $("beat").setAttribute("aria-valuetext", $("beat-shown").textContent);
  document.body.classList.toggle("lefty", $("lefty").checked);
  $("voice-hint").hidden = !$("voice").checked || Boolean(voices()[language]);
  $("vibrate-row").hidden = !navigator.vibrate;
  if (deal && !$("deal").hidden) show();
}

// Jumps to a card of this pass, from the field `id`.
function jump(id, dialog) {
  const { number } = stepAt(deal, deal.at), cards = deal.lists[number].length, start = startOf(deal, number);
  if (!complain(id.replace("card", "error"), [id], faultOf(id, t("cards"), 1, cards))) return $(id).focus();
  $(dialog).close();
  goTo(start + wholeNumber(id, 1, cards));
}

// A tap on Undo must not leave the keys to it.
function undoTapped() {
  undo();
  $("next").focus();
}

function drawAgain() {
  begin(dealOf(deal.task, uniformPermutation(deal.task.cards, diceFrom(systemWords()))));
}

function chooseLanguage(wish) {
  translate(languageFor(wish));
  $("language").value = language;
  $("version").textContent = t("version", BUILD);
  drawPresets();
  drawDecks();
  tellDecks("");
}

const ENTERS = { "go-card": "go-there", "wrong-card": "wrong-go", "deck-name": "save", "enter-text": "enter-go" };
const CLICKS = {
  next, undo: undoTapped, leave: () => ask("leave", finish), "options-open": openOptions, "options-setup": openOptions, "go-on": goOn, save: saveDeck, remove: removeDeck,
  export: exportDecks, differs: () => $("open-wrong").click(), "open-code": () => { $("options").close(); openCode(); }, "code-copy": copyCode,
  "open-wrong": () => { $("options").close(); $("wrong-card").value ||= 1; openDialog("wrong-dialog"); },
  "go-there": () => jump("go-card", "options"), "wrong-go": () => jump("wrong-card", "wrong-dialog"),
  "deal-anew": () => { $("wrong-dialog").close(); ask("anew", drawAgain); }, "enter-code": () => openEnter(), "enter-go": enterCode,
  "film-play": playFilm, "film-back": () => moveFilm(-1), "film-on": () => moveFilm(1), "example-new": newExample,
  "example-on": () => stepExample(1), "example-back": () => stepExample(-1), "example-clear": clearExample, "proof-run": runProof, deal: (event) => { if (!event.target.closest("button")) pauseTempo(); },
};

for (const [code, texts] of Object.entries(TEXTS)) $("language").append(Object.assign(element("option", texts.language), { value: code }));
const kept = recall(SETTINGS);
chooseLanguage(kept?.language);
applySettings(kept);
optionsChanged();
for (const [id, answer] of Object.entries(CLICKS)) $(id).addEventListener("click", answer);
$("form").addEventListener("input", (event) => { if (event.target !== $("deck")) matchDeck(), showAdvice(); });
$("form").addEventListener("submit", start);
$("deck").addEventListener("change", chooseDeck);
$("import").addEventListener("change", importDecks);
$("language").addEventListener("change", () => { chooseLanguage($("language").value); rememberSettings(); showSetup(); });
$("options").addEventListener("input", () => { optionsChanged(); unlockSound(); rememberSettings(); });
$("example-cards").addEventListener("change", newExample);
$("example-mat").addEventListener("change", newExample);
for (const [field, go] of Object.entries(ENTERS)) {
  $(field).addEventListener("keydown", (event) => { if (event.key === "Enter") event.preventDefault(), event.stopPropagation(), $(go).click(); });
}
// After a dialog the keys, and a pedal, mean the deal again.
for (const dialog of document.querySelectorAll("dialog")) dialog.addEventListener("close", () => { if (deal) $("next").focus(); });
document.addEventListener("keydown", onKey);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) pauseTempo();
  else if (deal) stayAwake();
});
addEventListener("hashchange", openPage);
// Another tab forgot the deal; here it goes on.
addEventListener("storage", (event) => { if (deal && event.key === DEAL && !recall(DEAL) && !isDone()) deal.kept = rememberDeal(deal); });
addEventListener("beforeunload", (event) => { if (deal && !deal.kept && !isDone()) event.preventDefault(); });
openPage();
// Only a page of a site can be installed, and then opens with no network.
if (document.querySelector("link[rel=manifest]")) navigator.serviceWorker?.register("worker.js").catch(() => {});
