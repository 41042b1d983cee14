// The settings of a page with sliders. They stand in the hash of its address, so that a link shows the same; its `step`
// names the section of the page to which the link leads.

import { $ } from "../../page/scripts/elements.js";
import { grouped } from "../../page/scripts/texts.js";
import { keepSettings, numberGiven, settingsGiven } from "./hash.js";

let settings = new URLSearchParams();

// A setting of the address; empty where it has none.
/** @type {(name: string) => string} */
export const setting = (name) => settings.get(name) || "";

// Writes settings into the address; an empty one leaves it.
/** @type {(values: Record<string, string>) => void} */
export function keep(values) {
  for (const [name, value] of Object.entries(values)) value ? settings.set(name, value) : settings.delete(name);
  keepSettings(Object.fromEntries(settings));
}

// The value of a slider: that of the address, if the slider has it.
/** @type {(id: string) => number} */
export function slid(id) {
  const input = $(id);
  input.value = numberGiven(settings, id, Number(input.min), Number(input.max), Number(input.defaultValue));
  input.nextElementSibling.textContent = grouped(Number(input.value));
  return Number(input.value);
}

// Each of `parts` shows what the settings say.
/** @type {(parts: (() => void)[]) => void} */
export function openSettings(parts) {
  const read = () => parts.forEach((show) => show());
  for (const input of document.querySelectorAll("input[type=range]")) {
    input.addEventListener("input", () => { keep({ [input.id]: /** @type {any} */ (input).value }); read(); });
  }
  const open = () => {
    settings = settingsGiven();
    read();
    $(setting("step"))?.closest("section").scrollIntoView();
  };
  addEventListener("hashchange", open);
  open();
}
