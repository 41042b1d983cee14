// Several phones draw one order, and nobody chooses it. First three secrets that move a deck; then a real draw, in which
// each phone shows messages that the others scan, open or type.

import { $, button, element, option, wholeNumber } from "../../page/scripts/elements.js";
import { drawLine } from "../../page/scripts/line.js";
import { keepDrawn } from "../../page/scripts/canvas.js";
import { hands, wholeDeck } from "../../page/scripts/planner.js";
import { integersFrom, uniformPermutation } from "../../page/scripts/randomness.js";
import { grouped, t } from "../../page/scripts/texts.js";
import { hashed } from "../scripts/agreement.js";
import { freshSeed } from "../scripts/hash.js";
import { openPrediction } from "../scripts/predict.js";
import { openDrawing, showDeal, showDraw, taskTyped } from "../scripts/drawing.js";
import { codeOf, isOver, seedDrawn } from "../scripts/session.js";
import { bytesOf, numberBytes, sha256 } from "../scripts/sha256.js";

/** @type {(people: string[]) => Pick<Agreement, "way" | "deals"> | string} */
function typed(people) {
  const task = taskTyped((cards) => {
    const most = Math.floor(cards / Math.max(1, people.length)), each = $("hands").value.trim() ? wholeNumber("hands", 1, most) : 0;
    if (each === null) return t("faultRange", { field: t("hands"), n: most });
    return each ? hands(cards, Array(people.length).fill(each), "stock") : wholeDeck();
  }, false);
  return typeof task === "string" ? task : { way: "seed", deals: [task] };
}

// The texts of the step that the draw is at: its heading, and what to do.
/** @type {(now: CommonDraw) => string[]} */
function stepOf(now) {
  if (isOver(now)) return ["stepResult", "howResult"];
  const isFirst = now.state === "committed";
  if (now.collects) return [isFirst ? "stepInvite" : "stepList", "howInvite"];
  return [isFirst ? "stepCommitment" : "stepSecret", "howSend"];
}

/** @type {(now: CommonDraw | null) => void} */
function showMore(now) {
  if (!now || !isOver(now)) return;
  const { agreement } = now, { decks, deals } = agreement;
  $("word").textContent = codeOf(now);
  $("decks").hidden = decks === 1;
  if ($("deck").length !== decks) $("deck").replaceChildren(...Array.from({ length: decks }, (_, deck) => option(String(deck), grouped(deck + 1))));
  showDeal(deals[0], orderOf(agreement, seedDrawn(now), Number($("deck").value) || 0));
}

/** @type {(agreement: Agreement, seed: Uint8Array, deck: number) => number[]} */
export const orderOf = ({ deals }, seed, deck) => uniformPermutation(deals[0].cards, integersFrom(seededWords(hashed("deck", seed, deck))));

// MGF1 with SHA-256 (RFC 8017, B.2.1): block i is the hash of the seed and i.
/** @type {(seed: Uint8Array) => Words} */
function seededWords(seed) {
  let block = new DataView(new ArrayBuffer(0)), at = 0, counter = 0;
  return () => {
    if (at === block.byteLength) {
      block = new DataView(sha256(bytesOf(seed, numberBytes(counter++, 4))).buffer);
      at = 0;
    }
    at += 4;
    return block.getUint32(at - 4);
  };
}

// --- the picture: three secrets, each in its ink, and the deck that all of them move

const CARDS = 52, INKS = ["mark", "line", "paper-ink"], ORDERS = ["ABC", "ACB", "BAC", "BCA", "CAB", "CBA"];
// For pictures alone: no deck is dealt from these.
const anyBelow = integersFrom(freshSeed);
const freshOrder = () => uniformPermutation(CARDS, anyBelow);
const secrets = INKS.map(freshOrder), numbers = [2, 5];

/** @type {() => number[]} */
const movedByAll = () => secrets.reduce((deck, order) => order.map((place) => deck[place]));

/** @type {(person: number, name: string) => void} */
function drawAgain(person, name) {
  const before = movedByAll();
  secrets[person] = freshOrder();
  const after = movedByAll(), n = after.filter((card, place) => card === before[place]).length;
  drawSecrets();
  $("moved").textContent = t("moved", { name, n });
}

function drawSecrets() {
  const canvases = $("secrets").querySelectorAll("canvas");
  secrets.forEach((order, person) => drawLine(canvases[person], order, () => INKS[person]));
  drawLine(canvases[secrets.length], movedByAll(), (card) => INKS[card % INKS.length]);
}

function openPicture() {
  const names = t("peopleAs").split(", "), deck = () => element("canvas", "", "deck paper");
  $("secrets").append(...names.map((name, person) => button([deck(), element("b", name)], () => drawAgain(person, name), "", { "aria-label": t("secret", { name }) })), element("div", [deck(), element("b", t("all"))]));
  keepDrawn(drawSecrets);
  openPrediction(["answerBegan", "answerTwo", "answerNone"].map((who) => [who, t(who)]), "answerNone", () => { $("reveal").textContent = t("reveal"); });
  $("numbers").append(...numbers.map((_, person) => button("", () => { numbers[person] = (numbers[person] + 1) % ORDERS.length; showSums(names); })));
  showSums(names);
}

// Whatever the first two have put in, the third number makes each order once.
/** @type {(names: string[]) => void} */
function showSums(names) {
  [...$("numbers").children].forEach((made, person) => { made.textContent = `${names[person]}: ${numbers[person]}`; });
  $("sums").replaceChildren(...ORDERS.map((_, third) => element("span", `${names[2]}: ${third} → ${ORDERS[(numbers[0] + numbers[1] + third) % ORDERS.length]}`)));
}

openDrawing({ kept: "fairdeck-together", typed, stepOf, showMore });
$("deck").addEventListener("change", showDraw);
openPicture();
