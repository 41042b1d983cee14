// Big packs in packets: the flows of the schemes, step by step, and the shares of the old packets in the new ones.

import { FLOWS, TITLES } from "../../page/scripts/built.js";
import { $, element, option } from "../../page/scripts/elements.js";
import { language, t } from "../../page/scripts/texts.js";
import { keepDrawn } from "../../page/scripts/canvas.js";
import { commandLine } from "../scripts/command.js";
import { seededDraws } from "../scripts/draws.js";
import { openFrame } from "../scripts/frame.js";
import { openPrediction } from "../scripts/predict.js";
import { keepSettings, numberGiven, settingsGiven } from "../scripts/hash.js";
import { stopsOf } from "./moving.js";
import { drawStage, sceneOf } from "./stage.js";

/** @typedef {import("../../page/scripts/built.js").Flow} Flow */

const PACKS = [104, 162], MOST_PEOPLE = 4, USUAL = "four-full", SEED = 1, PASSED = 1400, RIFFLE = 420, FEW_STEPS = 4, SHOWN_PARTS = 3;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const shown = { name: USUAL, cards: PACKS[0], people: MOST_PEOPLE, at: 0 };
let scene = sceneOf([{ names: [], packets: [], orders: [] }], () => []), flow = FLOWS[USUAL], asked = "", moving = 0;

/** @type {(cards: number, people: number) => string[]} */
const suiting = (cards, people) => Object.keys(FLOWS).filter((name) => within(cards, FLOWS[name].cards) && within(people, FLOWS[name].players));
/** @type {(value: number, bounds: number[]) => boolean} */
const within = (value, [least, most]) => least <= value && value <= most;

// People share the packets in turn, unless each packet is one person's.
/** @type {(name: string) => string} */
function heldBy(name) {
  const person = (flow.hands.indexOf(name) % shown.people) + 1;
  return shown.people === 1 || shown.people === flow.hands.length ? name : t("heldBy", { name, person: String(person) });
}

/** @type {(at: number) => void} */
function openScheme(at) {
  const known = suiting(shown.cards, shown.people);
  if (!known.includes(shown.name)) shown.name = known[0];
  flow = FLOWS[shown.name];
  $("scheme").replaceChildren(...known.map((name) => option(name, TITLES[language][name] || t("neverTitle"))));
  for (const [id, value] of Object.entries({ scheme: shown.name, cards: shown.cards, players: shown.people })) $(id).value = value;
  scene = sceneOf(stopsOf(flow, shown.cards, flow.riffles, seededDraws(SEED)), (name, cards) => [`${heldBy(name)} · ${cards}`, `${name} · ${cards}`, name]);
  $("at").max = scene.stops.length - 1;
  ask();
  $("command").replaceChildren(commandLine(`fairdeck packets ${shown.name} ${flow.never ? "--flow" : `--cards ${shown.cards}`}`));
  stay(Math.min(at, scene.stops.length - 1));
}

// How many steps until all parts are equal; each scheme is asked about once.
function ask() {
  if (asked === shown.name) return;
  asked = shown.name;
  const equal = flow.far.indexOf("0"), right = equal > 0 ? String(equal) : "never", steps = Array.from({ length: FEW_STEPS }, (_, i) => String(i + 1));
  const parts = flow.far.slice(1, 1 + SHOWN_PARTS).join(", ");
  $("reveal").textContent = "";
  openPrediction([...steps, "never"].map((answer) => [answer, answer === "never" ? t("notEver") : answer]), right, () => {
    $("reveal").textContent = equal > 0 ? t("equalAfter", { n: equal }) : flow.never ? t("never") : t("neverQuite", { parts });
  });
}

/** @type {(at: number) => void} */
function stay(at) {
  shown.at = at;
  keepSettings({ scheme: shown.name, cards: shown.cards, people: shown.people, at });
  drawStage($("stage"), scene, at);
  $("at").value = at;
  $("back").disabled = at === 0;
  $("on").disabled = at === scene.stops.length - 1;
  const step = Math.ceil(at / 2), { names } = scene.stops[at], said = sentence(at, step);
  $("said").textContent = said;
  $("stage").setAttribute("aria-label", `${said} ${names.map(heldBy).join(", ")}.`);
  showSpread(step);
  showVerdict(step);
}

