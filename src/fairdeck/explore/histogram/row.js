// One shuffle and its histogram.

import { element } from "../../page/scripts/elements.js";
import { t } from "../../page/scripts/texts.js";
import { drawHistogram } from "../scripts/charts.js";
import { makeChooser, NONE } from "../scripts/chooser.js";
import { binsTest, chanceBand, DOUBTFUL, UNFAIR } from "../scripts/evidence.js";
import { shownChance, shownPart } from "../scripts/shown.js";
import { startWorker } from "../scripts/worker_door.js";

/** @typedef {{ cards: number, decks: number, bins: number, seed: number, even: boolean }} Task */

const STARTS = 4;

/** @type {(label: string, changed: () => void, none: [string, string] | undefined) => any} */
export function makeRow(label, changed, none) {
  const canvas = element("canvas", "", "", { role: "img", "aria-label": label, tabindex: 0 }), chooser = makeChooser(label, { first: none }, changed);
  const summary = element("p"), pointed = element("p", "", "pointed", { "aria-live": "polite" });
  const node = element("section", [element("div", [chooser.nodes, summary], "head"), canvas, pointed], "shuffle");
  const giveJob = startWorker(heard);
  /** @type {Task | null} */
  let task = null;
  /** @type {Counts | null} */
  let seen = null;
  let waiting = false;

  /** @type {(given: Task) => void} */
  function start(given) {
    task = given;
    const used = chooser.recipe() !== NONE;
    canvas.hidden = pointed.hidden = summary.hidden = !used;
    pointed.textContent = "";
    giveJob(used ? { ...given, recipe: chooser.recipe(), binsAlone: true } : undefined);
  }

  /** @type {(counts: Counts) => void} */
  function heard(counts) {
    seen = counts;
    if (!waiting) requestAnimationFrame(draw);
    waiting = true;
  }

  function draw() {
    waiting = false;
    if (!task || !seen || canvas.hidden) return;
    const each = seen.decks / seen.bins.length;
    drawHistogram(canvas, seen.bins, each, chanceBand(each, seen.bins.length));
    if (seen.decks < task.decks) return;
    summary.textContent = said(seen);
    canvas.setAttribute("aria-label", said(seen));
  }

  let at = 0;
  /** @type {(bin: number) => void} */
  function point(bin) {
    if (!task || !seen) return;
    const bins = seen.bins.length, fair = Math.round(seen.decks / bins);
    at = Math.max(0, Math.min(bins - 1, bin));
    pointed.textContent = t("pointed", { bin: at + 1, count: seen.bins[at], fair, start: startOf(at, bins, task.cards).join(" ") });
  }
  canvas.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
    if (seen) point(Math.floor((event.offsetX / canvas.clientWidth) * seen.bins.length));
  });
  canvas.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by) point(at + by);
  });
  return { node, start, draw, recipe: chooser.recipe, choose: chooser.choose };
}

/** @type {(counts: Counts) => string} */
function said(counts) {
  const p = binsTest(counts), n = counts.decks, each = n / counts.bins.length;
  if (p === null) return t("tooFewDecks", { n });
  const verdict = t(p < UNFAIR ? "uneven" : p < DOUBTFUL ? "unclear" : "asChance");
  return t("summary", { n, p: shownChance(p), verdict, most: shownPart(Math.max(...counts.bins) / each), least: shownPart(Math.min(...counts.bins) / each) });
}

// The cards, named by their place from the top, with which the first order of a bin begins at the bottom.
/** @type {(bin: number, bins: number, cards: number) => number[]} */
function startOf(bin, bins, cards) {
  const left = Array.from({ length: cards }, (_, card) => cards - card), found = [];
  const whole = BigInt(bins);
  let part = BigInt(bin);
  for (let place = 0; place < Math.min(STARTS, cards); place++) {
    part *= BigInt(cards - place);
    found.push(...left.splice(Number(part / whole), 1));
    part %= whole;
  }
  return found;
}
