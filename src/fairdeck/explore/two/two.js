// People deal one deck one after the other, each by an order of their own phone: nobody knows how it lies then.

import { $, element, wholeNumber } from "../../page/scripts/elements.js";
import { hands, wholeDeck } from "../../page/scripts/planner.js";
import { grouped, t } from "../../page/scripts/texts.js";
import { openPrediction } from "../scripts/predict.js";
import { askTwice, change, openDrawing, showDeal, showDraw, taskTyped } from "../scripts/drawing.js";
import { codeOf, isOver, play } from "../scripts/session.js";
import { namesIn } from "./names.js";
import { ordersIn, productOf } from "./own.js";

// What everybody sees says nothing: one sort key a card, and no stock.
/** @type {(people: string[]) => Pick<Agreement, "way" | "deals"> | string} */
function typed(people) {
  const last = taskTyped((cards) => {
    const players = $("hands").value.trim() ? wholeNumber("hands", 1, cards) : 0;
    if (players === null) return t("faultRange", { field: t("hands"), n: cards });
    return players ? hands(cards, Array(players).fill(Math.floor(cards / players)), "rest") : wholeDeck();
  }, true);
  const first = taskTyped(wholeDeck, true), fault = [last, first].find((task) => typeof task === "string");
  return typeof last === "string" || typeof first === "string" ? String(fault) : { way: "product", deals: people.map((_, person) => (person === people.length - 1 ? last : first)) };
}

// The texts of the step that the draw is at: its heading, and what to do.
/** @type {(now: CommonDraw) => string[]} */
function stepOf(now) {
  if (isOver(now)) return ["resultHead", "fromTop"];
  if (now.state === "played") return ["stepShow", now.collects ? "howInvite" : "howSend"];
  if (now.state === "listed") return [now.collects ? "stepList" : "stepDeal", "howDeal"];
  return now.collects ? ["stepInvite", "howInvite"] : ["stepCommitment", "howSend"];
}

/** @type {(now: CommonDraw | null) => void} */
function showMore(now) {
  $("go").hidden = true;
  if (!now) return;
  const { agreement, me, own, state } = now, orders = own && state === "listed" && ordersIn(agreement, me, own);
  $("go").hidden = !orders;
  if (orders) showDeal(agreement.deals[me], orders[0]);
  if (isOver(now)) showResult(now);
}

/** @type {(now: CommonDraw) => void} */
function showResult(now) {
  const { agreement, owns } = now, { cards, goal } = agreement.deals[agreement.deals.length - 1], sizes = goal.piles.length ? goal.piles : [cards];
  const orders = owns.map((own, person) => /** @type {number[][]} */ (ordersIn(agreement, person, /** @type {Uint8Array} */ (own)))[0]), ends = productOf(orders).reverse();
  const names = namesIn($("names").value), isNamed = names.length === cards, known = [...agreement.names].reverse();
  const named = ends.map((card) => (isNamed ? names : known)[cards - 1 - card] || grouped(cards - card));
  let at = 0;
  $("word").textContent = codeOf(now);
  $("unnamed").textContent = names.length && !isNamed ? t("unnamed", { n: cards, typed: names.length }) : "";
  $("cards").replaceChildren(...sizes.map((size, hand) => {
    const held = named.slice(at, at += size);
    return sizes.length > 1 ? element("p", t("hand", { n: hand + 1, held: held.join(" ") })) : element("ol", held.map((card) => element("li", card)));
  }));
}

const HANDS = 4, HELD = 13;
/** @type {[string, string][]} */
const ANSWERS = [["all", "answerAll"], ["some", "answerSome"], ["nothing", "answerNothing"]];

openDrawing({ kept: "fairdeck-two", typed, stepOf, showMore, sure: "leaveSure" });
// Shown orders tell who holds what, so this is asked once more.
$("over").addEventListener("click", () => askTwice("over", t("overSure"), () => change(play)));
$("names").addEventListener("input", showDraw);
$("table").append(...Array.from({ length: HANDS }, () => element("span", Array.from({ length: HELD }, () => element("i")))));
openPrediction(ANSWERS.map(([value, key]) => [value, t(key)]), "nothing", () => { $("reveal").textContent = t("reveal"); });
