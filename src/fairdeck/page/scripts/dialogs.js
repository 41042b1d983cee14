// Dialogs.

import { $, wholeNumber } from "./elements.js";
import { changed } from "./taps.js";
import { t } from "./texts.js";

// The heading takes the focus: it is read first, and nothing scrolls away.
/** @type {(id: string) => void} */
export function openDialog(id) {
  $(id).showModal();
  changed();
  $(id).querySelector("h2").focus();
}

/** @type {(id: string, least: number, most: number, what?: string) => string} */
export function faultOf(id, least, most, what = $(id).labels[0].textContent) {
  return wholeNumber(id, least, most) !== null ? "" : t("faultNumber", { what, typed: $(id).value.trim().slice(0, 20), least, most });
}
