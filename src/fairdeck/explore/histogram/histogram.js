// The rank histogram of two shuffles, which follows as one drags.

import { $, element } from "../../page/scripts/elements.js";
import { grouped, t } from "../../page/scripts/texts.js";
import { keepDrawn } from "../scripts/canvas.js";
import { NONE } from "../scripts/chooser.js";
import { commandLine } from "../scripts/command.js";
import { mostBins } from "../scripts/counts.js";
import { openFrame } from "../scripts/frame.js";
import { freshSeed, keepSettings, numberGiven, settingsGiven } from "../scripts/hash.js";
import { makeRow } from "./row.js";

const AMOUNTS = [500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000];
const DIALS = ["cards", "decks", "bins"], SEEDS = 2 ** 32 - 1;
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
