// How good are your riffles? Two thumbs, or letters, tell which packet each card came from.

import { NEEDED } from "../../page/scripts/built.js";
import { $, element, option } from "../../page/scripts/elements.js";
import { grouped, t } from "../../page/scripts/texts.js";
import { commandLine } from "../scripts/command.js";
import { settingsGiven } from "../scripts/hash.js";
import { shownChance } from "../scripts/shown.js";
import { checked, choicesOf, entropy, fitted, NEATEST, nearerIdeal, rejected, runsOf, sizesOf } from "./interleavings.js";

const MOST_CARDS = 200, MOST_RIFFLES = 8, FEWEST_CHOICES = 20, SIZES = Object.keys(NEEDED.riffles).map(Number);
const FEW = 3; // riffles: with fewer the answer says so

// `riffles` are done; `taps` are the cards of the next one. Both are dealt from the top: they fell the other way round.
const seen = { riffles: /** @type {number[][]} */ ([]), taps: /** @type {number[]} */ ([]), cards: 52 };

const fallen = () => seen.riffles.map((riffle) => [...riffle].reverse());
const tells = (/** @type {number[]} */ riffle) => riffle.length > 3 && sizesOf(riffle).every((size) => size > 1);

/** @type {(text: string) => void} */
const tell = (text) => { $("said").textContent = text; };

// Whatever the language calls them, red begins with an R and black does not.
/** @type {(text: string) => number[]} */
const read = (text) => [...text.toUpperCase()].filter((letter) => /\p{L}/u.test(letter)).map((letter) => Number(letter !== "R"));

/** @type {(taps: number[]) => void} */
function take(taps) {
  seen.taps = taps.slice(0, MOST_CARDS);
  const [left, right] = sizesOf(seen.taps);
  tell(t("counts", { left, right }));
  refresh();
}

function undo() {
  if (seen.taps.length) seen.taps.pop();
  else seen.taps = seen.riffles.pop() || [];
  take(seen.taps);
}

function done() {
  if (!tells(seen.taps)) return tell(t("tooFew"));
  const first = (seen.riffles[0] || seen.taps).length, now = seen.taps.length;
  seen.riffles.push(seen.taps);
  seen.taps = [];
  refresh();
  tell(`${t("kept", { n: seen.riffles.length })} ${first === now ? "" : t("differs", { first, now })}`.trim());
}

function again() {
  Object.assign(seen, { riffles: [], taps: [] });
  refresh();
  tell(t("start"));
  $("red").focus();
}

// --- the answer

// How many riffles of this neatness a deck needs: from a table measured by fairdeck, between its columns by their logarithms.
/** @type {(neatness: number) => number} */
function neededFor(neatness) {
  const ideal = NEEDED.ideal[seen.cards], grid = [...NEEDED.neatness, 1], at = grid.findIndex((each) => each >= neatness);
  // Neat riffles show nothing in the statistics, but bring little chance into the deck: that of their entropy.
  if (neatness > 0.999 * NEATEST) return Infinity;
  if (at < 0) return Math.max(ideal, Math.ceil(NEEDED.bits[seen.cards] / entropy(seen.cards, nearerIdeal(neatness))));
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
    const found = failed.map((name) => `${finding(name, checks.seen, n)} (p ${shownChance(checks.p[name] ?? 1)})`).join("; ");
    $("answer").textContent = t("notIdeal", { found });
    $("sure").textContent = `${mending(failed, checks.seen.few)} ${t(least < Infinity ? "atLeast" : "never", values)}`;
  } else {
    $("answer").textContent = t("need", least === most ? values : { ...values, riffles: t("range", { least: timesShown(least), most: timesShown(most) }) });
    $("sure").textContent = n < FEW ? t("more") : "";
  }
  $("fit").textContent = t("fit", { neatness: shown(fit.neatness), low: shown(fit.low), high: shown(fit.high) });
  // Letters, not lengths of runs: so fairdeck can tell the two packets apart.
  $("command").replaceChildren(t("command"), " ", commandLine(`fairdeck hands ${seen.riffles.map(written).join(" ")} --cards ${seen.cards} --keep`));
}

// What mends these riffles; the command says how many are then enough.
/** @type {(failed: string[], few: boolean) => string} */
function mending(failed, few) {
  if (failed.includes("cards in place") || failed.includes("ends that stay")) return t("cutToo");
  if (failed.includes("long runs") || (failed.includes("runs") && few)) return t("mendClumps");
  return t(failed.includes("runs") ? "mendEven" : failed.includes("variation") ? "mendVaries" : "mendOther");
}

