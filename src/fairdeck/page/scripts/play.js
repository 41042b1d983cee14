// Keys, taps and the options of a deal.

import { beatLength } from "./beat.js";
import { labelTapped, next, stopTapped, undo, undoTapped } from "./controls.js";
import { deal, host, isDone, view } from "./current.js";
import { openDialog } from "./dialogs.js";
import { $, chosen, one } from "./elements.js";
import { goToCard, openMending, showSlips, showWay } from "./mending.js";
import { stayAwake } from "./navigation.js";
import { ownPace } from "./pace.js";
import { drawRoute } from "./route.js";
import { show } from "./screen.js";
import { unlockSound, voices } from "./sound.js";
import { stepAt } from "./stages.js";
import { BOUNCE, changed, clock, lastChange } from "./taps.js";
import { pauseTempo } from "./tempo.js";
import { language, t, twoPlaces } from "./texts.js";

const NEXT_KEYS = [" ", "Enter", "ArrowRight", "ArrowDown", "PageDown"];
const UNDO_KEYS = ["Backspace", "ArrowLeft", "ArrowUp", "PageUp"];

const listening = () => deal && !$("deal").hidden && !one("dialog[open]");

/** @type {(event: KeyboardEvent) => void} */
function onKey(event) {
  if (!listening() || event.altKey || event.ctrlKey || event.metaKey) return;
  // A key held down means one step, also on a button.
  if (event.repeat && [...NEXT_KEYS, ...UNDO_KEYS].includes(event.key)) return event.preventDefault();
  const onButton = event.target instanceof HTMLButtonElement && (event.key === " " || event.key === "Enter");
  if (onButton) return;
  if (NEXT_KEYS.includes(event.key)) next();
  else if (UNDO_KEYS.includes(event.key)) undo();
  else return;
  event.preventDefault();
}

export function openOptions() {
  pauseTempo();
  const pace = ownPace();
  $("deal-only").hidden = !deal;
  $("pace").hidden = pace === null;
  if (pace !== null) $("pace").textContent = t("myPace", { n: twoPlaces(pace) });
  $("pace").onclick = () => { $("beat").value = pace; optionsChanged(); host.rememberSettings(); };
  optionsChanged();
  openDialog("options");
}

export function optionsChanged() {
  $("beat-shown").textContent = t("seconds", { n: twoPlaces(beatLength()) });
  $("beat").setAttribute("aria-valuetext", $("beat-shown").textContent);
  document.body.classList.toggle("lefty", $("lefty").checked);
  $("voice-hint").hidden = !$("voice").checked || Boolean(voices()[language]);
  $("vibrate-row").hidden = !navigator.vibrate;
  if (deal && !$("deal").hidden) show();
}

// In a field, Enter taps the button beside it.
/** @type {(id: string) => (event: KeyboardEvent) => void} */
const tapOn = (id) => (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  event.stopPropagation();
  $(id).click();
};

function tappedAnywhere() {
  pauseTempo();
  if (view() === "compass" && stepAt(deal, deal.at).kind === "card") next();
}

// `enters` says which button Enter in a field taps.
/** @type {(clicks: Record<string, (event: any) => any>, enters?: Record<string, string>) => void} */
export function listen(clicks, enters = {}) {
  /** @type {Record<string, (event: any) => any>} */
  const taps = {
    next, undo: undoTapped, five: labelTapped, mat: stopTapped, "options-open": openOptions, differs: openMending, "open-wrong": () => { $("options").close(); openMending(); }, "wrong-go": goToCard,
    deal: (event) => { if (!event.target.closest("button")) tappedAnywhere(); }, ...clicks,
  };
  for (const id in taps) $(id).onclick = taps[id];
  for (const [field, go] of Object.entries({ "wrong-card": "wrong-go", counting: "slips", ...enters })) {
    $(field).onkeydown = tapOn(go);
  }
  $("counting").oninput = showSlips;
  $("wrong-card").oninput = showWay;
  $("options").oninput = () => { optionsChanged(); unlockSound(); host.rememberSettings(); };
  // After a dialog, keys and pedals move the deal again.
  for (const dialog of document.querySelectorAll("dialog")) dialog.addEventListener("close", () => { changed(); if (deal) $($("differs").hidden ? "next" : "differs").focus(); });
  document.addEventListener("click", (event) => { if (clock() - lastChange < BOUNCE) event.preventDefault(), event.stopPropagation(); }, true);
  document.onkeydown = onKey;
  /** @type {[any, () => void][]} */
  const headset = [["nexttrack", next], ["previoustrack", undo], ["play", next], ["pause", next]];
  for (const [key, answer] of headset) navigator.mediaSession?.setActionHandler(key, () => listening() && answer());
  new ResizeObserver(() => deal && drawRoute()).observe($("mat"));
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return pauseTempo();
    if (deal) stayAwake(), deal.resumed = true;
    if (deal && !$("deal").hidden) show();
    host.lookAgain();
  });
  addEventListener("beforeunload", (event) => { if (deal && !deal.kept && !isDone()) event.preventDefault(); });
}

/** @type {() => Record<string, any>} */
export const settingsShown = () => Object.fromEntries([
  ["beat", $("beat").value], ["language", language],
  ...host.fields.texts.map((id) => [id, $(id).value]), ...host.fields.checks.map((id) => [id, $(id).checked]), ...host.fields.choices.map((name) => [name, chosen(name)]),
]);

/** @type {(last: Record<string, any>) => void} */
export function applyShown(last) {
  for (const id of host.fields.texts) if (typeof last[id] === "string") $(id).value = last[id].slice(0, 2000);
  for (const id of host.fields.checks) if (typeof last[id] === "boolean") $(id).checked = last[id];
  for (const name of host.fields.choices) {
    /** @type {any} */
    const choices = document.getElementsByName(name);
    for (const choice of choices) if (choice.value === last[name]) choice.checked = true;
  }
  if (last.beat) $("beat").value = last.beat;
}
