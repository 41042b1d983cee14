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

/** @type {(id: string, what: string, least: number, most: number) => string} */
export function faultOf(id, what, least, most) {
  if (wholeNumber(id, least, most) !== null) return "";
  const typed = $(id).value.trim().slice(0, 20);
  return t("faultNumber", { what, typed, least, most });
}
