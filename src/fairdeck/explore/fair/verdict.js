// What is said and drawn of counted decks: the verdict, its reason in a sentence, the squares, the tests.

import { opened } from "../../page/scripts/canvas.js";
import { $, element, svg } from "../../page/scripts/elements.js";
import { t } from "../../page/scripts/texts.js";
import { drawHistogram, drawPlaces } from "../scripts/charts.js";
import { allTests, chanceBand, DOUBTFUL, leastFound, UNFAIR } from "../scripts/evidence.js";
import { shownChance, shownPart } from "../scripts/shown.js";

const CARD = "M1 1h22v22h-22z", STARTS = 4;
const SIGNS = { unfair: "M3 3l18 18", fair: "M4 6h4M14 4h4M9 11h4M17 14h4M4 17h4M12 20h4", few: "M5 12h3M10.5 12h3M16 12h3" };
/** @typedef {{ counts: Counts, cards: number, names: string[], ended: boolean, more: string, where?: string, repair?: string }} Counted */

/** @type {(Counted & { evidence: Evidence | null }) | null} */
let seen = null;

/** @type {(kind: keyof typeof SIGNS) => SVGElement} */
const sign = (kind) => svg(24, 24, [CARD, SIGNS[kind]], kind === "unfair" ? "stamp" : "stamp dust");
/** @type {(chip: HTMLElement, unfair: boolean) => void} */
export function showSign(chip, unfair) {
  chip.querySelector("svg")?.remove();
  chip.prepend(sign(unfair ? "unfair" : "fair"));
}

// Nothing is judged, and why; or a deck that is none convicts what made it.
/** @type {(reason: string, unfair?: boolean) => void} */
export function refuse(reason, unfair = false) {
  seen = null;
  head(unfair ? "unfair" : "few", unfair ? "unfair" : "notJudged", reason, "");
  drawVerdict();
}

// Signs in names and errors that turn the direction of writing must not turn the sentence around them.
/** @type {(text: string) => string} */
const plain = (text) => text.replace(/(?!\n)\p{C}/gu, "\ufffd");
/** @type {(kind: keyof typeof SIGNS, verdict: string, finding: string, because: string) => void} */
function head(kind, verdict, finding, because) {
  $("verdict").classList.toggle("unfair", kind === "unfair");
  $("judged").replaceChildren(sign(kind), t(verdict));
  $("finding").textContent = (seen?.where || "") + plain(finding);
  $("because").textContent = plain(because);
  $("repair").textContent = "";
}

// True if the shuffle is called unfair.
/** @type {(counted: Counted) => boolean} */
export function say(counted) {
  const { counts, cards, ended, more, repair } = counted, n = counts.decks, decks = t("nDecks", { n }), evidence = ended && n ? allTests(counts, cards) : null;
  seen = { ...counted, evidence };
  if (!evidence) {
    head("few", ended ? "tooFew" : "counting", decks, more);
    drawVerdict();
    return false;
  }
  const { p, enough } = evidence, unfair = p < UNFAIR, few = !unfair && (!enough || p < DOUBTFUL);
  const because = `${t("because", { decks, cards, p: shownChance(p) })} ${more}`;
  if (unfair) head("unfair", "unfair", sentence(seen, evidence), because);
  else if (few) head("few", "tooFew", t("moreDecks", { decks }), because);
  else head("fair", "noFault", t("wouldBeFound", { seen: shownPart(100 * leastFound(n, cards)), fair: shownPart(100 / cards) }), because);
  if (unfair && repair) $("repair").replaceChildren(element("b", `${t("repair")} `), t(repair));
  $("tests").replaceChildren(...Object.entries(evidence.tests).flatMap(([key, each]) => [
    element("dt", t(TESTS[key])), element("dd", each === null ? "–" : `p ${shownChance(each)}`),
  ]));
  drawVerdict();
  return unfair;
}

/** @type {Record<string, string>} */
const TESTS = { cell: "testCell", places: "testPlaces", bins: "testBins", sequences: "testSequences" };

/** @type {(seen: Counted, evidence: Evidence) => string} */
function sentence({ counts, cards, names }, { cell, shown }) {
  const { decks, bins, places, sequences } = counts;
  if (shown === "sequences") return t("foundSequences", { seen: shownPart(sequences / decks), fair: shownPart((cards + 1) / 2) });
  if (shown === "bins") {
    const most = bins.indexOf(Math.max(...bins));
    return t("foundBins", { start: startOf(most, bins.length, names).join(" "), times: shownPart((bins[most] * bins.length) / decks) });
  }
  return t("foundCell", { card: names[cell % cards], place: Math.floor(cell / cards) + 1, seen: shownPart((100 * places[cell]) / decks), fair: shownPart(100 / cards) });
}

export function drawVerdict() {
  const canvas = $("places"), orders = $("histogram");
  canvas.setAttribute("aria-label", `${$("judged").textContent}. ${$("finding").textContent}`);
  if (!seen?.counts.decks) return void [canvas, orders].forEach(opened);
  const { counts, cards, evidence } = seen, { decks, bins, places } = counts, each = decks / cards, all = decks / bins.length;
  const ringed = evidence && evidence.p < UNFAIR && ["cell", "places"].includes(evidence.shown);
  drawPlaces(canvas, places, cards, each, chanceBand(each, cards * cards), ringed ? evidence.cell : null);
  drawHistogram(orders, bins, all, chanceBand(all, bins.length));
}

// The cards with which the first order of a bin begins, from the bottom.
/** @type {(bin: number, bins: number, names: string[]) => string[]} */
function startOf(bin, bins, names) {
  const left = names.slice(), found = [];
  let part = bin;
  for (let place = 0; place < Math.min(STARTS, names.length); place++) {
    part *= left.length;
    found.push(...left.splice(Math.floor(part / bins), 1));
    part %= bins;
  }
  return found;
}
