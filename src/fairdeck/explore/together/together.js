// Several phones draw one order, and nobody chooses it. Each shows messages that the others scan, open or type.

import { writeCode } from "../../page/scripts/code.js";
import { dealOf } from "../../page/scripts/dealing.js";
import { $, button, complain, element, option, wholeNumber } from "../../page/scripts/elements.js";
import { recall, remember } from "../../page/scripts/memory.js";
import { checkTask, hands, LARGEST_SIDE, makeMat, PlanError, wholeDeck } from "../../page/scripts/planner.js";
import { GeneratorError, testGenerator } from "../../page/scripts/randomness.js";
import { grouped, t } from "../../page/scripts/texts.js";
import { openExchange, say, showMessage } from "../scripts/exchange.js";
import { isAlone, openFrame } from "../scripts/frame.js";
import { agreementOf, areDistinct, FEWEST_PEOPLE, isName, LONGEST_NAME, MOST_PEOPLE } from "./agreement.js";
import { orderOf, resultCode } from "./drawn.js";
import { DrawError, invitedTo, join, MARK, messageNow, namedVoid, newDraw, packed, readInvitation, seedDrawn, take, unpacked } from "./session.js";

const KEPT = "fairdeck-together", LARGEST = 10000, SECRET_BYTES = 32, SESSION_BYTES = 16;

/** @type {CommonDraw | null} */
let draw = null;

// --- what is kept on this device: a link that the camera opens comes in another tab

const keep = () => remember(KEPT, draw && packed(draw));

// Where nothing can be kept, the draw of this tab stays.
function recallDraw() {
  draw = unpacked(recall(KEPT)) || draw;
}

/** @type {(size: number) => Uint8Array} */
function randomBytes(size) {
  testGenerator();
  return crypto.getRandomValues(new Uint8Array(size));
}

// --- beginning

/** @type {() => Task | string} */
function taskTyped() {
  const cards = wholeNumber("size", 1, LARGEST), columns = wholeNumber("columns", 1, LARGEST_SIDE), rows = wholeNumber("rows", 1, LARGEST_SIDE), people = namesTyped().length;
  const each = $("each").value.trim() ? wholeNumber("each", 1, LARGEST) : 0;
  if (!cards) return t("faultCards", { n: LARGEST });
  if (!columns || !rows) return t("faultMat", { n: LARGEST_SIDE });
  if (each === null || each * people > cards) return t("faultHands", { people, cards });
  const goal = each ? hands(cards, Array(people).fill(each), "stock") : wholeDeck();
  const task = { cards, mat: makeMat(columns, rows), goal, dealers: 1, leastPasses: 1, classic: false, bottom: "pass" };
  try {
    checkTask(task);
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return t("faultSpaces", { n: Number(error.cause) });
  }
  return task;
}

const namesTyped = () => $("people").value.split(/[,;\n]/).map((/** @type {string} */ name) => name.trim().replace(/\s+/g, " ").normalize("NFC")).filter(Boolean);

function begin() {
  const people = namesTyped(), odd = people.find((/** @type {string} */ name) => !isName(name, LONGEST_NAME)), task = taskTyped();
  const few = people.length < FEWEST_PEOPLE || people.length > MOST_PEOPLE, fault =
    few ? t("faultPeople", { n: MOST_PEOPLE }) : odd ? t("faultName", { name: odd, n: LONGEST_NAME }) : !areDistinct(people, "NFKC") ? t("faultTwice") : typeof task === "string" ? task : "";
  if (!complain("fault", few || odd ? ["people"] : [], fault) || typeof task === "string") return;
  start({ task, people, attempt: 1, before: new Uint8Array(0) });
  $("step").focus();
}

