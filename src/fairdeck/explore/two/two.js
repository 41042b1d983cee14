// Two people deal one deck, each by an order of their own phone: nobody knows how it lies then.

import { $, button, complain, element, wholeNumber } from "../../page/scripts/elements.js";
import { recall, remember } from "../../page/scripts/memory.js";
import { LARGEST_SIDE, PlanError } from "../../page/scripts/planner.js";
import { GeneratorError, integersFrom, systemWords, uniformPermutation } from "../../page/scripts/randomness.js";
import { grouped, t } from "../../page/scripts/texts.js";
import { openExchange, say, showMessage } from "../scripts/exchange.js";
import { isAlone, openFrame } from "../scripts/frame.js";
import { hexOf } from "../scripts/sha256.js";
import { namesIn } from "./names.js";
import { FIRST, LONGEST_SESSION, MARK, orderText, productOf, readOther, SALT_BYTES, sealedOrder, SECOND, sealText, sessionNamed, taskFor } from "./orders.js";

const KEPT = "fairdeck-two", LARGEST = 10000;

// What this device knows: its own order, and what the other person has sent. `over`: play is over, so orders may be shown.
/** @type {{ own: SealedOrder, other: SealedOrder | null, seal: string, over: boolean } | null} */
let deal = null;

const keep = () => remember(KEPT, deal && { own: orderText(deal.own), other: deal.other && orderText(deal.other), seal: deal.seal, over: deal.over });

// Where nothing can be kept, the deal of this tab stays.
function recallDeal() {
  const kept = recall(KEPT), own = kept && readOther(String(kept.own))?.shown;
  if (own) deal = { own, other: readOther(String(kept.other))?.shown || null, seal: String(kept.seal), over: kept.over === true };
}

/** @type {() => Task | string} */
function taskTyped() {
  const cards = wholeNumber("size", 1, LARGEST), columns = wholeNumber("columns", 1, LARGEST_SIDE), rows = wholeNumber("rows", 1, LARGEST_SIDE);
  const asked = $("person").value === "2" && $("players").value.trim(), players = asked ? wholeNumber("players", 1, LARGEST) : 0;
  if (!cards) return t("faultCards", { n: LARGEST });
  if (!columns || !rows) return t("faultMat", { n: LARGEST_SIDE });
  if (players === null || players > cards) return t("faultHands", { cards });
  try {
    return taskFor(cards, columns, rows, players);
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return t("faultSpaces", { n: Number(error.cause) });
  }
}

function drawOwn() {
  const task = taskTyped(), session = sessionNamed($("session").value), fault = typeof task === "string" ? task : session ? "" : t("faultSession", { n: LONGEST_SESSION });
  if (!complain("fault", session ? [] : ["session"], fault) || typeof task === "string" || !session) return;
  try {
    const order = uniformPermutation(task.cards, integersFrom(systemWords()));
    deal = { own: sealedOrder(Number($("person").value), task, order, crypto.getRandomValues(new Uint8Array(SALT_BYTES)), session), other: null, seal: "", over: false };
  } catch (error) {
    if (!(error instanceof GeneratorError)) throw error;
    return say(t("generator"), true);
  }
  say(keep() ? "" : t("notKept"));
  show();
  $("step").focus();
}

// What people compare of a session: its first four bytes.
/** @type {(own: SealedOrder) => string} */
const inShort = ({ session }) => hexOf(session.slice(0, 4)).replace(/^..../, "$& ");

/** @type {(text: string) => void} */
function receive(text) {
  recallDeal();
  const found = readOther(text);
  if (!found) return say(t("notMessage"), true);
  if (!deal) return say(t("drawFirst"), true);
  if (hexOf(found.session) !== hexOf(deal.own.session)) return say(t("otherSession", { session: inShort(deal.own) }), true);
  if (found.person === deal.own.person) return say(t("samePerson"), true);
  const fault = found.seal ? takeSeal(hexOf(found.seal)) : takeOrder(/** @type {SealedOrder} */ (found.shown));
  say(fault || t(found.seal ? "tookSeal" : "tookOrder"), Boolean(fault));
  keep();
  show();
  if (found.shown && !fault) $("result-head").focus();
}

