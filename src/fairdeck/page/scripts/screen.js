// The screen: a function of the deal and its step.

import { cardsBack, countNow, onBeat, running } from "./beat.js";
import { drawCompass, drawLanes } from "./lanes.js";
import { deal, GROUP, host, isAgain, labelsOf, view } from "./current.js";
import { doneScreen } from "./done.js";
import { $, element, svg } from "./elements.js";
import { drawMat, rowLook } from "./mat.js";
import { countsOf, finishedSpaces } from "./planner.js";
import { moveOf, partComes, stepAt } from "./stages.js";
import { pieces, t } from "./texts.js";

/** @type {(label: string, look?: Say) => void} */
function say(label, { words = false, coming = [], note = "", space = null, again = false, mat = false, aloud = null } = {}) {
  const place = $("label");
  place.className = "label" + (words ? " words" : "") + (space === null ? "" : ` tinted ${rowLook(space)}`);
  // Wide letters would be cut.
  place.classList.toggle("long", !/^\w{1,3}$/.test(label));
  if (again) beatOnce(place);
  $("stage").style.setProperty("--chars", Math.max(2, ...deal.task.mat.labels.map((each) => each.length)));
  place.textContent = label;
  $("note").textContent = note;
  $("coming").replaceChildren(...coming.map((text) => element("span", text)));
  if (!running()) tell(aloud ?? [label.replace(/[^?!]$/, "$&."), note, mat && $("mat").getAttribute("aria-label")].filter(Boolean).join(" "));
}

// For screen readers: a space makes an equal text a new one.
/** @type {(text: string) => void} */
const tell = (text) => { $("said").textContent = text + ($("said").textContent === text ? "\u00a0" : ""); };

// A repeated label means a new card.
/** @type {(place: HTMLElement) => void} */
function beatOnce(place) {
  void place.offsetWidth;
  place.classList.add("beat");
}

