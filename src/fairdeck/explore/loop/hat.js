// The right loop: slips drawn from a hat. The hat is the part of the deck that still can be drawn.

import { $, button } from "../../page/scripts/elements.js";
import { t } from "../../page/scripts/texts.js";
import { drawing } from "../scripts/device.js";
import { rankOf } from "../scripts/ranks.js";
import { keep, setting, slid } from "../scripts/settings.js";
import { factorial } from "../scripts/whole_numbers.js";
import { cardsOf, rightDeck } from "../scripts/small_decks.js";
import { makeTree } from "./tree.js";
import { layDeck, namesOf } from "./walk.js";

const DRAWN = 3, CHOICES_LEFT = [3, 2, 1];
// The slips, the draws so far, and whether all paths of the tree show where they end.
const hat = { slips: DRAWN, draws: /** @type {number[]} */ ([]), every: false };
/** @type {any} */
let showRightTree = null;

export function openHat() {
  showRightTree = makeTree($("rightTree"), CHOICES_LEFT, (path) => pull(path));
  $("pull").addEventListener("click", () => drawing((below) => {
    const before = hat.draws.length === hat.slips ? [] : hat.draws;
    pull([...before, below(hat.slips - before.length)]);
  }));
  $("again").addEventListener("click", () => pull([]));
  $("every").addEventListener("click", () => { keep({ six: "1" }); readHat(); });
}

/** @type {(draws: number[]) => void} */
function pull(draws) {
  keep({ slips: String(hat.slips), pulls: draws.join("") });
  readHat();
}

export function readHat() {
  const slips = slid("slips"), draws = [...setting("pulls")].map(Number);
  const possible = draws.length <= slips && draws.every((drawn, step) => drawn < slips - step);
  Object.assign(hat, { slips, draws: possible ? draws : [], every: setting("six") === "1" });
  showHat();
}

function showHat() {
  const { slips, draws, every } = hat, deck = rightDeck(slips, draws), left = slips - draws.length;
  const focused = $("hat").contains(document.activeElement);
  $("hat").replaceChildren(...deck.slice(0, left).map((card, place) => (
    button(namesOf([card]), () => pull([...draws, place]), "slip", { "aria-label": t("slip", { card: namesOf([card]) }) })
  )));
  if (focused) ($("hat").firstChild || $("pull")).focus();
  layDeck($("places"), deck.map((card, place) => (place < left ? null : card)), left - 1);
  $("pulled").textContent = saidOfHat(deck, left);
  $("paths").textContent = t("rightPaths", { product: cardsOf(slips).reverse().map((card) => card + 1).join(" × "), n: Number(factorial(slips)) });
  $("rightTree").hidden = $("every").hidden = slips !== DRAWN;
  if (slips !== DRAWN) return;
  /** @type {(leaf: number[]) => string[]} */
  const face = (leaf) => {
    const known = every || leaf.join() === draws.join(), path = leaf.join(" "), order = namesOf(rightDeck(DRAWN, leaf));
    return [known ? order : "", t(known ? "leaf" : "unknownLeaf", { path, order }), known ? `known row${rankOf(rightDeck(DRAWN, leaf))}` : ""];
  };
  showRightTree(face, [{ path: draws, look: "" }]);
}

/** @type {(deck: number[], left: number) => string} */
function saidOfHat(deck, left) {
  const { draws, slips } = hat;
  if (!draws.length) return t("hatStart", { n: slips });
  const told = t("hatDrew", { bound: left + 1, drawn: draws[draws.length - 1], card: namesOf([deck[left]]), place: left });
  return left ? told : `${told} ${t("hatEnd", { path: draws.join(" "), order: namesOf(deck) })}`;
}
