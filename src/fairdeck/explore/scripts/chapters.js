// The ideas of a page, one at a time: each is a section of class "chapter", whose label names it. Which one is on the
// screen, and the settings, stand in the hash of the address, so that a link shows the same.

import { $, element } from "../../page/scripts/elements.js";
import { grouped } from "../../page/scripts/texts.js";
import { keepSettings, numberGiven, settingsGiven } from "./hash.js";

const CHAPTER = "step";
let settings = new URLSearchParams();
/** @type {any[]} */
let chapters = [];

// A setting of the address; empty where it has none.
/** @type {(name: string) => string} */
export const setting = (name) => settings.get(name) || "";

// Writes settings into the address; an empty one leaves it.
/** @type {(values: Record<string, string>) => void} */
export function keep(values) {
  for (const [name, value] of Object.entries(values)) value ? settings.set(name, value) : settings.delete(name);
  keepSettings(Object.fromEntries(settings));
  showChapter();
}

// The value of a slider: that of the address, if the slider has it.
/** @type {(id: string) => number} */
export function slid(id) {
  const input = $(id);
  input.value = numberGiven(settings, id, Number(input.min), Number(input.max), Number(input.defaultValue));
  input.nextElementSibling.textContent = grouped(Number(input.value));
  return Number(input.value);
}

// The value of a list to choose from, likewise.
/** @type {(id: string) => string} */
export function picked(id) {
  const choices = [...$(id).options].map(({ value }) => value);
  return ($(id).value = choices.includes(setting(id)) ? setting(id) : choices[0]);
}

// Each of `parts` shows what the settings say.
/** @type {(parts: (() => void)[]) => void} */
export function openChapters(parts) {
  const read = () => parts.forEach((show) => show());
  chapters = [...document.querySelectorAll(".chapter")];
  const nameOf = (/** @type {any} */ part) => part.getAttribute("aria-label");
  $("chapters").append(...chapters.map((part, i) => {
    const next = chapters[i + 1];
    if (next) part.append(element("a", `${nameOf(next)} →`, "onward"));
    return element("a", [element("b", i + 1), element("span", nameOf(part))]);
  }));
  for (const input of document.querySelectorAll(".chapter input[type=range], .chapter select")) {
    input.addEventListener("input", () => { keep({ [input.id]: /** @type {any} */ (input).value }); read(); });
  }
  const open = () => {
    settings = settingsGiven();
    showChapter();
    read();
  };
  addEventListener("hashchange", () => { open(); keepFocus(); scrollTo(0, 0); });
  open();
}

// The link onward leaves the screen with its chapter: the next heading takes the focus, and is read.
function keepFocus() {
  const left = document.activeElement, heading = chapters.find((part) => !part.hidden)?.querySelector("h2");
  if (!heading || (left !== document.body && !left?.closest("[hidden]"))) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

function showChapter() {
  const shown = chapters.find(({ id }) => id === setting(CHAPTER)) || chapters[0];
  [...$("chapters").children].forEach((link, i) => {
    const part = chapters[i], address = new URLSearchParams(settings);
    address.set(CHAPTER, part.id);
    link.href = `#${address}`;
    part === shown ? link.setAttribute("aria-current", "step") : link.removeAttribute("aria-current");
    part.hidden = part !== shown;
    const before = chapters[i - 1]?.querySelector(".onward");
    if (before) before.href = link.href;
  });
}
