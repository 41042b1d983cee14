// Beat the shuffler: guess the next card, against what a perfect memory does on a fair deck.

import { copyFrom } from "../../page/scripts/copying.js";
import { $, button, element, option } from "../../page/scripts/elements.js";
import { grouped, language, t, twoPlaces } from "../../page/scripts/texts.js";
import { keepDrawn } from "../../page/scripts/canvas.js";
import { seededDraws } from "../scripts/draws.js";
import { openFrame } from "../scripts/frame.js";
import { addressOf, freshSeed, keepSettings, numberGiven, settingsGiven } from "../scripts/hash.js";
import { drawLawOf } from "../scripts/law_chart.js";
import { openPrediction } from "../scripts/predict.js";
import { recipeOf, SHUFFLES, shuffleOf } from "../scripts/shuffles.js";
import { inSlices } from "../scripts/slices.js";
import { cardUnderneath, fairHits, hitLaw, hitsOn, hitsOrMore, longestStretch, stretchesLeft } from "./guessers.js";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"], SUITS = ["♠", "♥", "♣", "♦"];
const SUIT_NAMES = ["spades", "hearts", "clubs", "diamonds"], SUIT_KEYS = "shcd", SIZES = [52, 13];
const FAIR = "fisher-yates", HIDDEN = "hidden", SECRETS = [FAIR, "riffle", "riffle*3", "riffle*5", "overhand*3"];
const HOWS = ["riffle", "riffle*2", "riffle*3", "riffle*4", "riffle*5", "riffle*6", "riffle*7", "overhand", "overhand*3", "overhand*10", "cut", FAIR, HIDDEN];
// The picture: where the four cards lie that were named rightly. The last one always is.
const RIGHT = [11, 37, 47, 51], CHOICES = [1, 2.7, 4.5, 13], TRUE_CHOICE = "4.5";
const DAILY = "riffle*3", MANY = 1000, HINTED = 6, RARE = 1e-6;

// `recipe` is what was done to the deck; `deck` lies bottom first. `dealt` and `hits` grow by one with each guess.
const game = {
  cards: 52, how: "riffle", day: "", seed: 0, recipe: "riffle", deck: /** @type {number[]} */ ([]), dealt: /** @type {number[]} */ ([]),
  hits: /** @type {boolean[]} */ ([]), hints: 0, advised: -1, told: false, played: /** @type {number[] | null} */ (null), typed: "",
  // What is counted now for other players; an older question is dropped.
  asked: /** @type {{} | null} */ (null),
};

/** @type {(card: number) => { rank: number, suit: number, text: string, name: string }} */
function faceOf(card) {
  const fromTop = game.cards - 1 - card, rank = fromTop % RANKS.length, suit = Math.floor(fromTop / RANKS.length);
  return { rank, suit, text: RANKS[rank] + SUITS[suit], name: t("cardName", { rank: RANKS[rank], suit: t(SUIT_NAMES[suit]) }) };
}

/** @type {(how: string) => string} */
function nameOf(how) {
  if (how === FAIR || how === HIDDEN) return t(how === FAIR ? "fairly" : "hidden");
  const { name, times } = /** @type {{ name: string, times: number }} */ (recipeOf(how));
  return t(SHUFFLES[name].says) + (times > 1 ? ` × ${times}` : "");
}

/** @type {(share: number) => string} */
const percent = (share) => (share > 0 && share < RARE ? `< ${percent(RARE)}` : share.toLocaleString(language, { style: "percent", maximumSignificantDigits: 2 }));

const isSecret = () => game.how === HIDDEN && !game.told;
const isOver = () => game.dealt.length === game.cards;
/** @type {() => import("./guessers.js").Guesser} */
const guesser = () => (!isSecret() && game.recipe.startsWith("riffle") ? longestStretch : cardUnderneath);
const hitCount = () => game.hits.filter(Boolean).length;

// --- a deck

