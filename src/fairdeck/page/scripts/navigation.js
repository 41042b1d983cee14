// Shows a screen, and keeps it lit.

import { deal, host } from "./current.js";
import { $, one } from "./elements.js";
import { changed } from "./taps.js";
import { pauseTempo } from "./tempo.js";

/** @type {(screen: string) => void} */
export function turnTo(screen) {
  changed();
  if (deal) pauseTempo();
  one("dialog[open]")?.close();
  for (const id in host.screens) $(id).hidden = id !== screen;
  document.body.dataset.screen = screen;
  $("said").textContent = "";
  // Focus comes last: else the screen is laid out twice.
  host.screens[screen]();
  $(screen).focus();
  scrollTo(0, 0);
}

// Options tell if the browser has no wake lock.
/** @type {any} */
export let awake = null;

export async function stayAwake() {
  try {
    const lock = await navigator.wakeLock.request("screen");
    awake?.release();
    awake = lock;
    if (!deal) awake.release();
  } catch {
    $("awake-hint").hidden = !!navigator.wakeLock;
  }
}
