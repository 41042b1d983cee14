// Shuffles as lines: one, all of three cards, and two after another.

import { $, button, element } from "../../page/scripts/elements.js";
import { uniformPermutation } from "../../page/scripts/randomness.js";
import { language, t } from "../../page/scripts/texts.js";
import { keep, setting, slid } from "../scripts/chapters.js";
import { drawing } from "../scripts/device.js";
import { cardsOf } from "../scripts/small_decks.js";
import { unrank } from "../scripts/ranks.js";
import { factorial } from "../scripts/whole_numbers.js";
import { exchanged, inverse, readOrder, then } from "./arrangements.js";
import { showWires } from "./wires.js";

export const MOST_CARDS = 52;
const GALLERY = 3, NAMES = ["a", "p", "q"];
/** @type {Record<string, number[]>} */
const shuffles = { a: [2, 0, 1], p: [1, 2, 3, 4, 0], q: [4, 3, 2, 1, 0] };

/** @type {(order: number[]) => string} */
export const written = (order) => order.join(",");

// An order drawn by the device; sorted if its generator is not sound.
/** @type {(n: number) => number[]} */
export function drawnOrder(n) {
  let order = cardsOf(n);
  drawing((below) => { order = uniformPermutation(n, below); });
  return order;
}

// The order that the address has under this name, or the last one, or a new one.
/** @type {(name: string, n: number) => void} */
function readShuffle(name, n) {
  const told = readOrder(setting(name), MOST_CARDS);
  shuffles[name] = told?.length === n ? told : shuffles[name].length === n && !setting(name) ? shuffles[name] : drawnOrder(n);
  if (setting(name) && told?.length !== n) keep({ [name]: shuffles[name].join(".") });
}

/** @type {(values: Record<string, number[]>) => void} */
function write(values) {
  keep(Object.fromEntries(Object.entries(values).map(([name, order]) => [name, order.join(".")])));
  readMaps();
}

export function openMaps() {
  $("draw").addEventListener("click", () => write({ a: drawnOrder(shuffles.a.length) }));
  $("turn").addEventListener("click", () => write({ a: [...shuffles.a].reverse() }));
  $("sort").addEventListener("click", () => write({ a: cardsOf(shuffles.a.length) }));
  $("invert").addEventListener("click", () => write({ a: inverse(shuffles.a) }));
  $("redraw").addEventListener("click", () => write({ p: drawnOrder(shuffles.p.length), q: drawnOrder(shuffles.p.length) }));
  $("swap").addEventListener("click", () => write({ p: shuffles.q, q: shuffles.p }));
  $("undo").addEventListener("click", () => write({ p: shuffles.p, q: inverse(shuffles.p) }));
  $("join").addEventListener("click", () => { keep({ one: setting("one") ? "" : "1" }); readMaps(); });
  $("all").append(...Array.from({ length: 6 }, (_, rank) => {
    const order = unrank(BigInt(rank), GALLERY), small = element("div", "", "wires");
    showWires(small, [order]);
    return button([small], () => write({ a: order }), "", { "aria-label": written(order) });
  }));
}

export function readMaps() {
  const cards = slid("cards"), both = slid("both");
  NAMES.forEach((name) => readShuffle(name, name === "a" ? cards : both));
  const { a, p, q } = shuffles, joined = Boolean(setting("one"));
  showWires($("wires"), [a], (_, one, other) => write({ a: exchanged(a, one, other) }));
  $("all").hidden = cards !== GALLERY;
  [...$("all").children].forEach((choice) => choice.setAttribute("aria-pressed", String(choice.getAttribute("aria-label") === written(a))));
  $("wired").textContent = t("wired", { order: written(a), n: cards, orders: factorial(cards).toLocaleString(language) });
  $("hint").textContent = t(cards > 13 ? "hintPicture" : "hintEdit", { most: cards - 1 });
  showWires($("chain"), joined ? [then(p, q)] : [p, q], joined ? undefined : (stage, one, other) => write(stage ? { q: exchanged(q, one, other) } : { p: exchanged(p, one, other) }));
  $("join").setAttribute("aria-pressed", String(joined));
  $("chained").textContent = t("chained", { p: written(p), q: written(q), both: written(then(p, q)) });
}