function begin() {
  const draws = seededDraws(game.seed), deck = Array.from({ length: game.cards }, (_, card) => card);
  const recipe = game.how === HIDDEN ? SECRETS[draws.below(SECRETS.length)] : game.how;
  shuffleOf(recipe)(deck, draws);
  Object.assign(game, { recipe, deck, dealt: [], hits: [], hints: 0, advised: -1, told: false, played: null, typed: "", asked: null });
  $("size").value = game.cards;
  $("how").value = game.how;
  for (const id of ["played", "told", "why"]) $(id).textContent = "";
  $("about").textContent = [t("before", { first: faceOf(game.cards - 1).text, last: faceOf(0).text }), game.day && t("dailyText", { day: game.day })].filter(Boolean).join(" ");
  $("cards").replaceChildren(...Array.from({ length: game.cards }, (_, i) => cardToGuess(game.cards - 1 - i)));
  show();
}

/** @type {(card: number) => HTMLButtonElement} */
function cardToGuess(card) {
  const { rank, suit, text, name } = faceOf(card);
  return button(text, () => guess(card), "", { "data-card": card, "data-rank": rank, "data-suit": suit, "aria-label": name });
}

/** @type {() => Record<string, string | number>} */
function settings() {
  const { cards, how, day, seed } = game;
  return day ? { cards, how, day } : { cards, how, seed };
}

/** @type {(card: number) => void} */
function guess(card) {
  if (isOver() || game.dealt.includes(card)) return;
  const next = game.deck[game.cards - 1 - game.dealt.length], hit = card === next;
  game.dealt.push(next);
  game.hits.push(hit);
  game.advised = -1;
  game.typed = "";
  $("why").textContent = "";
  $("said").textContent = t(hit ? "wasRight" : "wasWrong", { guess: faceOf(card).name, card: faceOf(next).name });
  show();
  if (isOver()) $("said").textContent += ` ${$("judged").textContent}`;
  // A seen card cannot keep the focus: the next one of the old order takes it.
  if (document.activeElement === document.body || /** @type {any} */ (document.activeElement)?.disabled) focusNear(next);
}

/** @type {(card: number) => void} */
function focusNear(card) {
  const open = [...$("cards").querySelectorAll("button:enabled")];
  (open.find((/** @type {any} */ made) => Number(made.dataset.card) < card) || open[0] || $("new")).focus();
}

function hint() {
  const card = game.advised = guesser()(game.cards, game.dealt), stretches = stretchesLeft(game.cards, game.dealt), { text } = faceOf(card);
  game.hints++;
  const longest = Math.max(...stretches.map(({ length }) => length));
  if (!isSecret() && game.recipe === FAIR) $("why").textContent = t("whyFair", { n: game.cards - game.dealt.length });
  else if (guesser() === longestStretch) $("why").textContent = t("whyLongest", { n: stretches.length, card: text, length: longest });
  else $("why").textContent = t(card === game.dealt[game.dealt.length - 1] - 1 ? "whyUnder" : "whyHighest", { card: text, last: game.dealt.length ? faceOf(game.dealt[game.dealt.length - 1]).text : "" });
  show();
  $("cards").querySelector(`[data-card="${card}"]`).focus();
}

// --- what one sees

function show() {
  const guessed = game.dealt.length, hits = hitCount(), last = game.dealt[guessed - 1], face = $("face");
  showCards();
  face.textContent = guessed ? faceOf(last).text : "?";
  face.className = `face ${guessed && faceOf(last).suit % 2 ? "red" : ""} ${game.hits[guessed - 1] ? "hit" : ""}`;
  if (!guessed) $("said").textContent = t("first");
  $("squares").replaceChildren(...Array.from({ length: game.cards }, (_, i) => element("i", game.hits[i] ? "✓" : "", i < guessed ? (game.hits[i] ? "hit" : "miss") : "")));
  $("squares").setAttribute("aria-label", t("squares", { hits, n: guessed }));
  const chance = percent(hitsOrMore(hitLaw(game.cards, guessed), hits)), all = twoPlaces(fairHits(game.cards));
  const now = [t("squares", { hits, n: guessed }), !isOver() && t("expected", { now: twoPlaces(fairHits(game.cards, guessed)), all }), !isOver() && hits > 0 && t("chance", { chance })];
  $("score").textContent = guessed ? now.filter(Boolean).join(" ") : t("goal", { all });
  $("hint").disabled = $("finish").disabled = isOver();
  $("auto").disabled = isSecret();
  $("result").hidden = !isOver();
  if (isOver()) showResult(chance);
  drawLaw();
}

