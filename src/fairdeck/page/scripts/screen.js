// The screen: a function of the deal and its step.

import { cardsBack, countNow, onBeat, running } from "./beat.js";
import { drawCompass, drawLanes } from "./lanes.js";
import { called, deal, GROUP, host, isAgain, isTurned, labelsOf, turnLook, view } from "./current.js";
import { doneScreen } from "./done.js";
import { $, element } from "./elements.js";
import { drawMat, rowLook } from "./mat.js";
import { countsOf, finishedSpaces } from "./planner.js";
import { addStops, drawRoute } from "./route.js";
import { partComes, routeOf, stepAt } from "./stages.js";
import { pieces, t } from "./texts.js";

/** @type {(label: string, look?: Say) => void} */
function say(label, { words = false, coming = [], note = "", space = null, look = "", again = false, mat = false, aloud = null } = {}) {
  const place = $("label");
  place.className = "label" + (words ? " words" : "") + (space === null ? "" : ` card ${rowLook(space)}${look}`);
  // Wide letters would be cut.
  place.classList.toggle("long", !/^\w{1,3}$/.test(label));
  if (again) beatOnce(place);
  $("stage").style.setProperty("--chars", Math.max(2, ...deal.task.mat.labels.map(breadthOf)) + (deal.task.turn ? 1.4 : 0));
  place.textContent = label;
  $("note").textContent = note;
  $("coming").replaceChildren(...coming);
  if (!running()) tell(aloud ?? [label.replace(/[^?!]$/, "$&."), note, mat && $("mat").getAttribute("aria-label")].filter(Boolean).join(" "));
}

// In halves of the letters' height, for the letters that labels are set in; others may be as wide as high.
/** @type {(label: string) => number} */
const breadthOf = (label) => [...label].reduce((breadth, letter) => breadth + (/[MWmw@]/.test(letter) ? 1.6 : letter < "\u0250" ? 1 : 2.2), 0);

// For screen readers: a space makes an equal text a new one.
/** @type {(text: string) => void} */
const tell = (text) => { $("said").textContent = text + ($("said").textContent === text ? "\u00a0" : ""); };

// A repeated label means a new card.
/** @type {(place: HTMLElement) => void} */
function beatOnce(place) {
  void place.offsetWidth;
  place.classList.add("beat");
}

/** @type {(number: number, first: number, index: number) => void} */
function showFive(number, first, index) {
  const now = deal.lists[number].slice(first, first + GROUP);
  $("five").replaceChildren(...labelsOf(now).map((label, place) => {
    const item = element("li", [element("b", label, turnLook(number, first + place))], `card ${rowLook(now[place])}`);
    item.classList.toggle("dealt", first + place < index);
    item.classList.toggle("now", first + place === index);
    item.classList.toggle("same", isAgain(now, place));
    return item;
  }));
}
// After a break nobody knows which card was last.
/** @type {(list: number[], index: number) => string | false | undefined} */
const lastDealt = (list, index) => deal.resumed && index > 0 && t("lastDealt", { label: labelsOf([list[index - 1]])[0], n: index });

// After a way back: what to take back, and the heights that must remain.
/** @type {(list: number[], index: number) => number[] | null} */
const heightsOf = (list, index) => (deal.counting ? pilesAt(list, index) : null);
/** @type {(list: number[], index: number) => number[]} */
const pilesAt = (list, index) => countsOf(list.slice(0, index), deal.task.mat.labels.length);
/** @type {(parts: (string | false | undefined)[]) => string} */
const inLines = (parts) => parts.filter(Boolean).join("\n");
const mustBe = () => deal.counting && `${deal.counting} ${t("heights")}`;
const heightsAloud = () => deal.counting && `${mustBe()} ${$("mat").getAttribute("aria-label")}`;

/** @type {(pass: Pass) => string | false} */
const bottomNote = (pass) => pass.from === "bottom" && t("fromBottom");

