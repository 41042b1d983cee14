// The texts of the page, each in all LANGUAGES. The builder leaves a key out where its number does.

import { LANGUAGES, LINES } from "./built.js";

/** @type {Record<string, string[]>} */
export const WORDS = {};
const keys = LINES.splice(0, LINES.length / (1 + LANGUAGES.length));
keys.forEach((key, i) => { WORDS[key] = WORDS[i + 1] = LANGUAGES.map((_, j) => LINES[j * keys.length + i]); });

export let language = "en";
/** @type {Intl.PluralRules} */
let plural;
/** @type {Intl.NumberFormat} */
let number;
/** @type {Intl.NumberFormat} */
let places;

// Fills in {names}; "one|many" has forms for the number n.
/** @type {(key: string, values?: Record<string, any>) => string} */
export function t(key, values = {}) {
  const [one, many = one] = WORDS[key][LANGUAGES.indexOf(language)].split("|");
  return (plural.select(values.n) === "one" ? one : many).replace(/\{(\w+)\}/g, (_, name) => grouped(values[name]));
}

/** @type {(parts: (string | false | undefined)[]) => string} */
export const pieces = (parts) => parts.filter(Boolean).join(", ");
/** @type {(value: any) => string} */
export const grouped = (value) => (typeof value === "number" ? number.format(value) : value);
/** @type {(value: number) => string} */
export const twoPlaces = (value) => places.format(value);

/** @type {(chosen?: string) => string} */
export function languageFor(chosen) {
  const wishes = [chosen, ...navigator.languages];
  return wishes.map((wish) => String(wish).slice(0, 2)).find((wish) => LANGUAGES.includes(wish)) || "en";
}

/** @type {(chosen: string) => void} */
export function translate(chosen) {
  language = chosen;
  plural = new Intl.PluralRules(language);
  number = new Intl.NumberFormat(language);
  places = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  document.documentElement.lang = language;
  document.title = `fairdeck: ${t("title")}`;
  for (const node of marked("t")) node.textContent = t(node.dataset.t);
  for (const node of marked("t-aria")) node.setAttribute("aria-label", t(node.dataset.tAria));
  for (const node of marked("t-placeholder")) node.placeholder = t(node.dataset.tPlaceholder);
}

/** @type {(mark: string) => Iterable<any>} */
const marked = (mark) => document.querySelectorAll(`[data-${mark}]`);