function drawLaw() {
  const law = hitLaw(game.cards, game.played ? game.cards : game.dealt.length || game.cards);
  const shown = Math.max(12, hitCount() + 1, ...(game.played || []).map((share, hits) => (share > 0.001 ? hits : 0)));
  drawLawOf($("law"), law.slice(0, shown + 1), game.played, game.dealt.length ? hitCount() : null);
  $("law").setAttribute("aria-label", t("lawLabel", { values: law.slice(0, 15).map((share, hits) => `${hits}: ${percent(share)}`).join("; ") }));
}

function showCards() {
  const place = new Map(game.dealt.map((card, i) => [card, i + 1])), stretches = game.advised < 0 ? [] : stretchesLeft(game.cards, game.dealt);
  const last = game.dealt[game.dealt.length - 1];
  for (const made of $("cards").children) {
    const card = Number(made.dataset.card), { text, name, suit } = faceOf(card), turn = place.get(card);
    const stretch = stretches.findIndex(({ head, length }) => card <= head && card > head - length);
    made.disabled = turn !== undefined;
    made.replaceChildren(text, ...(turn ? [element("small", turn)] : []));
    made.setAttribute("aria-label", turn ? t("dealtAs", { card: name, n: turn }) : name);
    made.className = [suit % 2 && "red", card === last && "last", card === game.advised && "advised", turn === undefined && stretch >= 0 && `stretch row${stretch % HINTED}`].filter(Boolean).join(" ");
    made.tabIndex = -1;
  }
  const open = $("cards").querySelector(".advised") || $("cards").querySelector("button:enabled");
  if (open) open.tabIndex = 0;
}

/** @type {(chance: string) => void} */
function showResult(chance) {
  const hits = hitCount(), secret = isSecret();
  $("judged").textContent = t("judged", { n: hits, cards: game.cards, all: twoPlaces(fairHits(game.cards)), chance });
  $("ask").replaceChildren(...(secret ? [element("span", t("which")), ...SECRETS.map((how) => button(nameOf(how), () => tell(how)))] : []));
  $("result-text").value = resultText();
  $("send").hidden = !navigator.share;
  $("copy").textContent = t("copy");
}

/** @type {(how: string) => void} */
function tell(how) {
  game.told = true;
  show();
  $("told").textContent = t(how === game.recipe ? "toldRight" : "toldWrong", { how: nameOf(game.recipe) });
  $("new").focus();
}

// Where the hits were, but no card; the link leads to the same deck.
function resultText() {
  const rows = [], { cards, how, day } = game;
  for (let row = 0; row < cards; row += RANKS.length) rows.push(game.hits.slice(row, row + RANKS.length).map((hit) => (hit ? "🟩" : "⬜")).join(""));
  const head = [t("title"), day, nameOf(how), t("resultLine", { hits: hitCount(), cards, all: twoPlaces(fairHits(cards)) }), game.hints ? t("hinted", { n: game.hints }) : t("noHints")];
  const address = location.protocol === "file:" ? [] : [location.href.split("#")[0] + addressOf(settings())];
  return [head.filter(Boolean).join(" · "), ...rows, ...address].join("\n");
}

// --- other players

async function playMany() {
  const asked = game.asked = {}, draws = seededDraws(game.seed ^ MANY), shuffle = shuffleOf(game.recipe), player = guesser(), counts = Array(game.cards + 1).fill(0);
  const { cards } = game;
  let all = 0;
  $("played").textContent = t("counting");
  const done = await inSlices(function* () {
    for (let decks = 0; decks < MANY; decks++) {
      const deck = Array.from({ length: cards }, (_, card) => card);
      shuffle(deck, draws);
      const hits = hitsOn(deck, player);
      counts[hits]++;
      yield all += hits;
    }
  }(), () => game.asked !== asked);
  if (!done) return;
  game.played = counts.map((count) => count / MANY);
  $("played").textContent = t("autoDone", { n: MANY, mean: twoPlaces(all / MANY), fair: twoPlaces(fairHits(cards)) });
  drawLaw();
}