// Each returns what the count says.
/** @type {Record<Kind, (step: ShownStep) => (string | number)[]>} */
const screens = {
  open({ pass, number }) {
    const bottom = pass.from === "bottom", special = deal.task.goal.parts?.length, foreign = !number && deal.foreign && t("foreign");
    const cut = pass.packets && t("cutDeck", { parts: pieces(pass.packets.map((n, i) => n > 0 && t(i ? "nextPart" : "topPart", { n, dealer: i + 1 }))) });
    const turn = !number && deal.task.turn && t("turnHow"), how = t(`how_${onBeat() ? "beat" : view()}`);
    const todo = [!number && !host.given && special && t("startStrata", { n: special }), cut || t(number ? "takeDeck" : "holdDeck"), how, turn].filter(Boolean);
    drawMat(countsHere(number));
    say(t(bottom ? "dealBottom" : "dealTop"), { words: true, mat: true, note: inLines([...todo.map((each, i) => `${i + 1}. ${each}`), foreign]) });
    return [t("ready")];
  },
  card(step) {
    const { number } = step, list = deal.lists[number];
    return (view() === "group" ? groupScreen : cardScreen)(step, list);
  },
  check({ number }) {
    const add = addedTo(number), note = [t(deal.lists[number].length ? "compare" : "noCards"), Math.max(...add) > 0 && t("othersAdd")];
    drawMat(countsHere(number), { heights: deal.heights[number], add });
    say(t("handEmpty"), { words: true, mat: true, note: note.filter(Boolean).join(" ") });
    return [t("checking")];
  },
  join({ pass, number }) {
    if (deal.dealer) {
      const comes = partComes(deal, number);
      say(t(comes ? "joinTitle" : "partDealt"), { words: true, note: t(comes ? "waitJoin" : "waitReady") });
      drawMat(pass.counts);
      return [t("joining")];
    }
    const steps = (pass.packets || []).flatMap((n, i) => (n && i ? [t(i > 1 ? "joinAfter" : "joinPiles", { from: i + 1 })] : []));
    drawMat(pass.counts, { heights: deal.heights[number], add: addedTo(number), sums: true });
    say(t("joinTitle"), { words: true, mat: true, note: steps.join(" ") });
    return [t("joining")];
  },
  hands({ pass }) {
    const labels = labelsOf(finishedSpaces(pass));
    const rest = deal.plan.goal.endsWith("+rest") ? " " + t("restOn", { label: labels.pop() }) : "";
    say(t("handOut", { labels: labels.join(", ") }), { words: true, note: t("theseHands") + rest });
    drawMat(pass.counts, { now: finishedSpaces(pass).slice(0, labels.length) });
    return [t("hands")];
  },
  gather({ pass, index }) {
    const route = routeOf(pass), stops = route.length, rest = labelsOf(route.slice(index)).join(", ");
    const title = t("stackTo", { n: stops }), note = t("stackHow", { n: stops - 1 });
    drawMat(pass.counts, { gone: finishedSpaces(pass) });
    addStops(route, index);
    say(title, { words: true, note, aloud: index ? rest : `${title}. ${note} ${rest}.` });
    return [t("gatherOf", { move: index + 1, moves: stops })];
  },
  done: () => doneScreen(say),
};

/** @type {(number: number) => number[]} */
const countsHere = (number) => deal.plan.passes[number].counts;
// What the other dealers lay on each space.
/** @type {(number: number) => number[]} */
const addedTo = (number) => countsHere(number).map((count, space) => count - deal.heights[number][space]);

/** @type {(step: ShownStep, list: number[]) => string[]} */
function cardScreen({ pass, number, index }, list) {
  const space = list[index], [label, ...later] = labelsOf(list.slice(index, index + 3)), again = isAgain(list, index) && t("again");
  drawMat(countsHere(number), { now: [space], then: list[index + 1], heights: heightsOf(list, index), piles: pilesAt(list, index) });
  const coming = later.map((each, i) => element("span", each, turnLook(number, index + 1 + i)));
  const turned = isTurned(number, index) && t("turnIt"), note = inLines([mustBe(), pieces([turned, again, lastDealt(list, index), bottomNote(pass)])]);
  say(label, { space, look: turnLook(number, index), again, coming, note, aloud: pieces([heightsAloud(), ...called(number, index), again]) });
  return [t("cardOf", { card: index + 1, cards: list.length })];
}

