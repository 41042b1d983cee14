// What every page does first: it speaks the reader's language, and links to the pages beside it, if it is one of a site.

import { BESIDE, BUILD } from "../../page/scripts/built.js";
import { $, element, one } from "../../page/scripts/elements.js";
import { recall, remember, SETTINGS } from "../../page/scripts/memory.js";
import { openShell } from "../../page/scripts/shell.js";
import { language, languageFor, t, translate } from "../../page/scripts/texts.js";

// No page lies beside this one: it is a file by itself.
export const isAlone = !BESIDE || location.protocol === "file:";

// `address` is what the reader sends on.
export function openFrame(address = () => location.href) {
  dropSaved();
  translate(languageFor(recall(SETTINGS)?.language));
  // What a page shows stands in its address, so it is the same in the other language.
  openShell(address, (wish) => { remember(SETTINGS, { ...recall(SETTINGS), language: wish }); location.reload(); });
  $("version").textContent = t("version", BUILD);
  $("parts").lastElementChild.setAttribute("aria-current", "page");
  $("parts").hidden = isAlone;
  if (isAlone) one(".brand").removeAttribute("href");
  if (isAlone || !BESIDE) return;
  const [before, after] = BESIDE[language];
  leadTo("before", before[0], t("pageBefore"), `← ${before[1]}`);
  leadTo("after", after[0], t("pageAfter"), `${after[1]} →`);
}

/** @type {(id: string, address: string, where: string, title: string) => void} */
function leadTo(id, address, where, title) {
  const link = $(id);
  link.hidden = false;
  link.href = address;
  link.append(element("small", where), element("b", title));
}

// A page that a browser saved as it stood has what its script had added: that goes, and is made anew.
function dropSaved() {
  const root = document.documentElement;
  for (const node of document.body.querySelectorAll("*")) {
    if (!root.dataset.opened) node.setAttribute("data-own", "");
    else if (!node.hasAttribute("data-own")) node.remove();
  }
  root.dataset.opened = "1";
}
