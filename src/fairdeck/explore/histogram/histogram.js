// The rank histogram of two shuffles, which follows as one drags.

import { $, element } from "../../page/scripts/elements.js";
import { grouped, t } from "../../page/scripts/texts.js";
import { keepDrawn } from "../../page/scripts/canvas.js";
import { makeChooser, NONE } from "../scripts/chooser.js";
import { commandLine } from "../scripts/command.js";
import { mostBins } from "../scripts/counts.js";
import { openFrame } from "../scripts/frame.js";
import { freshSeed, keepSettings, numberGiven, settingsGiven } from "../scripts/hash.js";
import { drawHistogram } from "../scripts/charts.js";
import { binsTest, chanceBand, DOUBTFUL, UNFAIR } from "../scripts/evidence.js";
import { shownChance, shownPart } from "../scripts/shown.js";
import { startWorker } from "../scripts/worker_door.js";

const AMOUNTS = [500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000];
const DIALS = ["cards", "decks", "bins"], SEEDS = 2 ** 32 - 1, STARTS = 4;
/** @typedef {{ cards: number, decks: number, bins: number, seed: number, even: boolean }} Counting */
let seed = freshSeed();

/** @type {(id: string) => number} */
const dial = (id) => Number($(id).value);

function settings() {
  const cards = dial("cards"), decks = AMOUNTS[dial("decks")], bins = Math.min(dial("bins"), mostBins(cards));
  return { cards, decks, bins, seed, even: $("even").checked };
}

function start() {
  const given = settings(), { cards, decks, bins, even } = given;
  for (const id of DIALS) $(`${id}-said`).textContent = grouped({ cards, decks, bins }[id]);
  // A screen reader says the number that counts, not the place of the handle.
  $("decks").setAttribute("aria-valuetext", grouped(decks));
  for (const row of rows) row.start(given);
  const asked = rows.map((row) => row.recipe()).filter((recipe) => recipe !== NONE && recipe !== "comparator-browser");
  $("command").replaceChildren(...asked.map((recipe) => element("div", [
    commandLine(`fairdeck histogram '${recipe}' --cards ${cards} --decks ${decks} --bins ${bins}${even ? " --draws even" : ""}`),
  ])));
  keepSettings({ ...given, even: Number(even), a: rows[0].recipe(), b: rows[1].recipe() });
}

function show() {
  const given = settingsGiven(), decks = numberGiven(given, "decks", 1, 1e6, 200000);
  $("cards").value = numberGiven(given, "cards", 3, 52, 20);
  $("decks").value = AMOUNTS.findIndex((amount) => amount >= decks);
  $("bins").value = numberGiven(given, "bins", 2, 500, 200);
  $("even").checked = given.get("even") === "1";
  seed = numberGiven(given, "seed", 0, SEEDS, seed);
  rows[0].choose(given.get("a") || "naive", "naive");
  rows[1].choose(given.get("b") || "fisher-yates", NONE);
  start();
}

openFrame();
const rows = [makeRow(t("first"), start, undefined), makeRow(t("second"), start, [NONE, t("nothingBeside")])];
$("rows").append(...rows.map((row) => row.node));
for (const id of DIALS) $(id).addEventListener("input", start);
$("even").addEventListener("change", start);
addEventListener("hashchange", show);
keepDrawn(() => rows.forEach((row) => row.draw()));
show();

// --- one shuffle and its histogram

/** @type {(label: string, changed: () => void, none: [string, string] | undefined) => any} */
function makeRow(label, changed, none) {
  const canvas = element("canvas", "", "", { role: "img", "aria-label": label, tabindex: 0 }), chooser = makeChooser(label, { first: none }, changed);
  const summary = element("p"), pointed = element("p", "", "pointed", { "aria-live": "polite" });
  const node = element("section", [element("div", [chooser.nodes, summary], "head"), canvas, pointed], "shuffle");
  const giveJob = startWorker(heard);
  /** @type {Counting | null} */
  let task = null;
  /** @type {Counts | null} */
  let seen = null;
  let waiting = false;

  /** @type {(given: Counting) => void} */
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