/** @type {(step: ShownStep, list: number[]) => string[]} */
function groupScreen({ pass, number, index }, list) {
  const first = index - (index % GROUP), now = list.slice(first, first + GROUP);
  drawMat(countsHere(number), { now: [list[index]], turns: deal.counting ? [] : now, dealt: index - first, heights: heightsOf(list, index), piles: pilesAt(list, index) });
  say("", { note: inLines([mustBe(), pieces([lastDealt(list, index), bottomNote(pass)])]), aloud: pieces([heightsAloud(), ...called(number, index, first + GROUP)]) });
  showFive(number, first, index);
  const last = first + now.length;
  return [t("cardsOf", { first: first + 1, last, cards: list.length })];
}

// One tick a card: dealt, present, ahead.
/** @type {(step: Step) => void} */
function drawBar({ kind, number, index }) {
  const list = deal.lists[number], cards = Math.max(1, list.length), between = cards > 160 ? 0 : cards > 70 ? 1 : 2;
  const present = kind !== "card" ? 0 : view() === "group" ? Math.min(GROUP - (index % GROUP), cards - index) : 1;
  const bar = { cards, between, present, dealt: kind === "card" ? index : kind === "open" ? 0 : cards };
  for (const [name, value] of Object.entries(bar)) $("bar").style.setProperty(`--${name}`, value);
}

export function show() {
  const step = stepAt(deal, deal.at), pass = deal.plan.passes[step.number], passes = deal.plan.passes.length;
  const shown = step.kind === "card" ? view() : step.kind, inLanes = shown === "stream" || shown === "compass";
  $("call").hidden = inLanes;
  $("lanes").hidden = !inLanes;
  $("five").hidden = shown !== "group";
  $("label").hidden = shown === "group";
  $("deal").className = `screen on-${step.kind} ${view()}`;
  // The order is forgotten as soon as the deal is done.
  if (shown === "done") host.endDeal(deal);
  else if (deal.owned) host.rememberStep(deal, false);
  $("mat").setAttribute("role", step.kind === "gather" ? "group" : "img");
  const [count] = screens[step.kind]({ ...step, pass });
  drawRoute();
  drawBar(step);
  if (shown === "stream") drawLanes();
  if (shown === "compass") drawCompass(deal.lists[step.number][step.index]);
  const who = deal.task.dealers > 1 ? ` · ${t("dealer", { n: deal.dealer + 1 })}` : "";
  $("progress").textContent = t("passOf", { number: step.number + 1, passes }) + who;
  $("count").textContent = count;
  $("differs").hidden = step.kind !== "check";
  $("elsewhere").hidden = deal.owned;
  $("controls").hidden = !deal.owned;
  $("undo").disabled = deal.at === 0;
  for (const id of ["undo", "options-open"]) $(id).hidden = shown === "done";
  if ($("again")) $("again").hidden = shown !== "done";
  $("next").textContent = t(nextText(step), { n: step.index + 1 - cardsBack(step) });
  showCount();
  warn();
  host.hint?.(step);
}

export function warn() {
  const text = !deal.owned || !deal.order.length ? "" : deal.kept === false ? t("keepsNothing") : deal.older ? t("older") : "";
  if ($("alarm").textContent !== text) $("alarm").textContent = text;
}

/** @type {Record<string, string>} */
const CONFIRMS = { open: "begin", check: "matches", join: "joined", hands: "handedOut", gather: "stacked", done: "another" };

// The button says what a tap on it confirms.
/** @type {(step: Step) => string} */
function nextText({ kind, number, index }) {
  if (running()) return "pause";
  if (kind === "join" && deal.dealer && partComes(deal, number)) return "myPart";
  if (kind !== "card") return CONFIRMS[kind];
  if (onBeat()) return "resume";
  const cards = deal.lists[number].length - index, five = view() === "group";
  return cards <= (five ? GROUP : 1) ? "allDealt" : five ? "dealtFive" : "dealtOne";
}

export const showCount = () => { $("stage").dataset.count = countNow() || ""; };
