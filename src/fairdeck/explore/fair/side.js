// One of the two shuffles: which one, its pictures, and what is said of it.

import { button, element } from "../../page/scripts/elements.js";
import { t } from "../../page/scripts/texts.js";
import { drawHistogram, drawMatrix } from "../scripts/charts.js";
import { makeChooser, NONE } from "../scripts/chooser.js";
import { commandLine } from "../scripts/command.js";
import { mostBins } from "../scripts/counts.js";
import { allTests, binsTest, chanceBand, DOUBTFUL, placesTest, sequencesTest, UNFAIR } from "../scripts/evidence.js";
import { shownChance, shownPart } from "../scripts/shown.js";
import { SHUFFLES } from "../scripts/shuffles.js";
import { startWorker } from "../scripts/worker_door.js";
import { runInSandbox } from "./sandbox_door.js";

const PASTED = "js", BINS = 200, LONGEST_TEXT = 4000;
const FULL = 8;
const EXAMPLE = `function shuffle(deck) {
  for (let i = 0; i < deck.length; i++) {
    const j = Math.floor(Math.random() * deck.length);
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
}`;

/** @type {(optional: boolean, start: () => void, changed: () => void) => any} */
export function makeSide(optional, start, changed) {
  const node = element("section", "", "side"), parts = partsOfSide(node);
  const { pasted, text, run, verdict, histogram, matrix, said, tests, command } = parts;
  const chooser = makeChooser(t(optional ? "second" : "first"), { first: optional ? [NONE, t("nothingBeside")] : undefined, last: [PASTED, t("yourOwn")] }, () => {
    running = false;
    start();
  });
  node.prepend(...chooser.nodes);
  const giveJob = startWorker(heard);
  /** @type {any} */
  let task = null;
  /** @type {any} */
  let seen = null;
  let endPasted = () => {}, drawn = true, running = false;

  /** @type {(given: { cards: number, decks: number, seed: number }) => void} */
  function begin(given) {
    endPasted();
    giveJob();
    const recipe = chooser.recipe(), { cards, decks, seed } = given, bins = Math.min(BINS, mostBins(cards));
    pasted.hidden = recipe !== PASTED;
    parts.rest.hidden = recipe === NONE;
    task = { cards, decks, bins };
    seen = null;
    say("", "");
    if (recipe === NONE) return;
    const asked = recipe === PASTED ? '--exec "node shuffle.js"' : `'${recipe}'`;
    command.replaceChildren(recipe === PASTED ? `${t("commandPasted")} ` : "");
    // The lab does not know the browser's own sort.
    if (!SHUFFLES[recipe]?.ours) command.append(commandLine(`fairdeck test ${asked} --cards ${cards} --decks ${decks}`));
    if (recipe !== PASTED) {
      giveJob({ recipe, cards, bins, decks, seed });
    } else if (running) {
      endPasted = runInSandbox(text.value, task, ({ counts, wrong, ...gaps }) => {
        if (counts) heard(counts);
        // Nothing is said of counts that are none.
        if (wrong === "pastedLied") seen = null, draw();
        if (wrong) conclude(t(wrong, gaps));
      });
    } else say(t("pastedReady"), "");
    draw();
  }

  /** @type {(counts: Counts) => void} */
  function heard(counts) {
    seen = counts;
    if (drawn) requestAnimationFrame(draw);
    drawn = false;
    if (counts.decks === task.decks) conclude("");
    else say(t("counting", { n: counts.decks }), "");
  }

  /** @type {(fault: string) => void} */
  function conclude(fault) {
    running = false;
    const p = seen && allTests(seen, task.cards);
    if (!seen || p === null) return say(fault || t("tooFew"), fault ? "bad" : "");
    const kind = p < UNFAIR ? "bad" : p < DOUBTFUL ? "" : "good";
    say(t(p < UNFAIR ? "unfair" : p < DOUBTFUL ? "doubtful" : "noBias"), kind, fault || t("because", { n: seen.decks, p: shownChance(p) }));
    draw();
  }

  /** @type {(words: string, kind: string, more?: string) => void} */
  function say(words, kind, more = "") {
    verdict.className = `verdict ${kind}`;
    verdict.replaceChildren(words, element("small", more));
    if (kind || more) said.textContent = `${words} ${more}`;
  }

  function draw() {
    drawn = true;
    if (!task || chooser.recipe() === NONE) return;
    const { cards, bins } = task, counts = seen || { decks: 0, bins: new Int32Array(bins), places: new Float64Array(cards * cards), sequences: 0 };
    const each = counts.decks / bins, at = counts.decks / cards;
    drawHistogram(histogram, counts.bins, each, chanceBand(each, bins));
    drawMatrix(matrix, counts.places, cards, at, Math.max(FULL * Math.sqrt(at), 1));
    if (!counts.decks) return tests.replaceChildren();
    histogram.setAttribute("aria-label", t("histogramLabel", { bins, least: shownPart(Math.min(...counts.bins) / each), most: shownPart(Math.max(...counts.bins) / each) }));
    matrix.setAttribute("aria-label", oddest(counts, cards));
    parts.oddest.textContent = oddest(counts, cards);
    /** @type {[string, number | null][]} */
    const rows = [["testPlaces", placesTest(counts, cards)], ["testBins", binsTest(counts)], ["testSequences", sequencesTest(counts, cards)]];
    tests.replaceChildren(...rows.flatMap(([key, p]) => [element("dt", t(key)), element("dd", p === null ? "–" : `p ${shownChance(p)}`)]));
  }

  // A screen reader is told when it begins, and not again at each letter.
  function sayWhatTheLinkHolds() {
    const told = text.value.length > LONGEST_TEXT ? t("linkCuts", { n: LONGEST_TEXT }) : "";
    if (parts.cuts.textContent !== told) parts.cuts.textContent = told;
  }

  text.addEventListener("input", sayWhatTheLinkHolds);
  text.addEventListener("change", changed);
  run.addEventListener("click", () => { running = true; start(); });
  return {
    node, draw, start: begin,
    settings: () => (chooser.recipe() === PASTED ? `${PASTED}:${text.value.slice(0, LONGEST_TEXT)}` : chooser.recipe()),
    // Code that came with a link is shown; the reader runs it.
    choose(/** @type {string} */ given) {
      running = false;
      chooser.choose(given.startsWith(`${PASTED}:`) ? PASTED : given, optional ? NONE : "naive");
      text.value = given.startsWith(`${PASTED}:`) ? given.slice(PASTED.length + 1).slice(0, LONGEST_TEXT) : text.value || EXAMPLE;
      sayWhatTheLinkHolds();
    },
  };
}

