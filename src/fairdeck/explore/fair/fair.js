// Is your shuffle fair? The code in the box, or decks that somebody has, are counted and judged.

import { keepDrawn } from "../../page/scripts/canvas.js";
import { $, button, complain, element, option, wholeNumber } from "../../page/scripts/elements.js";
import { grouped, t } from "../../page/scripts/texts.js";
import { commandLine } from "../scripts/command.js";
import { binsOf, counter, noCounts } from "../scripts/counts.js";
import { openFrame } from "../scripts/frame.js";
import { addressOf, freshSeed, keepSettings, numberGiven, settingsGiven } from "../scripts/hash.js";
import { inSlices } from "../scripts/slices.js";
import { decksOf, excerpt, openedDecks } from "./deck_file.js";
import { EXAMPLES } from "./examples.js";
import { runInSandbox } from "./sandbox_door.js";
import { drawVerdict, refuse, say, showSign } from "./verdict.js";

const LEAST_CARDS = 3, MOST_CARDS = 52, AMOUNTS = [1000, 10000, 100000, 1000000], USUAL = { cards: 20, decks: 100000 };
const PASTED = "js", LONGEST_TEXT = 4000, MOST_BYTES = 50e6, PROGRAM = /^(?!\s*\[?\s*\{\s*").*[{}=]/s;
let seed = freshSeed(), job = 0, frame = 0, endPasted = () => {};

// The example that stands in the box unchanged, if one does.
const example = () => Object.keys(EXAMPLES).find((name) => EXAMPLES[name].code === $("code").value) || "";

function test() {
  if (!PROGRAM.test($("code").value)) return void judgeDecks($("code").value, "");
  const cards = wholeNumber("cards", LEAST_CARDS, MOST_CARDS), typed = $("cards").value.slice(0, 20);
  if (!complain("error", ["cards"], cards ? "" : t("faultNumber", { what: t("cards"), typed, least: LEAST_CARDS, most: MOST_CARDS }))) return;
  const decks = Number($("decks").value), name = example(), bins = binsOf(cards);
  const names = Array.from({ length: cards }, (_, card) => String(card + 1));
  begin();
  markExample(name);
  // The lab has no browser's sort.
  commandsFor(['--exec "node shuffle.js"', ...(name && name !== "comparator-browser" ? [`'${name}'`] : [])], ` --cards ${cards} --decks ${decks}`);
  endPasted = runInSandbox($("code").value, { cards, bins, decks, seed }, ({ counts, wrong, ...gaps }) => {
    // A picture for each frame is enough: code may send thousands of counts a second.
    cancelAnimationFrame(frame);
    if (wrong && (!counts || wrong === "pastedLied")) return refuse((String(wrong).startsWith("wrong") ? `${t("deckAt", gaps)}: ` : "") + t(wrong, gaps));
    if (!counts) return;
    const ended = Boolean(wrong) || counts.decks === decks, told = { counts, cards, names, ended, more: wrong ? t(wrong, gaps) : "", repair: EXAMPLES[name]?.repair };
    if (!ended) return void (frame = requestAnimationFrame(() => say(told)));
    const unfair = say(told);
    for (const chip of $("examples").children) if (chip.value === name) showSign(chip, unfair);
  });
  keep();
}

function begin() {
  cancelAnimationFrame(frame);
  endPasted();
  endPasted = () => {};
  job++;
}

/** @type {(asked: string[], more?: string) => void} */
const commandsFor = (asked, more = "") => $("command").replaceChildren(...asked.map((what) => element("div", [commandLine(`fairdeck test ${what}${more}`)])));

// Decks that somebody has; nothing leaves the device.
/** @type {(text: string, name: string) => Promise<void>} */
async function judgeDecks(text, name) {
  begin();
  markExample("");
  const now = job, where = name ? `${name}: ` : "";
  commandsFor([`--file ${/^\w[\w.-]*$/.test(name) ? name : "decks.txt"}`]);
  try {
    const file = openedDecks(text), { cards } = file, names = file.names.map((card) => excerpt([card])), counts = noCounts(cards, binsOf(cards)), add = counter(counts, cards, counts.bins.length);
    /** @type {(ended: boolean) => any} */
    const told = (ended) => say({ counts, cards, names, ended, where, more: file.notes.map((note) => t(note, { ...file.gaps, name: names.slice(0, 3).join(" ") })).join(" ") });
    told(false);
    if (await inSlices(decksOf(file, add), () => now !== job)) told(true);
  } catch (/** @type {any} */ fault) {
    if (!fault.gaps) throw fault;
    const { at } = fault.gaps, wrong = t(fault.message, fault.gaps), unfair = fault.message === "wrongTwice";
    if (now === job) refuse(where + (at ? `${t("lineAt", { n: at })} ${wrong} ${unfair || !fault.message.startsWith("wrong") ? "" : t("lineRemedy")}` : wrong), unfair);
  }
}

/** @type {(file: File | undefined) => Promise<void>} */
async function openDecks(file) {
  if (!file) return;
  begin();
  // A folder that is dropped looks like a file, and has no text.
  const now = job, large = file.size > MOST_BYTES, bytes = large ? null : await file.arrayBuffer().catch(() => null);
  if (now !== job) return;
  if (!bytes) return refuse(`${file.name}: ${t(large ? "fileLarge" : "fileUnread", { n: MOST_BYTES / 1e6 })}`);
  // UTF-16 by its mark, as the command.
  const [one, two] = new Uint8Array(bytes), wide = one + two === 509 ? (two === 254 ? "utf-16le" : "utf-16be") : "utf-8";
  await judgeDecks(new TextDecoder(wide).decode(bytes), file.name);
}

/** @type {(name: string) => void} */
function markExample(name) {
  for (const chip of $("examples").children) chip.setAttribute("aria-pressed", String(chip.value === name));
}

/** @type {(name: string) => void} */
function choose(name) {
  $("code").value = EXAMPLES[name].code;
  sayWhatTheLinkHolds();
  test();
}

// Code of one's own is in no address but the one that is sent on.
const settings = () => ({ cards: wholeNumber("cards", LEAST_CARDS, MOST_CARDS) || USUAL.cards, decks: $("decks").value, seed });
const keep = () => keepSettings({ ...settings(), ...(example() && { a: example() }) });

// A screen reader is told when it begins, and not again at each letter.
function sayWhatTheLinkHolds() {
  const told = $("code").value.length > LONGEST_TEXT ? t("linkCuts", { n: LONGEST_TEXT }) : "";
  if ($("cuts").textContent !== told) $("cuts").textContent = told;
}

function show() {
  const given = settingsGiven(), decks = numberGiven(given, "decks", 1, 1e6, USUAL.decks), wanted = given.get("a") || "";
  $("cards").value = numberGiven(given, "cards", LEAST_CARDS, MOST_CARDS, USUAL.cards);
  $("decks").value = String(AMOUNTS.find((amount) => amount >= decks));
  seed = numberGiven(given, "seed", 0, 2 ** 32 - 1, freshSeed());
  if (!wanted.startsWith(`${PASTED}:`)) return choose(Object.keys(EXAMPLES).includes(wanted) ? wanted : "naive");
  // Code that came with a link is shown; the reader runs it.
  begin();
  $("code").value = wanted.slice(PASTED.length + 1).slice(0, LONGEST_TEXT);
  sayWhatTheLinkHolds();
  markExample("");
  refuse(t("pastedReady"));
}

openFrame(() => location.href.replace(/#.*|$/, addressOf({ ...settings(), a: example() || `${PASTED}:${$("code").value.slice(0, LONGEST_TEXT)}` })));
$("examples").replaceChildren(...Object.keys(EXAMPLES).map((name) => button(t(EXAMPLES[name].says), () => choose(name), "", { value: name, "aria-pressed": "false" })));
$("decks").replaceChildren(...AMOUNTS.map((amount) => option(String(amount), grouped(amount))));
$("box").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  seed = freshSeed();
  test();
});
for (const id of ["cards", "decks"]) $(id).addEventListener("change", test);
$("code").addEventListener("input", sayWhatTheLinkHolds);
// Pasted decks are judged at once. Set as a whole they are there at once; browsers insert long texts slowly.
$("code").addEventListener("paste", (/** @type {ClipboardEvent} */ event) => {
  const text = event.clipboardData?.getData("text") || "";
  if (PROGRAM.test(text) || !/\S\s*\n\s*\S/.test(text)) return;
  event.preventDefault();
  $("code").value = text;
  judgeDecks(text, "");
});
$("file").addEventListener("change", () => {
  openDecks($("file").files[0]);
  $("file").value = "";
});
for (const kind of ["dragover", "dragleave", "drop"]) {
  addEventListener(kind, (/** @type {any} */ event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    $("box").classList.toggle("over", kind === "dragover");
    if (kind === "drop") openDecks(event.dataTransfer.files[0]);
  });
}
addEventListener("hashchange", show);
keepDrawn(drawVerdict);
$("orders").addEventListener("toggle", drawVerdict);
show();
