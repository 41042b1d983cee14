// Several phones draw one order, and nobody chooses it. Each shows messages that the others scan, open or type.

import { $, option, wholeNumber } from "../../page/scripts/elements.js";
import { hands, wholeDeck } from "../../page/scripts/planner.js";
import { integersFrom, uniformPermutation } from "../../page/scripts/randomness.js";
import { grouped, t } from "../../page/scripts/texts.js";
import { hashed } from "../scripts/agreement.js";
import { LARGEST, openDrawing, showDeal, showDraw, taskTyped } from "../scripts/drawing.js";
import { codeOf, isOver, seedDrawn } from "../scripts/session.js";
import { bytesOf, numberBytes, sha256 } from "../scripts/sha256.js";

/** @type {(people: string[]) => Pick<Agreement, "way" | "deals"> | string} */
function typed(people) {
  const task = taskTyped((cards) => {
    const each = $("each").value.trim() ? wholeNumber("each", 1, LARGEST) : 0;
    if (each === null || each * people.length > cards) return t("faultHands", { people: people.length, cards });
    return each ? hands(cards, Array(people.length).fill(each), "stock") : wholeDeck();
  }, false);
  return typeof task === "string" ? task : { way: "seed", deals: [task] };
}

// The texts of the step that the draw is at: its heading, and what to do.
/** @type {(now: CommonDraw) => string[]} */
function stepOf(now) {
  if (isOver(now)) return ["stepResult", "howResult"];
  const isFirst = now.state === "committed";
  if (now.collects) return isFirst ? ["stepInvite", "howInvite"] : ["stepList", "howList"];
  return isFirst ? ["stepCommitment", "howCommitment"] : ["stepSecret", "howSecret"];
}

/** @type {(now: CommonDraw) => void} */
function showMore(now) {
  if (!isOver(now)) return;
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

openDrawing({ kept: "fairdeck-together", typed, stepOf, showMore });
$("deck").addEventListener("change", showDraw);
