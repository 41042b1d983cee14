// How good is your riffle? Two thumbs tell which packet each card came from.

import { NEEDED } from "../../page/scripts/built.js";
import { $, element, option } from "../../page/scripts/elements.js";
import { grouped, t } from "../../page/scripts/texts.js";
import { keepDrawn } from "../../page/scripts/canvas.js";
import { commandLine } from "../scripts/command.js";
import { openFrame } from "../scripts/frame.js";
import { keepSettings, settingsGiven } from "../scripts/hash.js";
import { drawLawOf } from "../scripts/law_chart.js";
import { shownChance } from "../scripts/shown.js";
import { allRunsLaw, checked, choicesOf, entropy, fitted, NEATEST, rejected, runsOf, sizesOf } from "./interleavings.js";

const MOST_CARDS = 200, MOST_RIFFLES = 8, FEWEST_CHOICES = 20, SHOWN = 0.0005, SIZES = Object.keys(NEEDED.riffles).map(Number);
const FEW = 3; // riffles: with fewer the answer says so

// `riffles` are done; `taps` are the cards of the next one. Both are dealt from the top: they fell the other way round.
const seen = { riffles: /** @type {number[][]} */ ([]), taps: /** @type {number[]} */ ([]), cards: 52 };

const fallen = () => seen.riffles.map((riffle) => [...riffle].reverse());
const tells = (/** @type {number[]} */ riffle) => riffle.length > 3 && sizesOf(riffle).every((size) => size > 1);

/** @type {(packet: number) => void} */
function tap(packet) {
  if (seen.taps.length === MOST_CARDS) return say(t("tooMany", { n: MOST_CARDS }));
  seen.taps.push(packet);
  const [left, right] = sizesOf(seen.taps);
  say(t("counts", { left, right }));
  refresh();
}

function undo() {
  if (seen.taps.length) seen.taps.pop();
  else seen.taps = seen.riffles.pop() || [];
  say(t("counts", { left: sizesOf(seen.taps)[0], right: sizesOf(seen.taps)[1] }));
  refresh();
}

function done() {
  if (!tells(seen.taps)) return say(t("tooFew"));
  const first = seen.riffles[0] || seen.taps, differs = first.length !== seen.taps.length;
  seen.riffles.push(seen.taps);
  seen.taps = [];
  refresh();
  say([t("kept", { n: seen.riffles.length }), differs && t("differs", { first: first.length, now: seen.riffles[seen.riffles.length - 1].length })].filter(Boolean).join(" "));
}

function again() {
  Object.assign(seen, { riffles: [], taps: [] });
  refresh();
  say(t("begin"));
  $("left").focus();
}

/** @type {(text: string) => void} */
const say = (text) => { $("said").textContent = text; };

// --- the answer

// How many riffles of this neatness a deck needs: from a table measured by fairdeck, between its columns by their logarithms.
/** @type {(neatness: number) => number} */
function neededFor(neatness) {
  const ideal = NEEDED.ideal[seen.cards], grid = [...NEEDED.neatness, 1], at = grid.findIndex((each) => each >= neatness);
  // Neat riffles show nothing in the statistics, but bring little chance into the deck: that of their entropy.
  if (neatness > 0.999 * NEATEST) return Infinity;
  if (at < 0) return Math.max(ideal, Math.ceil(NEEDED.bits[seen.cards] / entropy(seen.cards, neatness)));
  if (at === 0) return neatness < grid[0] ? Infinity : NEEDED.riffles[seen.cards][0];
  const part = Math.log(neatness / grid[at - 1]) / Math.log(grid[at] / grid[at - 1]);
  const row = [...NEEDED.riffles[seen.cards], ideal];
  return Math.ceil(row[at - 1] + part * (row[at] - row[at - 1]) - 1e-9);
}

/** @type {(riffles: number) => string} */
const timesShown = (riffles) => (riffles < Infinity ? grouped(riffles) : t("moreThan", { n: NEEDED.riffles[seen.cards][0] }));

// The headline is made of the checks that fail, so that none of them can contradict it.
function showAnswer() {
  const fit = fitted(fallen()), ideal = NEEDED.ideal[seen.cards], n = seen.riffles.length, checks = checked(fallen()), failed = rejected(checks.p);
  // Neat riffles need more again: the ends of the interval may be either way round.
  const all = [fit.low, fit.neatness, fit.high].map(neededFor), least = fit.low <= 1 && fit.high >= 1 ? ideal : Math.min(...all), most = Math.max(...all);
  const values = { cards: seen.cards, ideal, target: grouped(NEEDED.target), n, riffles: timesShown(least), most: NEEDED.riffles[seen.cards][0] };
  if (failed.length) {
    const found = failed.map((name) => t("failed", { what: finding(name, checks.seen, n), p: shownChance(checks.p[name] ?? 1) })).join("; ");
    $("answer").textContent = t("notIdeal", { found });
    $("sure").textContent = [t(least < Infinity ? "atLeast" : "never", values), failed.some((name) => ["cards in place", "ends that stay"].includes(name)) && t("cutToo")].filter(Boolean).join(" ");
  } else {
    $("answer").textContent = t("need", least === most ? values : { ...values, riffles: t("range", { least: timesShown(least), most: timesShown(most) }) });
    $("sure").textContent = n < FEW ? t("more") : "";
  }
  $("fit").textContent = t("fit", { neatness: shown(fit.neatness), low: shown(fit.low), high: shown(fit.high) });
  // Letters, not lengths of runs: so fairdeck can tell the two packets apart.
  $("command").replaceChildren(t("command"), " ", commandLine(`fairdeck hands ${seen.riffles.map(written).join(" ")} --cards ${seen.cards} --keep`));
}

