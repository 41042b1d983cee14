// What every page does first: it speaks the reader's language, and links to the pages beside it, if it is one of a site.

import { BUILD, NEXT } from "../../page/scripts/built.js";
import { $, element, one } from "../../page/scripts/elements.js";
import { recall, SETTINGS } from "../../page/scripts/memory.js";
import { language, languageFor, t, translate } from "../../page/scripts/texts.js";

// No page lies beside this one: it is a file by itself.
export const isAlone = !NEXT || location.protocol === "file:";

export function openFrame() {
  dropSaved();
  translate(languageFor(recall(SETTINGS)?.language));
  $("version").textContent = t("version", BUILD);
  one("a[href='./']").hidden = $("pages").hidden = isAlone;
  if (!NEXT) return;
  const [name, title] = NEXT[language];
  $("pages").append(linkTo("why", t("pages")), linkTo(name, `${title} →`));
}

/** @type {(name: string, title: string) => HTMLElement} */
const linkTo = (name, title) => element("a", title, "", { href: `${name}.html` });

// A page that a browser saved as it stood has what its script had added: that goes, and is made anew.
function dropSaved() {
  const root = document.documentElement;
  for (const node of document.body.querySelectorAll("*")) {
    if (!root.dataset.opened) node.setAttribute("data-own", "");
    else if (!node.hasAttribute("data-own")) node.remove();
  }
  root.dataset.opened = "1";
}
