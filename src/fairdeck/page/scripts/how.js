// How it works: nine cards are dealt on the screen.

import { wantsCalm } from "./beat.js";
import { none } from "./current.js";
import { dealOf, moveOf, startOf, stepAt, tableAfter } from "./dealing.js";
import { $, element } from "./elements.js";
import { makeMat, wholeDeck } from "./planner.js";
import { t } from "./texts.js";

const FILM_ORDER = [4, 0, 7, 2, 8, 5, 1, 6, 3], FILM_STEP_MS = 900;
/** @type {{ deal: Deal, at: number, timer: any, end: number }} */
const film = { deal: none, at: 0, timer: 0, end: 0 };

/** @type {() => void} */
export function openFilm() {
  stopFilm();
  const task = { cards: FILM_ORDER.length, mat: makeMat(3, 1), goal: wholeDeck(), dealers: 1, leastPasses: 2, classic: true, bottom: "never" };
  film.deal = dealOf(task, FILM_ORDER);
  film.end = startOf(film.deal, film.deal.plan.passes.length);
  film.at = 0;
  const { labels } = task.mat;
  $("film").replaceChildren(...labels.map((label, space) => {
    const place = element("span", label, "place");
    place.style.left = `${placeOf(space)}%`;
    return place;
  }), ...FILM_ORDER.map((_, card) => element("b", String(FILM_ORDER.length - card))));
  const wanted = [...FILM_ORDER].reverse().map((card) => FILM_ORDER.length - card).join(" ");
  $("film").append(element("small", `${t("order")} ${wanted}`));
  showFilm();
  if (!wantsCalm()) playFilm();
}

/** @type {(space: number) => number} */
const placeOf = (space) => 42 + 21 * space;

function showFilm() {
  const { deck, piles } = tableAfter(film.deal, film.at === film.end ? film.at + 1 : film.at), cards = $("film").querySelectorAll("b");
  /** @type {(card: number, left: number, top: number, height: number) => void} */
  const lay = (card, left, top, height) => Object.assign(cards[card].style, { left: `${left}%`, top: `${top}%`, zIndex: height });
  deck.forEach((card, height) => (film.at === film.end ? lay(card, 93 - 10.6 * height, 46, height) : lay(card, 14 - height * 0.4, 52 - height * 2.2, height)));
  for (const [space, pile] of piles) pile.forEach((card, height) => lay(card, placeOf(space), 62 - height * 4.2, height));
  $("film-said").textContent = filmCaption();
  $("film-back").disabled = film.at === 0;
  $("film-on").disabled = film.at === film.end;
}

function filmCaption() {
  if (film.at === film.end) return t("shuffled");
  const { kind, number, index } = stepAt(film.deal, Math.max(0, film.at - 1)), pass = film.deal.plan.passes[number], { labels } = film.deal.task.mat;
  const step = `${t("passOf", { number: number + 1, passes: film.deal.plan.passes.length })} · `;
  if (kind === "card") return `${step}${t("cardOf", { card: index + 1, cards: pass.deal.length })} · ${labels[pass.deal[index]]}`;
  if (kind === "gather") return step + t("put", { pile: labels[moveOf(pass, index).pile], onto: labels[moveOf(pass, index).onto] });
  return step + t(kind === "check" ? "handEmpty" : "dealTop");
}

/** @type {(by: number) => void} */
export function moveFilm(by) {
  stopFilm();
  film.at = Math.min(film.end, Math.max(0, film.at + by));
  showFilm();
}

/** @type {() => void} */
export function playFilm() {
  if (film.timer) return stopFilm();
  if (film.at === film.end) film.at = 0;
  $("film-play").textContent = t("pause");
  film.timer = setInterval(() => {
    film.at++;
    showFilm();
    if (film.at === film.end || $("how").hidden) stopFilm();
  }, FILM_STEP_MS);
}

function stopFilm() {
  clearInterval(film.timer);
  film.timer = 0;
  $("film-play").textContent = t("play");
}
