// A draw on this device: what it keeps, takes and shows. The page says how a draw begins, and what is dealt.

import { STATES } from "../../page/scripts/built.js";
import { codeWith, sumOf } from "../../page/scripts/code.js";
import { saveFile } from "../../page/scripts/copying.js";
import { $, button, complain, element, wholeNumber } from "../../page/scripts/elements.js";
import { recall, remember } from "../../page/scripts/memory.js";
import { fits, LARGEST_SIDE, makeMat } from "../../page/scripts/planner.js";
import { GeneratorError, integersFrom, systemWords, testGenerator } from "../../page/scripts/randomness.js";
import { pieces, t } from "../../page/scripts/texts.js";
import { agreementOf, areDistinct, FEWEST_PEOPLE, isName, LONGEST_NAME, MOST_PEOPLE } from "./agreement.js";
import { openExchange, say, showMessage } from "./exchange.js";
import { isAlone, openFrame } from "./frame.js";
import { ownDrawn } from "./own.js";
import { DrawError, invitedTo, isOver, join, MARK, messageNow, newDraw, packed, readInvitation, take, transcriptOf, unpacked, voidOf } from "./session.js";

export const LARGEST = 10000;
const SECRET_BYTES = 32, SESSION_BYTES = 16;

/** @type {CommonDraw | null} */
let draw = null;
// Of the page: where it keeps a draw; its agreement from what was typed, or what is wrong; the step that a draw is at;
// and what it shows of a draw besides.
// And the text that asks once more before a draw is left, if it does.
/** @type {{ kept: string, typed: (people: string[]) => Pick<Agreement, "way" | "deals"> | string, stepOf: (draw: CommonDraw) => string[], showMore: (draw: CommonDraw | null) => void, sure?: string }} */
let page;

const keep = () => remember(page.kept, draw && packed(draw));

// Where nothing can be kept, the draw of this tab stays.
const recallDraw = () => { draw = unpacked(recall(page.kept)) || draw; };

/** @type {(size: number) => Uint8Array} */
function randomBytes(size) {
  testGenerator();
  return crypto.getRandomValues(new Uint8Array(size));
}

/** @type {(agreement: Agreement, me: number) => Uint8Array} */
const drawOwn = (agreement, me) => ownDrawn(agreement, me, randomBytes(SECRET_BYTES), integersFrom(systemWords()));

const namesTyped = () => $("people").value.split(/[,;\n]/).map((/** @type {string} */ name) => name.trim().replace(/\s+/g, " ").normalize("NFC")).filter(Boolean);

// The task that was typed, or what is wrong with it.
/** @type {(goalTyped: (cards: number) => Goal | string, classic: boolean) => Task | string} */
export function taskTyped(goalTyped, classic) {
  const cards = wholeNumber("size", 1, LARGEST), columns = wholeNumber("columns", 1, LARGEST_SIDE), rows = wholeNumber("rows", 1, LARGEST_SIDE);
  if (!cards) return t("faultRange", { field: t("cards"), n: LARGEST });
  if (!columns || !rows) return t("faultRange", { field: t("mat"), n: LARGEST_SIDE });
  const goal = goalTyped(cards);
  if (typeof goal === "string") return goal;
  const task = { cards, mat: makeMat(columns, rows), goal, dealers: 1, leastPasses: 1, classic, bottom: classic ? "classic" : "pass" };
  return fits(task) ? task : t("faultMat", { n: 2 });
}

function begin() {
  const people = namesTyped(), odd = people.find((/** @type {string} */ name) => !isName(name, LONGEST_NAME)), agreed = page.typed(people);
  const few = people.length < FEWEST_PEOPLE || people.length > MOST_PEOPLE, fault =
    few ? t("faultPeople", { n: MOST_PEOPLE }) : odd ? t("faultName", { name: odd, n: LONGEST_NAME }) : !areDistinct(people) ? t("faultTwice") : typeof agreed === "string" ? agreed : "";
  if (!complain("fault", few || odd ? ["people"] : [], fault) || typeof agreed === "string") return;
  start({ ...agreed, people, attempt: 1, before: new Uint8Array(0) }, []);
  $("step").focus();
}

/** @type {(agreed: Pick<Agreement, "way" | "deals" | "people" | "attempt" | "before">, voids: any[], said?: string) => void} */
function start(agreed, voids, said = "") {
  guarded(() => {
    const rest = { session: randomBytes(SESSION_BYTES), decks: 1, names: [], start: "same", called: [], deadline: "", beacon: new Uint8Array(0), note: "" };
    const fresh = newDraw(agreementOf({ ...agreed, ...rest }), true, voids);
    join(fresh, 0, drawOwn(fresh.agreement, 0));
    draw = fresh;
    return said;
  });
}

// Does it, keeps what it gives, and shows it; says what is wrong.
/** @type {(act: () => any) => void} */
function guarded(act) {
  let said = "";
  try {
    said = act() || "";
    if (!keep()) said = said || t("keepsNothing");
    say(said);
  } catch (error) {
    if (error instanceof GeneratorError) say(t("faultGenerator"), true);
    else if (error instanceof DrawError) say(t(error.message, error.values), true);
    else throw error;
  }
  showDraw();
}

// Changes the draw as it is kept now: another tab may have done something, unseen by this one.
/** @type {(act: (draw: CommonDraw) => any) => void} */
export function change(act) {
  guarded(() => {
    recallDraw();
    return draw && act(draw);
  });
  $("step").focus();
}

