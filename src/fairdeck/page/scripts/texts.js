// The texts of the page, each in all LANGUAGES. The builder leaves a key out where its number does.

import { LANGUAGES, LINES } from "./built.js";

/** @type {Record<string, string[]>} */
export const WORDS = {};
const allKeys = LINES.splice(0, LINES.length / (1 + LANGUAGES.length));
allKeys.forEach((key, i) => { WORDS[key] = WORDS[i + 1] = LANGUAGES.map((_, j) => LINES[j * allKeys.length + i]); });

export let language = "en";
/** @type {Intl.PluralRules} */
let plural;
/** @type {Intl.NumberFormat} */
let wholes;
/** @type {Intl.NumberFormat} */
let decimals;

// Fills in {names}; "one|many" has forms for the number n.
/** @type {(key: string, values?: Record<string, any>) => string} */
export function t(key, values = {}) {
  const [one, many = one] = WORDS[key][LANGUAGES.indexOf(language)].split("|");
  return (plural.select(values.n) === "one" ? one : many).replace(/\{(\w+)\}/g, (_, name) => grouped(values[name]));
}

/** @type {(parts: (string | false | undefined)[]) => string} */
export const pieces = (parts) => parts.filter(Boolean).join(", ");
/** @type {(value: any) => string} */
export const grouped = (value) => (typeof value === "number" ? wholes.format(value) : value);
/** @type {(value: number) => string} */
export const twoPlaces = (value) => decimals.format(value);

/** @type {(chosen?: string) => string} */
export function languageFor(chosen) {
  const wishes = [chosen, ...navigator.languages];
  return wishes.map((wish) => String(wish).slice(0, 2)).find((wish) => LANGUAGES.includes(wish)) || "en";
}

/** @type {(chosen: string) => void} */
export function translate(chosen) {
  language = chosen;
  plural = new Intl.PluralRules(language);
  wholes = new Intl.NumberFormat(language);
  decimals = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  document.documentElement.lang = language;
  document.title = `fairdeck: ${t("title")}`;
  for (const node of marked("t")) node.textContent = t(node.dataset.t);
  for (const node of marked("t-aria")) node.setAttribute("aria-label", t(node.dataset.tAria));
  for (const node of marked("t-placeholder")) node.placeholder = t(node.dataset.tPlaceholder);
}

/** @type {(mark: string) => Iterable<any>} */
const marked = (mark) => document.querySelectorAll(`[data-${mark}]`);
