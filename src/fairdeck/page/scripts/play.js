// What a deal needs around it. The page says in SCREENS which screens it has, and what fills each.

// When a screen or dialog last came or went: a second tap must not answer what the first brought up.
let turned = -1;
const BOUNCE = 0.4;
const changed = () => { turned = clock(); };

function turnTo(screen) {
  changed();
  if (deal) pauseTempo();
  document.querySelector("dialog[open]")?.close();
  for (const id in SCREENS) $(id).hidden = id !== screen;
  // Filled before it takes the focus, which would have it laid out once more.
  SCREENS[screen]();
  $(screen).focus();
  scrollTo(0, 0);
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
  // A key held down means one step, on a button too.
  if (event.repeat && [...NEXT_KEYS, ...UNDO_KEYS].includes(event.key)) return event.preventDefault();
  const onButton = event.target instanceof HTMLButtonElement && (event.key === " " || event.key === "Enter");
  // The button itself answers.
  if (onButton) return;
  if (NEXT_KEYS.includes(event.key)) next();
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

// `enters` are fields whose Enter is a button's tap.
function listen(clicks, enters = {}) {
  const taps = {
    next, undo: undoTapped, "options-open": openOptions, differs: () => $("open-wrong").click(),
    "open-wrong": () => { $("options").close(); $("wrong-card").value ||= 1; openDialog("wrong-dialog"); },
    "go-there": () => jump("go-card", "options"), "wrong-go": () => jump("wrong-card", "wrong-dialog"),
    deal: (event) => { if (!event.target.closest("button")) pauseTempo(); }, ...clicks,
  };
  LANGUAGES.forEach((value, i) => $("language").append(Object.assign(element("option", WORDS.language[i]), { value })));
  for (const id in taps) $(id).addEventListener("click", taps[id]);
  for (const [field, go] of Object.entries({ "go-card": "go-there", "wrong-card": "wrong-go", ...enters })) {
    $(field).addEventListener("keydown", (event) => { if (event.key === "Enter") event.preventDefault(), event.stopPropagation(), $(go).click(); });
  }
  $("options").addEventListener("input", () => { optionsChanged(); unlockSound(); rememberSettings(); });
  // After a dialog the keys, and a pedal, mean the deal again.
  for (const dialog of document.querySelectorAll("dialog")) dialog.addEventListener("close", () => { changed(); if (deal) $("next").focus(); });
  document.addEventListener("click", (event) => { if (clock() - turned < BOUNCE) event.preventDefault(), event.stopPropagation(); }, true);
  document.addEventListener("keydown", onKey);
  new ResizeObserver(() => deal && drawArrow()).observe($("mat"));
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) pauseTempo();
    else if (deal) stayAwake();
    if (!document.hidden) lookAgain();
  });
  addEventListener("beforeunload", (event) => { if (deal && !deal.kept && !isDone()) event.preventDefault(); });
}
