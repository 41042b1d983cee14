// The settings by name: those of the fields that `host.fields` lists.

import { $, chosen } from "./elements.js";
import { host } from "./current.js";
import { language } from "./texts.js";

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
