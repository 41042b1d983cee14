// What random enough means, level by level; each with a shuffle that fails it.

import { $, element } from "../../page/scripts/elements.js";
import { uniformPermutation } from "../../page/scripts/randomness.js";
import { t, twoPlaces } from "../../page/scripts/texts.js";
import { keep, setting, slid } from "../scripts/chapters.js";
import { drawing } from "../scripts/device.js";
import { rankOf, unrank } from "../scripts/ranks.js";
import { foundSeed, seededDeck, cardsOnTop } from "./seeds.js";
import { written } from "./maps.js";

const MADE = 600, CARDS_SHOWN = 3, AT_ONCE = 2 ** 21, TOLD = 2 ** 25, SEEN = 8, WHOLE = 52;
const orderNames = Array.from({ length: 6 }, (_, rank) => written(unrank(BigInt(rank), CARDS_SHOWN)));
// The secret seed and how many bits it has; `search` is the number of the search that runs.
const secret = { bits: 0, seed: 0, search: 0 };

/** @type {(box: any, title: string, decks: number[][]) => void} */
function showBars(box, title, decks) {
  const counts = Array(6).fill(0);
  for (const deck of decks) counts[Number(rankOf(deck))]++;
  const most = Math.max(...counts, decks.length / 4);
  box.replaceChildren(element("h3", title), ...counts.map((count, rank) => {
    const fill = element("i");
    fill.style.width = `${(100 * count) / most}%`;
    return element("div", [element("span", orderNames[rank]), fill, element("b", count)]);
  }));
}

/** @type {(below: Below) => number[]} */
const fairDeck = (below) => uniformPermutation(CARDS_SHOWN, below);
/** @type {(times: number, make: () => number[]) => number[][]} */
const several = (times, make) => Array.from({ length: times }, make);
/** @type {(decks: number[][]) => number} */
export const turnedPairs = (decks) => decks.filter((deck, i) => i % 2 && deck.join() === [...decks[i - 1]].reverse().join()).length;

function tryFair() {
  drawing((below) => {
    showBars($("cutBars"), t("cutTitle"), several(MADE, () => {
      const cut = below(CARDS_SHOWN);
      return [0, 1, 2].map((card) => (card + cut) % CARDS_SHOWN);
    }));
    showBars($("hatBars"), t("hatTitle"), several(MADE, () => fairDeck(below)));
    $("fairSaid").textContent = t("fairSaid");
  });
}

function tryFree() {
  drawing((below) => {
    const turned = several(MADE / 2, () => fairDeck(below)).flatMap((deck) => [deck, [...deck].reverse()]);
    showBars($("turnedBars"), t("turnedTitle"), turned);
    $("freeSaid").textContent = t("freeSaid", { pairs: MADE / 2, turned: turnedPairs(turned), fair: turnedPairs(several(MADE, () => fairDeck(below))) });
  });
}

function newSecret() {
  secret.search++;
  drawing((_, words) => { secret.seed = words() >>> (32 - secret.bits); });
  showSecret([], t("secretStart", { n: SEEN }));
}

/** @type {(guessed: number[], said: string) => void} */
function showSecret(guessed, said) {
  const truth = [...seededDeck(secret.seed, WHOLE)].reverse();
  $("secretCards").replaceChildren(...truth.map((card, i) => element("span", i < SEEN ? card : guessed[i] ?? "?", i < SEEN ? "seen" : guessed[i] === card ? "right" : "")));
  $("secretSaid").textContent = said;
}

async function trySecret() {
  const search = ++secret.search, top = cardsOnTop(secret.seed, WHOLE, SEEN), last = 2 ** secret.bits, begun = performance.now();
  const seconds = () => (performance.now() - begun) / 1000;
  for (let from = 0; from < last; from += AT_ONCE) {
    const seed = foundSeed(top, WHOLE, from, Math.min(last, from + AT_ONCE));
    if (seed >= 0) return showSecret([...seededDeck(seed, WHOLE)].reverse(), t("secretFound", { seed, n: WHOLE - SEEN, seconds: twoPlaces(seconds()), all: twoPlaces((seconds() * 2 ** 32) / (seed + 1) / 60) }));
    if (from % TOLD === 0) $("secretSaid").textContent = t("secretRuns", { tried: Math.min(last, from + AT_ONCE), last });
    await new Promise((resume) => setTimeout(resume));
    if (search !== secret.search) return;
  }
}

export function openLevels() {
  $("fairTry").addEventListener("click", tryFair);
  $("freeTry").addEventListener("click", tryFree);
  $("secretDeal").addEventListener("click", newSecret);
  $("secretTry").addEventListener("click", trySecret);
  for (const rung of document.querySelectorAll("details")) {
    rung.addEventListener("toggle", () => { if (rung.open && (setting("level") || "1") !== rung.id.slice(-1)) keep({ level: rung.id.slice(-1) }); });
  }
}

export function readLevels() {
  const level = /^[1-4]$/.test(setting("level")) ? setting("level") : "1";
  for (const rung of document.querySelectorAll("details")) rung.open = rung.id === `level${level}`;
  const bits = slid("seed");
  if (bits === secret.bits) return;
  secret.bits = bits;
  newSecret();
}