/** @type {(name: string, found: ReturnType<typeof checked>["seen"], n: number) => string} */
function finding(name, found, n) {
  switch (name) {
  case "runs": return t(found.few ? "foundClumps" : "foundEven");
  case "longest run": return t("foundLong", { n: found.longest });
  case "cards in place": return t("foundPlace", { n: found.inPlace });
  case "ends that stay": return t("foundEnds", { n: found.stayed, of: 2 * n });
  case "variation": return t("foundVaries");
  case "cut": return t({ steady: "foundSteady", uneven: "foundUneven" }[found.cut] || "foundSide");
  default: return t("foundOther");
  }
}

/** @type {(value: number) => string} */
const shown = (value) => grouped(Number(value.toPrecision(2)));

function drawLaw() {
  if ($("result").hidden) return;
  const law = allRunsLaw(seen.riffles), runs = seen.riffles.reduce((all, riffle) => all + runsOf(riffle).length, 0);
  const usual = law.flatMap((share, value) => (share > SHOWN ? [value] : []));
  const first = Math.max(0, Math.min(runs - 2, usual[0])), last = Math.max(runs + 2, usual[usual.length - 1]);
  const shares = Array.from({ length: last + 1 - first }, (_, i) => law[first + i] || 0);
  drawLawOf($("law"), shares, null, runs, first);
  const mean = law.reduce((all, share, value) => all + share * value, 0);
  const below = law.slice(0, runs + 1).reduce((all, share) => all + share, 0), above = law.slice(runs).reduce((all, share) => all + share, 0);
  const text = t("lawText", { n: runs, mean: grouped(Math.round(mean)), p: shownChance(Math.min(1, 2 * below, 2 * above)) });
  $("law-text").textContent = text;
  $("law").setAttribute("aria-label", text);
}

// --- what one sees

function refresh() {
  const rows = [...seen.riffles, seen.taps].filter((riffle, i) => riffle.length || i === seen.riffles.length);
  $("ribbons").replaceChildren(...rows.map(ribbon));
  $("undo").disabled = $("again").disabled = !seen.taps.length && !seen.riffles.length;
  $("left").disabled = $("right").disabled = $("done").disabled = seen.riffles.length === MOST_RIFFLES;
  $("result").hidden = fallen().flatMap(choicesOf).length < FEWEST_CHOICES;
  $("size").value = seen.cards;
  $("how-need").textContent = t("howNeed", { target: grouped(NEEDED.target) });
  keepSettings({ cards: seen.cards, ...(seen.riffles.length || seen.taps.length ? { riffles: [...seen.riffles, seen.taps].map(written).join(".") } : {}) });
  if ($("result").hidden) return;
  showAnswer();
  drawLaw();
}

/** @type {(riffle: number[]) => HTMLElement} */
function ribbon(riffle) {
  const runs = runsOf(riffle), missing = riffle === seen.taps ? (seen.riffles[0]?.length || 52) - riffle.length : 0;
  const said = riffle.length ? t("ribbon", { n: runs.length, cards: riffle.length }) : t("begin");
  /** @type {(look: string, n: number) => any} */
  const part = (look, n) => {
    const made = element("i", "", look);
    made.style.setProperty("--n", String(n));
    return made;
  };
  const parts = runs.map((run, i) => part((riffle[0] + i) % 2 ? "ofBlack" : "ofRed", run));
  return element("div", [...parts, missing > 0 && part("rest", missing)], "ribbon", { role: "img", "aria-label": said });
}

// --- keys and settings

/** @type {(riffle: number[]) => string} */
const written = (riffle) => riffle.map((packet) => "LR"[packet]).join("");

/** @type {(event: KeyboardEvent) => void} */
function typed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || /** @type {HTMLElement} */ (event.target).matches("select, summary")) return;
  const act = { arrowleft: () => tap(0), arrowright: () => tap(1), backspace: undo }[event.key.toLowerCase()];
  if (!act || $("left").disabled && event.key !== "Backspace") return;
  event.preventDefault();
  act();
}

function followLink() {
  const given = settingsGiven(), cards = Number(given.get("cards")), all = (given.get("riffles") || "").split(".").slice(0, MOST_RIFFLES + 1);
  seen.cards = SIZES.includes(cards) ? cards : 52;
  const riffles = all.map((text) => (/^[LR]+$/.test(text) ? [...text.slice(0, MOST_CARDS)].map((letter) => "LR".indexOf(letter)) : []));
  seen.taps = riffles.pop() || [];
  seen.riffles = riffles.filter(tells);
  refresh();
  say(seen.taps.length || seen.riffles.length ? t("counts", { left: sizesOf(seen.taps)[0], right: sizesOf(seen.taps)[1] }) : t("begin"));
}

openFrame();
$("size").append(...SIZES.map((size) => option(String(size), t("sizes", { n: size }))));
$("size").addEventListener("change", () => {
  seen.cards = Number($("size").value);
  refresh();
});
for (const [id, act] of /** @type {[string, () => void][]} */ ([["left", () => tap(0)], ["right", () => tap(1)], ["undo", undo], ["done", done], ["again", again]])) $(id).addEventListener("click", act);
addEventListener("keydown", typed);
addEventListener("hashchange", followLink);
followLink();
keepDrawn(drawLaw);