/** @type {(name: string, found: ReturnType<typeof checked>["seen"], n: number) => string} */
function finding(name, found, n) {
  switch (name) {
  case "runs": return t(found.few ? "foundClumps" : "foundEven");
  case "long runs": return t("foundLong", { n: found.longest });
  case "cards in place": return t("foundPlace", { n: found.inPlace });
  case "ends that stay": return t("foundEnds", { n: found.stayed, of: 2 * n });
  case "variation": return t("foundVaries");
  case "cut": return t("foundCuts");
  default: return t("foundOther");
  }
}

/** @type {(value: number) => string} */
const shown = (value) => grouped(Number(value.toPrecision(2)));

// --- what one sees

let keepAll = () => {};

function refresh() {
  showHands();
  keepAll();
}

function showHands() {
  const rows = [...seen.riffles, seen.taps].filter((riffle, i) => riffle.length || i === seen.riffles.length), full = seen.riffles.length === MOST_RIFFLES;
  $("ribbons").replaceChildren(...rows.map(ribbon));
  $("take-back").disabled = $("anew").disabled = !seen.taps.length && !seen.riffles.length;
  $("red").disabled = $("black").disabled = $("typed").disabled = $("done").disabled = full;
  // What somebody types stays as they write it.
  if (read($("typed").value).join() !== seen.taps.join()) $("typed").value = seen.taps.map((packet) => t(packet ? "black" : "red")[0]).join("");
  $("result").hidden = fallen().flatMap(choicesOf).length < FEWEST_CHOICES;
  $("size").value = seen.cards;
  if (!$("result").hidden) showAnswer();
}

/** @type {(riffle: number[]) => HTMLElement} */
function ribbon(riffle) {
  const runs = runsOf(riffle), missing = riffle === seen.taps ? (seen.riffles[0]?.length || 52) - riffle.length : 0;
  const said = riffle.length ? t("ribbon", { n: runs.length, cards: riffle.length }) : t("start");
  /** @type {(look: string, n: number) => any} */
  const part = (look, n) => {
    const made = element("i", "", look);
    made.style.setProperty("--n", String(n));
    return made;
  };
  const parts = runs.map((run, i) => part((riffle[0] + i) % 2 ? "ofBlack" : "ofRed", run));
  return element("div", [...parts, missing > 0 && part("rest", missing)], "ribbon", { role: "img", "aria-label": said });
}

// --- settings

/** @type {(riffle: number[]) => string} */
const written = (riffle) => riffle.map((packet) => "LR"[packet]).join("");

// What stands in the address.
/** @type {() => Record<string, string | number>} */
export const settingsOfHands = () => (seen.riffles.length || seen.taps.length ? { size: seen.cards, riffles: [...seen.riffles, seen.taps].map(written).join(".") } : {});

function followHands() {
  const given = settingsGiven(), cards = Number(given.get("size")), all = (given.get("riffles") || "").split(".").slice(0, MOST_RIFFLES + 1);
  seen.cards = SIZES.includes(cards) ? cards : 52;
  const riffles = all.map((text) => (/^[LR]+$/.test(text) ? [...text.slice(0, MOST_CARDS)].map((letter) => "LR".indexOf(letter)) : []));
  seen.taps = riffles.pop() || [];
  seen.riffles = riffles.filter(tells);
}

// `keeps` writes the settings of the page into its address.
/** @type {(keeps: () => void) => void} */
export function openHands(keeps) {
  const follow = () => {
    followHands();
    showHands();
    const [left, right] = sizesOf(seen.taps);
    tell(left || right ? t("counts", { left, right }) : t("start"));
  };
  $("how").textContent = t("how", { target: grouped(NEEDED.target) });
  $("size").append(...SIZES.map((size) => option(String(size), t("nCards", { n: size }))));
  $("size").addEventListener("change", () => {
    seen.cards = Number($("size").value);
    refresh();
  });
  const acts = { red: () => take([...seen.taps, 0]), black: () => take([...seen.taps, 1]), "take-back": undo, done, anew: again };
  for (const [id, act] of Object.entries(acts)) $(id).addEventListener("click", act);
  $("typed").addEventListener("input", () => take(read($("typed").value)));
  $("typed").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => { if (event.key === "Enter") done(); });
  addEventListener("hashchange", follow);
  follow();
  keepAll = keeps;
}