/** @type {(seal: string) => string} */
function takeSeal(seal) {
  if (!deal || (deal.seal && deal.seal !== seal)) return t("otherSeal");
  // Who has seen an order can make a seal of any other.
  if (deal.over && !deal.seal) return t("lateSeal");
  deal.seal = seal;
  return "";
}

/** @type {(shown: SealedOrder) => string} */
function takeOrder(shown) {
  if (!deal) return "";
  if (!deal.over) return t("tooEarly");
  if (shown.task.cards !== deal.own.task.cards) return t("otherSize", { n: shown.task.cards });
  if (deal.seal && hexOf(shown.seal) !== deal.seal) return t("notSealed");
  deal.other = shown;
  return "";
}

function show() {
  const now = deal;
  $("start").hidden = Boolean(now);
  for (const id of ["dealing", "end"]) $(id).hidden = !now;
  $("result").hidden = !(now && now.other);
  $("in").hidden = !now || Boolean(now.other);
  if (!now) return showMessage("");
  const { own, over } = now, { cards, mat, goal } = own.task;
  $("agreed").textContent = t(own.person === FIRST ? "youFirst" : "youSecond", { cards, mat: `${mat.columns} × ${mat.rows}`, session: inShort(own), what: goal.text === "deck" ? t("wholeDeck") : goal.text });
  $("step").textContent = t(over ? "stepShow" : "stepSeal");
  $("how").textContent = t(over ? "howShow" : "howSeal");
  $("seen").textContent = now.seal ? t("hasSeal") : t("noSeal");
  showMessage(over ? orderText(own) : sealText(own));
  $("go").hidden = over;
  $("deal").hidden = isAlone;
  $("deal").href = `./#${own.code}`;
  $("alone").textContent = isAlone ? t("codeAlone", { code: own.code }) : "";
  if (now.other) showResult(now.own, now.other);
}

/** @type {(own: SealedOrder, other: SealedOrder) => void} */
function showResult(own, other) {
  const [first, second] = own.person === FIRST ? [own, other] : [other, own], end = productOf(first.order, second.order).reverse();
  const typed = namesIn($("names").value), named = typed.length === end.length && new Set(typed).size === end.length;
  const cards = end.map((card) => (named ? typed[end.length - 1 - card] : grouped(end.length - card)));
  const sizes = second.task.goal.piles.length ? second.task.goal.piles : [cards.length];
  let at = 0;
  $("fits").textContent = `${t(deal && deal.seal ? "fits" : "unsealed")} ${t("fromTop")}`;
  $("unnamed").textContent = typed.length && !named ? t("unnamed", { n: end.length, typed: new Set(typed).size }) : "";
  $("cards").replaceChildren(...sizes.map((size, hand) => {
    const held = cards.slice(at, at += size);
    return sizes.length > 1 ? element("p", t("hand", { n: hand + 1, held: held.join(" ") })) : listOf(held);
  }));
}

/** @type {(cards: string[]) => HTMLElement} */
function listOf(cards) {
  const list = element("ol");
  list.append(...cards.map((card) => element("li", card)));
  return list;
}

// Shown orders tell who holds what, so this is asked once more.
function playIsOver() {
  const sure = button(t("overSure"), () => {
    if (!deal) return;
    deal.over = true;
    keep();
    show();
    $("step").focus();
  }, "quiet");
  $("over").replaceWith(sure);
  sure.focus();
}

// Without its order nobody can check a deal, so this is asked once more until both orders are here.
function leave() {
  const forget = () => {
    deal = null;
    keep();
    location.reload();
  };
  if (!deal || deal.other) return forget();
  const sure = button(t("leaveSure"), forget);
  $("leave").replaceWith(sure);
  sure.focus();
}

const showHands = () => { $("hands").hidden = $("person").value !== String(SECOND); };

openFrame();
recallDeal();
show();
showHands();
openExchange(MARK, receive);
$("plan").addEventListener("change", showHands);
$("plan").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  drawOwn();
});
$("over").addEventListener("click", playIsOver);
$("leave").addEventListener("click", leave);
$("names").addEventListener("input", show);
// Another tab of this device took a message.
addEventListener("storage", (event) => {
  if (event.key !== KEPT) return;
  deal = null;
  recallDeal();
  show();
});
