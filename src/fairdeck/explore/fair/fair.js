// Is your shuffle fair? One or two shuffles are counted while one looks; code that somebody pastes too.

import { copyFrom } from "../../page/scripts/copying.js";
import { $, complain, element, option, wholeNumber } from "../../page/scripts/elements.js";
import { faultOf } from "../../page/scripts/dialogs.js";
import { t } from "../../page/scripts/texts.js";
import { keepDrawn } from "../../page/scripts/canvas.js";
import { NONE } from "../scripts/chooser.js";
import { openFrame } from "../scripts/frame.js";
import { freshSeed, keepSettings, numberGiven, settingsGiven } from "../scripts/hash.js";
import { makeSide } from "./side.js";

const LEAST_CARDS = 3, MOST_CARDS = 52, AMOUNTS = [1000, 10000, 100000, 1000000], USUAL = { cards: 20, decks: 100000 };
let seed = freshSeed();

function start() {
  if (!complain("error", ["cards"], faultOf("cards", t("cards"), LEAST_CARDS, MOST_CARDS))) return;
  const cards = Number(wholeNumber("cards", LEAST_CARDS, MOST_CARDS)), decks = Number($("decks").value);
  for (const side of sides) side.start({ cards, decks, seed });
  keep();
}

function keep() {
  const [a, b] = sides.map((side) => side.settings());
  const cards = wholeNumber("cards", LEAST_CARDS, MOST_CARDS);
  if (cards) keepSettings({ cards, decks: $("decks").value, seed, a, b });
}

function show() {
  const given = settingsGiven(), decks = numberGiven(given, "decks", 1, 1e6, USUAL.decks);
  $("cards").value = numberGiven(given, "cards", LEAST_CARDS, MOST_CARDS, USUAL.cards);
  $("decks").value = String(AMOUNTS.find((amount) => amount >= decks));
  seed = numberGiven(given, "seed", 0, 2 ** 32 - 1, freshSeed());
  sides[0].choose(given.get("a") || "naive");
  sides[1].choose(given.get("b") || (given.has("a") ? NONE : "fisher-yates"));
  start();
}

openFrame();
$("decks").append(...AMOUNTS.map((amount) => option(String(amount), t("nDecks", { n: amount }))));
const sides = [makeSide(false, start, keep), makeSide(true, start, keep)];
$("sides").append(...sides.map((side) => side.node));
$("settings").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  seed = freshSeed();
  start();
});
for (const id of ["cards", "decks"]) $(id).addEventListener("change", start);
$("copy").addEventListener("click", async () => {
  const field = element("textarea", location.href, "unseen", { readonly: true });
  $("copy").before(field);
  await copyFrom(field, $("copy"));
  field.remove();
  $("copy").focus();
});
addEventListener("hashchange", show);
keepDrawn(() => sides.forEach((side) => side.draw()));
show();