/** @type {(text: string) => void} */
function receive(text) {
  const before = $("step").textContent;
  recallDraw();
  guarded(() => {
    const invited = readInvitation(text);
    if (invited) return takeInvitation(invited);
    if (!draw) throw new DrawError("invitationFirst");
    // On a copy: a message that is refused changes nothing.
    const next = /** @type {CommonDraw} */ (unpacked(packed(draw))), had = isOver(draw), kind = take(next, text);
    draw = next;
    return isOver(draw) && !had ? t("finished") : t({ C: "tookC", L: "tookL" }[kind] || "tookR");
  });
  // So a person with a keyboard or a screen reader goes on at the new step.
  if (before && $("step").textContent !== before) $("step").focus();
}

/** @type {(agreement: Agreement) => string} */
function takeInvitation(agreement) {
  const before = draw;
  draw = invitedTo(draw, agreement);
  return draw === before ? t("sameDraw") : "";
}

/** @type {(agreement: Agreement) => string} */
function agreedText({ deals, people, attempt, note, decks, names }) {
  const { cards, mat, goal } = deals[deals.length - 1], what = pieces([t("nCards", { n: cards }), goal.text !== "deck" && goal.text]);
  return [
    t("agreed", { what, mat: `${mat.columns} × ${mat.rows}`, n: people.length }), decks > 1 ? t("manyDecks", { n: decks }) : "",
    attempt > 1 ? t("attempt", { n: attempt }) : "", names.length ? t("named", { name: names[names.length - 1] }) : "", note,
  ].filter(Boolean).join(" ");
}

export function showDraw() {
  const now = draw;
  $("start").hidden = Boolean(now);
  // Who scans a code is to see the draw, and not what the page argues.
  document.body.classList.toggle("drawing", Boolean(now));
  $("draw").hidden = $("end").hidden = !now;
  $("result").hidden = !now || !isOver(now);
  if (!now) return page.showMore(now);
  const { agreement, me, collects } = now, asks = me < 0, over = isOver(now), [step, how] = asks ? ["stepWho", "howWho"] : page.stepOf(now), message = messageNow(now);
  $("agreed").textContent = agreedText(agreement);
  $("state").replaceChildren(...agreement.people.map((name, person) => personShown(now, name, person)));
  const heading = t(step, { name: agreement.people[0] });
  if ($("step").textContent !== heading) $("step").textContent = heading;
  $("how").textContent = (over && collects ? `${t("howResultAll")} ` : "") + t(how, { missing: missingNames(now) });
  $("who").replaceChildren(...(asks ? agreement.people.map((name, person) => button(name, () => chooseMe(person))) : []));
  showMessage(message ? message.text : "");
  $("in").hidden = over || asks;
  $("void").hidden = !collects || !isVoidable(now);
  $("save").hidden = !over || !transcriptOf(now);
  page.showMore(now);
}

// How a deck is dealt: a link, or its code where no dealing page lies beside this one.
/** @type {(task: Task, order: number[]) => void} */
export function showDeal(task, order) {
  const code = codeWith({ task, order, dealer: 0, at: 0 }, sumOf);
  $("deal-it").hidden = isAlone;
  $("deal-it").href = `./#${code}`;
  $("alone").textContent = isAlone ? t("codeAlone", { code }) : "";
}

/** @type {(now: CommonDraw, name: string, person: number) => HTMLElement} */
function personShown({ me, commitments, owns }, name, person) {
  const state = owns[person] ? "shown" : commitments[person] ? "has" : "", label = person === me ? t("you", { name }) : name;
  return element("li", `${label}: ${t(state === "shown" ? "hasShown" : state ? "hasCommitted" : "waiting")}`, state);
}

// Whose message the collecting device waits for.
/** @type {(now: CommonDraw) => string} */
function missingNames({ agreement, state, commitments, owns, me }) {
  const has = state === "committed" ? commitments : owns;
  return agreement.people.filter((_, person) => !has[person] && person !== me).join(", ");
}

/** @type {(me: number) => void} */
const chooseMe = (me) => change((now) => {
  if (now.me < 0) join(now, me, drawOwn(now.agreement, me));
});

/** @type {(now: CommonDraw) => boolean} */
const isVoidable = ({ state }) => STATES[state].next in STATES;

// The next attempt has a number, and names the one before: nobody can try until a draw suits.
function beginAgain() {
  recallDraw();
  const now = draw;
  if (!now || !now.collects || !isVoidable(now)) return showDraw();
  const missing = missingNames(now), { way, deals, people, attempt } = now.agreement;
  const { before, fields } = voidOf(now);
  start({ way, deals, people, attempt: attempt + 1, before }, [...now.voids, fields], t("voided", { n: attempt, missing }));
}

// Does what a button says only when it is tapped again.
/** @type {(id: string, text: string, act: () => void) => void} */
export function askTwice(id, text, act) {
  const first = $(id), sure = button(text, () => {
    sure.replaceWith(first);
    act();
  }, "quiet");
  first.replaceWith(sure);
  sure.focus();
}

const mayLeave = () => (page.sure && draw && !isOver(draw) ? askTwice("leave", t(page.sure), leave) : leave());

function leave() {
  draw = null;
  keep();
  say("");
  showMessage("");
  showDraw();
  $("people").focus();
}

// Another tab of this device took a message; perhaps while the browser had put this tab to sleep.
function recallChanged() {
  draw = null;
  recallDraw();
  showDraw();
}

/** @type {(of: typeof page) => void} */
export function openDrawing(of) {
  page = of;
  openFrame();
  recallDraw();
  showDraw();
  openExchange(MARK, receive);
  $("plan").addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    begin();
  });
  for (const [id, act] of Object.entries({ void: beginAgain, leave: mayLeave, save: () => draw && saveFile("transcript.json", transcriptOf(draw)) })) $(id).addEventListener("click", act);
  addEventListener("storage", (event) => {
    if (event.key === page.kept) recallChanged();
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted && recall(page.kept)) recallChanged();
  });
}