/** @type {(agreed: Pick<Agreement, "task" | "people" | "attempt" | "before">, said?: string) => void} */
function start(agreed, said = "") {
  guarded(() => {
    const rest = { session: randomBytes(SESSION_BYTES), decks: 1, names: [], deadline: "", beacon: new Uint8Array(0), note: "" };
    const fresh = newDraw(agreementOf({ ...agreed, ...rest }), true);
    join(fresh, 0, randomBytes(SECRET_BYTES));
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
    if (!keep()) said = said || t("notKept");
    say(said);
  } catch (error) {
    if (error instanceof GeneratorError) say(t("generator"), true);
    else if (error instanceof DrawError) say(t(error.message, error.values), true);
    else throw error;
  }
  show();
}

// --- receiving

/** @type {(text: string) => void} */
function receive(text) {
  const before = $("step").textContent;
  recallDraw();
  guarded(() => {
    const invited = readInvitation(text);
    if (invited) return takeInvitation(invited);
    if (!draw) throw new DrawError("invitationFirst");
    // On a copy: a message that is refused changes nothing.
    const next = /** @type {CommonDraw} */ (unpacked(packed(draw))), had = seedDrawn(draw), kind = take(next, text);
    draw = next;
    return seedDrawn(draw) && !had ? t("finished") : t({ C: "tookC", L: "tookL", R: "tookR", S: "tookS" }[kind] || "");
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

// --- showing

/** @type {(agreement: Agreement) => string} */
function agreedText({ task, people, attempt, note, decks, names }) {
  const { cards, mat, goal } = task, what = goal.text === "deck" ? t("wholeDeck") : goal.text;
  return [
    t("agreed", { cards, what, mat: `${mat.columns} × ${mat.rows}`, n: people.length }), decks > 1 ? t("manyDecks", { n: decks }) : "",
    attempt > 1 ? t("attempt", { n: attempt }) : "", names.length ? t("named", { name: names[names.length - 1] }) : "", note,
  ].filter(Boolean).join(" ");
}

// The texts of the step that the draw is at: its heading, and what to do.
/** @type {(now: CommonDraw) => [string, string]} */
function stepOf(now) {
  if (seedDrawn(now)) return ["stepResult", "howResult"];
  if (now.me < 0) return ["stepWho", "howWho"];
  if (now.collects) return now.sealed ? ["stepList", "howList"] : ["stepInvite", "howInvite"];
  return now.sealed ? ["stepSecret", "howSecret"] : ["stepCommitment", "howCommitment"];
}

function show() {
  const now = draw;
  $("start").hidden = Boolean(now);
  $("draw").hidden = $("end").hidden = !now;
  if (!now) return;
  const { agreement, me } = now, [step, how] = stepOf(now), asks = me < 0, seed = seedDrawn(now), message = messageNow(now);
  $("agreed").textContent = agreedText(agreement);
  $("state").replaceChildren(...agreement.people.map((name, person) => personShown(now, name, person)));
  const heading = t(step, { name: agreement.people[0] });
  if ($("step").textContent !== heading) $("step").textContent = heading;
  $("how").textContent = (seed && now.collects ? `${t("howResultAll")} ` : "") + t(how, { missing: missingNames(now) });
  $("who").replaceChildren(...(asks ? agreement.people.map((name, person) => button(name, () => chooseMe(person))) : []));
  showMessage(message ? message.text : "");
  $("in").hidden = Boolean(seed) || asks;
  $("void").hidden = !now.collects || Boolean(seed);
  $("result").hidden = !seed;
  if (seed) showResult(now, seed);
}

/** @type {(now: CommonDraw, name: string, person: number) => HTMLElement} */
function personShown({ me, commitments, secrets }, name, person) {
  const state = secrets[person] ? "shown" : commitments[person] ? "has" : "", label = person === me ? t("you", { name }) : name;
  return element("li", `${label}: ${t(state === "shown" ? "hasShown" : state ? "hasCommitted" : "waiting")}`, state);
}

// Whose message the collecting device waits for.
/** @type {(now: CommonDraw) => string} */
function missingNames({ agreement, sealed, commitments, secrets, me }) {
  const has = sealed ? secrets : commitments;
  return agreement.people.filter((_, person) => !has[person] && person !== me).join(", ");
}

/** @type {(now: CommonDraw, seed: Uint8Array) => void} */
function showResult({ agreement }, seed) {
  $("word").textContent = resultCode(seed);
  $("decks").hidden = agreement.decks === 1;
  if ($("deck").length !== agreement.decks) $("deck").replaceChildren(...Array.from({ length: agreement.decks }, (_, deck) => option(String(deck), grouped(deck + 1))));
  const code = writeCode(dealOf(agreement.task, orderOf(agreement, seed, Number($("deck").value) || 0)));
  $("deal").hidden = isAlone;
  $("deal").href = `./#${code}`;
  $("alone").textContent = isAlone ? t("codeAlone", { code }) : "";
}

/** @type {(me: number) => void} */
function chooseMe(me) {
  guarded(() => {
    // Another tab may have drawn a secret, unseen by this one.
    recallDraw();
    if (draw && draw.me < 0) join(draw, me, randomBytes(SECRET_BYTES));
  });
  $("step").focus();
}

// --- ending

// The next attempt has a number, and names the one before: nobody can try until a draw suits.
function beginAgain() {
  recallDraw();
  if (!draw || !draw.collects || seedDrawn(draw)) return show();
  const { task, people, attempt } = draw.agreement;
  start({ task, people, attempt: attempt + 1, before: namedVoid(draw) }, t("voided", { n: attempt, missing: missingNames(draw) }));
}

function leave() {
  draw = null;
  keep();
  say("");
  showMessage("");
  show();
  $("people").focus();
}

/** @type {(id: string, act: () => any) => void} */
const onClick = (id, act) => $(id).addEventListener("click", act);

openFrame();
recallDraw();
show();
openExchange(MARK, receive);
$("plan").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  begin();
});
onClick("void", beginAgain);
onClick("leave", leave);
$("deck").addEventListener("change", show);
// Another tab of this device took a message; perhaps while the browser had put this tab to sleep.
function recallChanged() {
  draw = null;
  recallDraw();
  show();
}
addEventListener("storage", (event) => {
  if (event.key === KEPT) recallChanged();
});
addEventListener("pageshow", (event) => {
  if (event.persisted && recall(KEPT)) recallChanged();
});