/** @type {(node: HTMLElement) => Record<string, any>} */
function partsOfSide(node) {
  const text = element("textarea", "", "", { spellcheck: false, autocapitalize: "off", "aria-label": t("yourOwn") }), cuts = element("p", "", "cuts", { role: "status" });
  const run = button(t("run"), () => {}, "small-primary"), pasted = element("div", [element("p", t("pasteText"), "fine"), text, cuts, run], "side");
  const verdict = element("p", "", "verdict"), said = element("p", "", "unseen", { "aria-live": "polite" }), tests = element("dl", "", "tests");
  const [histogram, matrix] = ["histogram", "matrix"].map((name) => element("canvas", "", name, { role: "img", "aria-label": t(`${name}Text`) }));
  const pictures = element("div", [histogram, matrix, element("p", t("histogramText")), element("p", t("matrixText"))], "pictures");
  const oddestCell = element("p"), command = element("p", "", "command"), rest = element("div", [verdict, said, pictures, tests, oddestCell, command], "side");
  node.append(pasted, rest);
  return { pasted, text, cuts, run, rest, verdict, said, histogram, matrix, tests, oddest: oddestCell, command };
}

// The card and the place that are furthest from fair; people count both from the top.
/** @type {(counts: Counts, cards: number) => string} */
function oddest({ decks, places }, cards) {
  let cell = 0;
  for (let i = 1; i < places.length; i++) if (Math.abs(places[i] - decks / cards) > Math.abs(places[cell] - decks / cards)) cell = i;
  return t("oddest", { card: cards - (cell % cards), place: cards - Math.floor(cell / cards), seen: shownPart((100 * places[cell]) / decks), fair: shownPart(100 / cards) });
}
