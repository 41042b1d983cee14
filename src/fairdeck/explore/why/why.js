// The front page: a game with four decks, the story of one deck, and the way to all pages.

import { ABOUT, GROUPS, PAGES, PICTURES } from "../../page/scripts/built.js";
import { $, button, element } from "../../page/scripts/elements.js";
import { language, t } from "../../page/scripts/texts.js";
import { keepDrawn } from "../../page/scripts/canvas.js";
import { drawLine } from "../../page/scripts/line.js";
import { uniformPermutation } from "../../page/scripts/randomness.js";
import { seededDraws } from "../scripts/draws.js";
import { isAlone, openFrame } from "../scripts/frame.js";
import { freshSeed } from "../scripts/hash.js";
import { risingSequences } from "../scripts/rising.js";
import { dealt, dealtOnce, inTurn, riffled, sorted, spreadEvenly } from "./mixed.js";
import { drawStory, openStory } from "./story.js";

const LETTERS = ["A", "B", "C", "D"], TURNED = 7, FAIR = "isFair", FIRST_CARDS = 12;

// --- which of the four is shuffled?

// Never the order of a deal: numbers of their own, drawn anew on each visit.
/** @type {{ kind: string, why: string, deck: number[] }[]} */
let four = [];

function dealFour() {
  const draws = seededDraws(freshSeed());
  const kinds = [
    { kind: "isRiffled", why: "whyRiffled", deck: riffled(riffled(riffled(sorted(), draws), draws), draws) },
    { kind: "isSpread", why: "whySpread", deck: spreadEvenly(draws) },
    { kind: FAIR, why: "whyFair", deck: uniformPermutation(sorted().length, draws.below) },
    { kind: "isDealt", why: "whyDealt", deck: dealt(sorted(), TURNED, inTurn(TURNED)) },
  ];
  four = uniformPermutation(kinds.length, draws.below).map((i) => kinds[i]);
  $("answer").textContent = "";
  $("other-four").hidden = true;
  // People who do not see the picture hear the cards from the top.
  $("four").replaceChildren(...four.map(({ deck }, i) => button([element("canvas", "", "deck paper"), element("b", LETTERS[i]), element("span")], () => choose(i), "", {
    "aria-pressed": "false", "aria-label": t("deckFrom", { letter: LETTERS[i], cards: [...deck].reverse().slice(0, FIRST_CARDS).map((card) => deck.length - card).join(" ") }),
  })));
  drawFour();
}

/** @type {(at: number) => void} */
function choose(at) {
  const right = four.findIndex(({ kind }) => kind === FAIR);
  [...$("four").children].forEach((tile, i) => {
    const { kind, why, deck } = four[i];
    tile.setAttribute("aria-pressed", String(i === at));
    tile.toggleAttribute("data-right", i === right);
    tile.children[1].textContent = `${LETTERS[i]} ${t(kind)}`;
    tile.children[2].textContent = t(why, { n: kind === "isDealt" ? TURNED : risingSequences(deck) });
    tile.removeAttribute("aria-label");
  });
  $("answer").textContent = t(at === right ? "found" : four[at].kind === "isSpread" ? "fooled" : "missed", { letter: LETTERS[right], chosen: LETTERS[at] });
  $("other-four").hidden = false;
}

const drawFour = () => [...$("four").children].forEach((tile, i) => drawLine(tile.firstChild, four[i].deck));

// --- all pages

/** @type {Record<string, () => number[]>} */
const DRAWN = {
  random: () => uniformPermutation(sorted().length, seededDraws(freshSeed()).below),
  riffle: () => riffled(sorted(), seededDraws(freshSeed())),
  sort: () => dealtOnce(uniformPermutation(sorted().length, seededDraws(freshSeed()).below)).once,
};
/** @type {[HTMLCanvasElement, number[]][]} */
const pictures = [];

/** @type {(name: string) => HTMLElement} */
function idea(name) {
  const picture = element(DRAWN[name] ? "canvas" : "div", "", "paper"), link = element("a", [picture, element("div", [element("h3", PAGES[language][name]), element("p", ABOUT[language][name])])]);
  if (DRAWN[name]) pictures.push([picture, DRAWN[name]()]);
  else picture.innerHTML = PICTURES[name];
  if (!isAlone) link.href = `${name}.html`;
  return element("li", link);
}

/** @type {Record<string, [string, string]>} */
const HEADS = { see: ["see", "seeLead"], play: ["play", "playLead"], use: ["use", "useLead"], class: ["teach", "teachLead"] };

function showGroups() {
  $("groups").append(...Object.entries(GROUPS).map(([group, names]) => element("section", [
    element("header", [element("h2", t(HEADS[group][0])), element("p", t(HEADS[group][1]), "soft")]), element("ul", names.map(idea), "ideas"),
  ], "group")));
}

openFrame();
dealFour();
$("other-four").addEventListener("click", () => { dealFour(); $("four").firstChild.focus(); });
showGroups();
openStory();
keepDrawn(() => {
  drawFour();
  drawStory();
  for (const [canvas, deck] of pictures) drawLine(canvas, deck);
});
