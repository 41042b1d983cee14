// What every page does first: it speaks the reader's language, and links to the dealing page if that is beside it.

import { BUILD } from "../../page/scripts/built.js";
import { $, one } from "../../page/scripts/elements.js";
import { recall, SETTINGS } from "../../page/scripts/memory.js";
import { languageFor, t, translate } from "../../page/scripts/texts.js";

/** @type {() => void} */
export function openFrame() {
  translate(languageFor(recall(SETTINGS)?.language));
  $("version").textContent = t("version", BUILD);
  one("a[href='./']").hidden = location.protocol === "file:";
}
