// The head of every page: its language, light or dark, and the way to send it on.

import { LANGUAGES } from "./built.js";
import { RECOLOURED } from "./canvas.js";
import { $, option } from "./elements.js";
import { recall, remember } from "./memory.js";
import { language, t, WORDS } from "./texts.js";

const THEME = "fairdeck-theme", DARK = "(prefers-color-scheme: dark)", SAID_MS = 2000;

// `address` is what is sent on; `speak` shows the page in another language.
/** @type {(address: () => string, speak: (language: string) => void) => void} */
export function openShell(address, speak) {
  const field = $("language"), theme = recall(THEME);
  field.replaceChildren(...LANGUAGES.map((code, i) => option(code, `${code.toUpperCase()} · ${WORDS["language"][i]}`)));
  field.value = language;
  field.onchange = () => speak(field.value);
  if (location.protocol === "file:") $("share").hidden = $("parts").hidden = true;
  $("share").onclick = () => send(address());
  if (typeof theme === "boolean") colourIn(theme);
  $("theme").onclick = () => {
    const dark = !isDark();
    colourIn(dark);
    remember(THEME, dark);
  };
}

const isDark = () => matchMedia($("dark").media).matches;

/** @type {(dark: boolean) => void} */
function colourIn(dark) {
  $("dark").media = dark === matchMedia(DARK).matches ? `screen and ${DARK}` : dark ? "screen" : "not all";
  dispatchEvent(new Event(RECOLOURED));
}

/** @type {(url: string) => Promise<void>} */
async function send(url) {
  const button = $("share");
  try {
    if (navigator.share) return await navigator.share({ title: document.title, url });
    await navigator.clipboard.writeText(url);
    button.dataset.said = t("copied");
  } catch {
    // The reader changed their mind, or the browser forbids it: then the address is shown to be copied.
    if (!navigator.share) prompt(t("shareIt"), url);
  }
  setTimeout(() => delete button.dataset.said, SAID_MS);
}