/** @type {(list: number[], first: number, index: number) => void} */
function showFive(list, first, index) {
  const now = list.slice(first, first + GROUP);
  $("five").replaceChildren(...labelsOf(now).map((label, place) => {
    const item = element("li", [element("b", label)], rowLook(now[place]));
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
const heightsOf = (list, index) => (deal.counting ? countsOf(list.slice(0, index), deal.task.mat.labels.length) : null);
/** @type {(parts: (string | false | undefined)[]) => string} */
const lines = (parts) => parts.filter(Boolean).join("\n");
const mustBe = () => deal.counting && `${deal.counting} ${t("heights")}`;
const heightsAloud = () => deal.counting && `${mustBe()} ${$("mat").getAttribute("aria-label")}`;

/** @type {(pass: Pass) => string | false} */
const bottomNote = (pass) => pass.from === "bottom" && t("fromBottom");

/** @type {Record<string, string>} */
const HOW = { group: "groupOfFive", single: "oneCard", tempo: "onBeat", stream: "onBeat", compass: "compassHow" };

/** @type {Record<Kind, (step: ShownStep) => [string, number]>} */
const screens = {
  open({ pass, number }) {
    const bottom = pass.from === "bottom", foreign = !number && deal.foreign && t("foreign");
    const cut = pass.packets && t("cutDeck", { parts: pieces(pass.packets.map((n, i) => n > 0 && t(i ? "nextPart" : "topPart", { n, dealer: i + 1 }))), n: deal.dealer + 1 });
    const todo = [cut || t(number ? "takeDeck" : "holdDeck"), bottom && t("eachFromBottom"), t(HOW[view()])].filter(Boolean);
    const counts = countsHere(number);
    drawMat(counts, { now: counts.flatMap((count, space) => (count ? [space] : [])) });
    say(t(bottom ? "dealBottom" : "dealTop"), { words: true, mat: true, note: lines([...todo.map((each, i) => `${i + 1}. ${each}`), foreign]) });
    return [t("ready"), 0];
  },
  card(step) {
    const { number } = step, list = deal.lists[number];
    return (view() === "group" ? groupScreen : cardScreen)(step, list);
  },
  check({ number }) {
    drawMat(countsHere(number), { heights: deal.heights[number] });
    say(t("handEmpty"), { words: true, mat: true, note: deal.lists[number].length ? t("heights") : t("noCards") });
    return [t("check"), 1];
  },
  join({ pass, number }) {
    if (deal.dealer) {
      const comes = partComes(deal, number);
      say(t(comes ? "joinTitle" : "partDealt"), { words: true, note: t(comes ? "waitJoin" : "waitReady") });
      drawMat(pass.counts);
      return [t("join"), 1];
    }
    const steps = (pass.packets || []).flatMap((n, i) => (n && i ? [t(i > 1 ? "joinAfter" : "joinPiles", { from: i + 1, onto: 1 })] : []));
    drawMat(pass.counts, { heights: pass.counts });
    say(t("joinTitle"), { words: true, mat: true, note: steps.join(" ") });
    return [t("join"), 1];
  },
  hands({ pass }) {
    const labels = labelsOf(finishedSpaces(pass));
    const rest = deal.plan.goal.endsWith("+rest") ? " " + t("restOn", { label: labels.pop() }) : "";
    say(t("handOut", { labels: labels.join(", ") }), { words: true, note: t("theseHands") + rest });
    drawMat(pass.counts, { now: finishedSpaces(pass).slice(0, labels.length) });
    return [t("hands"), 1];
  },
  gather({ pass, index }) {
    const { pile, onto, carried } = moveOf(pass, index), moves = pass.stack.length - 1, [from, to] = labelsOf([pile, onto]);
    say(t("put", { pile: from, onto: to }), { words: true, note: t(carried.length ? "carried" : "faceDown") });
    drawMat(pass.counts, { now: [pile], then: onto, gone: [...finishedSpaces(pass), ...carried] });
    drawArrow();
    return [t("gatherOf", { move: index + 1, moves }), (index + 1) / moves];
  },
  done: () => doneScreen(say),
};

/** @type {(number: number) => number[]} */
const countsHere = (number) => deal.plan.passes[number].counts;

/** @type {(step: ShownStep, list: number[]) => [string, number]} */
function cardScreen({ pass, number, index }, list) {
  const space = list[index], [label, ...coming] = labelsOf(list.slice(index, index + 3)), again = isAgain(list, index) && t("again");
  drawMat(countsHere(number), { now: [space], then: list[index + 1], heights: heightsOf(list, index) });
  say(label, { space, again, coming, note: lines([mustBe(), pieces([again, lastDealt(list, index), bottomNote(pass)])]), aloud: pieces([heightsAloud(), label, again]) });
  return [t("cardOf", { card: index + 1, cards: list.length }), (index + 1) / list.length];
}

/** @type {(step: ShownStep, list: number[]) => [string, number]} */
function groupScreen({ pass, number, index }, list) {
  const first = index - (index % GROUP), now = list.slice(first, first + GROUP);
  drawMat(countsHere(number), { now: [list[index]], turns: deal.counting ? [] : now, dealt: index - first, heights: heightsOf(list, index) });
  say("", { note: lines([mustBe(), pieces([lastDealt(list, index), bottomNote(pass)])]), aloud: pieces([heightsAloud(), ...labelsOf(list.slice(index, first + GROUP))]) });
  showFive(list, first, index);
  const last = first + now.length;
  return [t("cardsOf", { first: first + 1, last, cards: list.length }), last / list.length];
}

// Again whenever the mat changes its size.
export function drawArrow() {
  const { kind, number, index } = stepAt(deal, deal.at), mat = $("mat");
  mat.querySelector(".arrow")?.remove();
  if (kind !== "gather") return;
  const { pile, onto } = moveOf(deal.plan.passes[number], index);
  const [[x, y], [u, v]] = [pile, onto].map((space) => {
    const cell = [...mat.children].find((each) => each.textContent === deal.task.mat.labels[space]);
    return [cell.offsetLeft + cell.offsetWidth / 2, cell.offsetTop + cell.offsetHeight / 2];
  });
  // It starts and ends a little off the middles.
  const far = Math.hypot(u - x, v - y) || 1, [dx, dy] = [((u - x) * 10) / far, ((v - y) * 10) / far], [p, q] = [u - dx, v - dy];
  const head = [0.6, -0.6].map((side) => `M${p} ${q}l${-dx - side * dy} ${side * dx - dy}`);
  const wide = mat.scrollWidth, arrow = svg(wide, mat.clientHeight, [`M${x + dx} ${y + dy}L${p} ${q}`, ...head], "arrow");
  arrow.style.width = `${wide}px`;
  mat.append(arrow);
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
  const [count, part] = screens[step.kind]({ ...step, pass });
  if (shown === "stream") drawLanes();
  if (shown === "compass") drawCompass(deal.lists[step.number][step.index]);
  const who = deal.task.dealers > 1 ? ` · ${t("dealer", { n: deal.dealer + 1 })}` : "";
  $("progress").textContent = t("passOf", { number: step.number + 1, passes }) + who;
  $("count").textContent = count;
  $("bar").style.transform = `scaleX(${part})`;
  $("differs").hidden = step.kind !== "check";
  $("elsewhere").hidden = deal.owned;
  $("controls").hidden = !deal.owned;
  $("undo").disabled = deal.at === 0;
  for (const id of ["undo", "leave", "options-open"]) $(id).hidden = shown === "done";
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
