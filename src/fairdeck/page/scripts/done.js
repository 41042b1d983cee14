// The end of a deal: what has just happened. Its picture is a deck drawn here and now: the deal's order is forgotten.

import { wantsCalm } from "./beat.js";
import { keepDrawn } from "./canvas.js";
import { factorial } from "./code.js";
import { deal, host } from "./current.js";
import { $, button, element, one, svg } from "./elements.js";
import { drawLine } from "./line.js";
import { forgetHistory, isOwn, ownHistory, paceOf } from "./pace.js";
import { integersFrom, orderFor } from "./randomness.js";
import { pilesHere } from "./planner.js";
import { clock } from "./taps.js";
import { grouped, language, pieces, t, twoPlaces } from "./texts.js";

// If a billion computers had shuffled a billion decks a second for 30 years, which people never did, that were 10^27
// decks. One of them lay like this one with a chance of at most 10^27 over the number of orders: here below 10^-12.
export const NEVER_SEEN = 10n ** 39n;
const IN_FULL = 10n ** 7n; // below it a number is written out
const LATE = 0.9, FALLS = 0.7, JUST_NOW = 1; // seconds: until the last piece falls, its fall, since a tap

/** @type {{ of: any, decks: number[][], rows: number[], began: number }} */
let dust = { of: null, decks: [], rows: [], began: 0 };

// One word a call: the words that deals are drawn from are not touched.
const anyBelow = integersFrom(() => crypto.getRandomValues(new Uint32Array(1))[0]);

// Falls once, when the last tap ended the deal; after a reload it lies there.
function newDust() {
  const deck = orderFor(deal.task, anyBelow), decks = deal.lesson?.way(deck) ?? [deck];
  const rows = [...deck], since = clock() - deal.last;
  deck.forEach((card, place) => { rows[card] = deck.length - 1 - place; });
  if (!dust.of) keepDrawn(drawDust);
  dust = { of: deal, decks, rows, began: since >= 0 && since < JUST_NOW && !wantsCalm() ? clock() : -Infinity };
}

// A piece falls from where its card lay in the sorted deck, the upper ones first.
function drawDust() {
  const { decks, rows, began } = dust, last = decks.length - 1, n = rows.length, now = clock() - began;
  document.querySelectorAll("#end canvas").forEach((/** @type {any} */ canvas, i) => drawLine(canvas, decks[i], undefined, i < last ? undefined : (row, card) => {
    const from = n - 1 - card, part = Math.min(1, Math.max(0, (now - (LATE * from) / n) / FALLS));
    return from + (rows[card] - from) * (1 - (1 - part) ** 3);
  }));
  if (now < LATE + FALLS) requestAnimationFrame(drawDust);
}

/** @type {(task: Task) => bigint} */
export const waysOf = ({ cards, goal: { piles, loose, parts = [] } }) => [...piles, loose].reduce((ways, size) => ways / factorial(size), (
  parts.reduce((ways, size, i) => ways * BigInt(size * (i + 1)), factorial(cards - parts.length))));
const sizesHere = () => /[\dx,]+/.exec(deal.plan.goal)?.[0].replace(/x/g, " × ").replace(/,/g, ", ");

// In full, or its first digit and the power of ten.
/** @type {(ways: bigint) => string[]} */
export function written(ways) {
  if (ways < IN_FULL) return [grouped(Number(ways))];
  const digits = String(ways), first = Math.round(Number(digits.slice(0, 3)) / 100), power = digits.length - 1;
  return first % 9 === 1 ? ["10", `${power + Number(first > 1)}`] : [`${first} × 10`, `${power}`];
}

// The sentence with the number in it, and the same as a text. The page does not vouch for an order drawn elsewhere.
/** @type {() => [any, string]} */
function sentence() {
  const [kind, n] = deal.plan.goal.split(":");
  if (deal.foreign) {
    const told = (kind === "top" ? `${t("topCards")}: ${n}. ` : "") + t("foreign");
    return [told, told];
  }
  const ways = waysOf(deal.task), [number, power] = written(ways);
  /** @type {(number: string) => string} */
  const say = (number) => t(`one_${kind}`, { number, n: Number(n), sizes: sizesHere() }) + (kind !== "hands" && ways >= NEVER_SEEN ? ` ${t("neverSeen")}` : "") + (deal.task.turn ? ` ${t("turnDone")}` : "");
  const [before, after] = say("\n").split("\n");
  return [[before, element("em", [number, power && element("sup", power)]), after], say(power ? `${number}^${power}` : number)];
}