/** @type {(at: number, step: number) => string} */
function sentence(at, step) {
  if (at === 0) return t("saysCut", { names: flow.names[0].join(", ") });
  return at % 2 ? t("saysPassed", { step }) : t("saysRiffled", { step, n: flow.riffles });
}

/** @type {(step: number) => void} */
function showSpread(step) {
  const many = flow.names[0].length;
  $("into").replaceChildren(element("tr", [element("td", "", "corner"), ...flow.names[step].map((name) => element("th", t("into", { name }), "", { scope: "col" }))]));
  $("caption").textContent = t("caption", { n: step });
  $("spread").replaceChildren(...flow.spread[step].map((row, from) => {
    const cells = row.map((share) => cell(share, many, flow.never && step > 0));
    return element("tr", [element("th", t("of", { name: flow.names[0][from] }), "", { scope: "row" }), ...cells], `row${from}`);
  }));
  $("far").textContent = flow.far[step] === "0" ? t("farNone", { part: `1/${many}` }) : t("far", { far: flow.far[step], part: `1/${many}` });
}

// The bar is as long as the share; the line is where all shares would be equal.
/** @type {(share: string, many: number, never: boolean) => HTMLElement} */
function cell(share, many, never) {
  const [over, under = 1] = share.split("/").map(Number), bar = element("i"), aim = element("u");
  bar.style.width = `${(100 * over) / under}%`;
  aim.style.width = `${100 / many}%`;
  return element("td", [share, bar, aim], never && !over ? "never" : "");
}

/** @type {(step: number) => void} */
function showVerdict(step) {
  const done = step === flow.far.length - 1 && shown.at % 2 === 0;
  $("verdict").className = `verdict ${flow.never ? "never" : ""}`;
  $("verdict").textContent = flow.never ? step > 0 ? t("never") : "" : done ? t(flow.far[step] === "0" ? "even" : "nearlyEven") : "";
}

// On the way to the next stop; any other stop is there at once.
/** @type {(to: number) => void} */
function go(to) {
  cancelAnimationFrame(moving);
  const from = shown.at, focused = document.activeElement;
  stay(to);
  // A button that is disabled loses the focus.
  if (focused instanceof HTMLButtonElement && focused.disabled) $(to ? "back" : "on").focus();
  if (calm.matches || to !== from + 1) return;
  const takes = to % 2 ? PASSED : RIFFLE * flow.riffles;
  let begun = 0;
  /** @type {(now: number) => void} */
  const frame = (now) => {
    begun ||= now;
    const way = (now - begun) / takes;
    drawStage($("stage"), scene, way < 1 ? from + Math.max(way, 1e-6) : to);
    if (way < 1) moving = requestAnimationFrame(frame);
  };
  drawStage($("stage"), scene, from + 1e-6);
  moving = requestAnimationFrame(frame);
}

function readLink() {
  const given = settingsGiven(), scheme = given.get("scheme") || "", known = Object.keys(FLOWS).includes(scheme);
  shown.name = known ? scheme : USUAL;
  const { cards, players } = FLOWS[shown.name];
  shown.cards = PACKS.find((pack) => String(pack) === given.get("cards")) || PACKS.find((pack) => within(pack, cards)) || PACKS[0];
  shown.people = numberGiven(given, "people", 1, MOST_PEOPLE, players[0]);
  halted(numberGiven(given, "at", 0, 60, 0));
}

/** @type {(at: number) => void} */
function halted(at) {
  cancelAnimationFrame(moving);
  openScheme(at);
}

openFrame();
$("cards").append(...PACKS.map((pack) => option(String(pack), String(pack))));
$("players").append(...Array.from({ length: MOST_PEOPLE }, (_, i) => option(String(i + 1), String(i + 1))));
for (const id of ["cards", "players", "scheme"]) {
  $(id).addEventListener("change", () => {
    Object.assign(shown, { name: $("scheme").value, cards: Number($("cards").value), people: Number($("players").value) });
    halted(0);
  });
}
$("back").addEventListener("click", () => go(shown.at - 1));
$("on").addEventListener("click", () => go(shown.at + 1));
$("at").addEventListener("input", () => go(Number($("at").value)));
addEventListener("hashchange", readLink);
keepDrawn(() => drawStage($("stage"), scene, shown.at));
// The letters may come after the picture.
document.fonts?.ready.then(() => drawStage($("stage"), scene, shown.at));
readLink();
