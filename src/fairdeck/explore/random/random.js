// What fully random means: a fair deck is dust, how many of its cards are where they were, its number, and four levels.

import { colour, keepDrawn } from "../../page/scripts/canvas.js";
import { $ } from "../../page/scripts/elements.js";
import { drawLine } from "../../page/scripts/line.js";
import { uniformPermutation } from "../../page/scripts/randomness.js";
import { language, t, twoPlaces } from "../../page/scripts/texts.js";
import { drawing } from "../scripts/device.js";
import { openFrame } from "../scripts/frame.js";
import { openPrediction } from "../scripts/predict.js";
import { rankOf } from "../scripts/ranks.js";
import { cardsOf } from "../scripts/small_decks.js";
import { factorial } from "../scripts/whole_numbers.js";
import { chanceOfFixed, fixedPoints } from "./fixed_points.js";
import { barsOf, drawPair, openLevels } from "./levels.js";

const CARDS = 52, COUNTED = 1000, MOST_FIXED = 5, CHOICES = ["0", "1", "4", "13"], RIGHT = "1";
// The deck in the picture, and whether the reader has answered.
const dust = { deck: cardsOf(CARDS), isRevealed: false };

// A long number: a line may end after each part of three digits.
/** @type {(number: bigint) => string} */
const inParts = (number) => number.toLocaleString(language).replace(/\D/g, "$&\u200b");

// Black after the reveal: the cards that lie where they lay, on the line that all of them left.
function drawDust() {
  drawLine($("dust"), dust.deck, (card) => (dust.isRevealed && dust.deck[card] === card ? "paper-ink" : "mark"));
  if (!dust.isRevealed) return;
  const pen = $("dust").getContext("2d"), { clientWidth: width, clientHeight: height } = $("dust");
  pen.strokeStyle = colour("paper-soft");
  pen.setLineDash([4, 4]);
  pen.beginPath();
  pen.moveTo(0, 0);
  pen.lineTo(width, height);
  pen.stroke();
}

function draw() {
  drawing((below) => { dust.deck = uniformPermutation(CARDS, below); });
  showDust();
}

function showDust() {
  drawDust();
  $("rank").textContent = inParts(rankOf(dust.deck));
  $("here").textContent = dust.isRevealed ? t("here", { n: fixedPoints(dust.deck) }) : t("touch");
}

function reveal() {
  const counts = Array(MOST_FIXED + 1).fill(0);
  let all = 0;
  drawing((below) => {
    for (let deck = 0; deck < COUNTED; deck++) {
      const fixed = fixedPoints(uniformPermutation(CARDS, below));
      all += fixed;
      counts[Math.min(MOST_FIXED, fixed)]++;
    }
  });
  dust.isRevealed = true;
  $("counted").hidden = false;
  $("reveal").textContent = t("reveal", { decks: COUNTED, mean: twoPlaces(all / COUNTED) });
  const chances = counts.map((_, k) => chanceOfFixed(CARDS, k));
  chances[MOST_FIXED] = 1 - chances.slice(0, MOST_FIXED).reduce((a, b) => a + b);
  $("bars").replaceChildren(...barsOf(counts.map((_, k) => (k < MOST_FIXED ? String(k) : t("orMore", { k }))), counts, chances.map((chance) => chance * COUNTED)));
  showDust();
}

openFrame();
openPrediction(CHOICES.map((choice) => [choice, choice]), RIGHT, reveal);
$("orders").textContent = inParts(factorial(CARDS));
$("draw").addEventListener("click", draw);
draw();
openLevels();
keepDrawn(() => {
  drawDust();
  drawPair();
});