/** @type {(figures: [string, string][]) => HTMLElement} */
const figuresOf = (figures) => element("dl", figures.map(([value, what]) => element("div", [element("dt", what), element("dd", value)])));

/** @type {(since: string) => string} */
const monthOf = (since) => new Date(`${since}-02`).toLocaleDateString(language, { month: "long", ...(since.slice(0, 4) !== String(new Date().getFullYear()) && { year: "numeric" }) });

// How fast: this deal, and those before it that this device knows.
/** @type {() => any[]} */
function paceParts() {
  const { decks, since, paces } = ownHistory(), pace = isOwn(deal) && decks > 0 && paceOf(deal), seconds = Math.round(deal.spent);
  /** @type {[string, string][]} */
  const figures = [[`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`, pieces([t("nCards", { n: deal.task.cards }), t("nPasses", { n: deal.plan.passes.length })])]];
  if (pace) figures.push([t("seconds", { n: twoPlaces(pace) }), pieces([t("aCard"), paces.length > 1 && paces.slice(0, -1).every((other) => other > pace) && t("best")])]);
  if (!isOwn(deal) || !decks) return [figuresOf(figures)];
  const most = Math.max(...paces), bars = element("div", paces.map(() => element("i")), "paces", { "aria-hidden": true });
  [...bars.children].forEach((bar, i) => bar.style.setProperty("--pace", paces[i] / most));
  const forget = button(t("forgetHistory"), () => { forgetHistory(); $("end").querySelector("dl").parentElement.replaceChildren(...paceParts()); $("next").focus(); }, "link");
  return [figuresOf([...figures, [grouped(decks), t("decksSince", { n: decks, month: monthOf(since) })]]), paces.length > 1 && bars, element("p", [paces.length > 1 && `${t("hereOnly")} `, forget], "fine")].filter(Boolean);
}

/** @type {() => HTMLElement} */
function restsOn() {
  const rests = element("details", [element("summary", t("restsOn")), element("p", `${deal.foreign || deal.dealer ? "" : t("ifNone")} ${host.ending(deal)}`, "", { id: "rests" })]);
  // What is still to be done is not folded.
  rests.open = deal.gone === false || !!deal.linked || $("end").querySelector("details")?.open;
  return rests;
}

// What the first dealer does where the mat had no space for each hand.
/** @type {() => string} */
function offTheTop() {
  if (deal.dealer || !pilesHere(deal.task, true).length) return "";
  return `${t("countOff", { hands: sizesHere() })} ${t("theseHands")}`;
}

/** @type {(say: (label: string, look: Say) => void) => string[]} */
export function doneScreen(say) {
  const title = t(deal.dealer ? "partDealt" : pilesHere(deal.task).length ? "handsDealt" : "shuffled"), off = offTheTop();
  const [shown, aloud] = deal.dealer ? [t("waitReady"), t("waitReady")] : sentence();
  if (dust.of !== deal) newDust();
  say(title, { words: true, aloud: `${title}. ${off} ${aloud}` });
  $("mat").replaceChildren();
  const shows = t(deal.lesson?.picture ?? "fairSide"), canvases = dust.decks.map(() => element("canvas", "", "deck paper"));
  const picture = !deal.dealer && !host.given && element("figure", [element("div", canvases, "", { role: "img", "aria-label": shows }),
    element("figcaption", `${shows} ${deal.gone && !deal.linked ? t("isForgotten") : ""}`, "fine")]);
  $("end").replaceChildren(element("h1", [title, svg(24, 24, ["M12 0a12 12 0 1 0 .1 0", "m6.5 12.5 4 4 7.5-8.5"], "tick")]), ...[picture].filter(Boolean),
    element("div", [off && element("p", off, "lead"), element("p", shown, "number"), element("div", deal.dealer ? [] : paceParts(), "pace"), restsOn()]));
  if ($("send")) $("send").hidden = Boolean(deal.dealer || deal.foreign);
  drawDust();
  return [deal.dealer ? "" : t("allDone")];
}

// The sentence that the screen shows.
export async function sendSentence() {
  const [, text] = sentence();
  try {
    if (navigator.share) return await navigator.share({ text });
    await navigator.clipboard.writeText(text);
    one("#send span").textContent = t("copied");
  } catch { /* the player changed their mind, or the browser forbids it */ }
}