// --- keys and settings

/** @type {(event: KeyboardEvent) => void} */
function typed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.key.toLowerCase(), here = /** @type {HTMLElement} */ (event.target), by = { arrowleft: -1, arrowright: 1, arrowup: -RANKS.length, arrowdown: RANKS.length }[key];
  const rank = { 0: 9, 1: 0, t: 9 }[key] ?? RANKS.indexOf(key.toUpperCase()), suit = SUIT_KEYS.indexOf(key);
  if (by) {
    event.preventDefault();
    const all = [...$("cards").children];
    let at = all.indexOf(here) + by;
    while (all[at]?.disabled) at += by;
    all[at]?.focus();
  } else if (rank >= 0) {
    game.typed = String(rank);
    if (game.cards === RANKS.length) guessTyped(0);
  } else if (suit >= 0 && game.typed) guessTyped(suit);
}

/** @type {(suit: number) => void} */
const guessTyped = (suit) => $("cards").querySelector(`button:enabled[data-rank="${game.typed}"][data-suit="${suit}"]`)?.click();

/** @type {(chosen: Record<string, any>) => void} */
function fresh(chosen) {
  Object.assign(game, { day: "", seed: freshSeed() }, chosen);
  keepSettings(settings());
  begin();
}

/** @type {(day: string) => number} */
const seedOf = (day) => Number(day.replaceAll("-", ""));

function followLink() {
  const asked = settingsGiven(), day = asked.get("day") || "", how = asked.get("how") || "", good = /^\d{4}-\d\d-\d\d$/.test(day);
  game.cards = numberGiven(asked, "cards", 0, 99, 52) === 13 ? 13 : 52;
  game.how = HOWS.includes(how) ? how : "riffle";
  game.day = good ? day : "";
  game.seed = good ? seedOf(day) : numberGiven(asked, "seed", 0, 2 ** 32 - 1, freshSeed());
  keepSettings(settings());
  begin();
}

// A deck from fresh randomness, open.
function showOpen() {
  const deck = Array.from({ length: 52 }, (_, card) => card);
  shuffleOf(FAIR)(deck, seededDraws(freshSeed()));
  $("open").replaceChildren(...deck.map((card, place) => element("i", RANKS[card % RANKS.length] + SUITS[Math.floor(card / RANKS.length)], RIGHT.includes(place) ? "hit" : "")));
}

openFrame();
showOpen();
openPrediction(CHOICES.map((hits) => [String(hits), grouped(hits)]), TRUE_CHOICE, () => { $("reveal").textContent = t("reveal", { all: twoPlaces(fairHits(52)) }); });
$("size").append(...SIZES.map((size) => option(String(size), t("nCards", { n: size }))));
$("how").append(...HOWS.map((how) => option(how, nameOf(how))));
for (const id of ["size", "how"]) $(id).addEventListener("change", () => fresh({ cards: Number($("size").value), how: $("how").value }));
$("new").addEventListener("click", () => fresh({}));
$("daily").addEventListener("click", () => {
  const day = new Date().toISOString().slice(0, 10);
  fresh({ cards: 52, how: DAILY, day, seed: seedOf(day) });
});
$("hint").addEventListener("click", hint);
$("finish").addEventListener("click", () => {
  while (!isOver()) game.hints++, guess(guesser()(game.cards, game.dealt));
  $("result").scrollIntoView({ block: "nearest" });
});
$("copy").addEventListener("click", () => copyFrom($("result-text"), $("copy")));
$("send").addEventListener("click", () => navigator.share({ text: $("result-text").value }).catch(() => {}));
$("auto").addEventListener("click", playMany);
$("cards").addEventListener("keydown", typed);
addEventListener("hashchange", followLink);
followLink();
keepDrawn(drawLaw);
