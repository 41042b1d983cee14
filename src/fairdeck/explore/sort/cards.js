// The table at a moment: the deck that is dealt or stacked, and the piles, as cards that one can tap.

import { $, button, element } from "../../page/scripts/elements.js";

/** @typedef {{ cell: Cell, made: HTMLButtonElement }} Shown */
/** @typedef {{ labels: string[], name: (card: number) => number, part: (card: number) => number, said: (space: number, height: number) => string, onCard: (card: number) => void }} View */

const KEYS_TO = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }, ASIDE = 3;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const BOXES = ["deck", "piles"];
// A slow device lays so many cards in a tenth of a second. Of more, the piles are laid when the deck has been painted.
const AT_ONCE = 200;
// What lies in the deck and in the piles, and which stages these are.
/** @type {Shown[][]} */
const lying = [[], []];
/** @type {(Stage | undefined)[]} */
let laid = [];
let asked = 0;

// Forgets what lies there: the story is another.
export const clearTable = () => { laid = []; };

// The stages that lie on the table at a moment. While piles are stacked they grow into the next deck.
/** @type {(story: Story, at: number) => { pass: number, stacks: boolean, on: (Stage | undefined)[] }} */
export function tableAt({ stages, moves }, at) {
  const last = moves[at - 1], { pass } = moves[at] || last, stacks = Boolean(last && last.pass === pass && last.stacked);
  return { pass, stacks, on: [stages[2 * pass + (stacks ? 2 : 0)], stages[2 * pass + 1]] };
}

// Lays the table; the cards that have moved since the moment `from` fly there in `duration` milliseconds.
/** @type {(story: Story, view: View, at: number, lit: number, from: number, duration: number) => void} */
export function layTable(story, view, at, lit, from, duration) {
  const { on } = tableAt(story, at), starts = new Map(), isSeen = duration && !still.matches;
  if (isSeen) for (const { cell, made } of lying.flat()) if (leavesBetween(cell, from, at)) starts.set(cell.card, made.getBoundingClientRect());
  const mine = ++asked, [deck, piles] = on, anew = on.map((stage, i) => (stage === laid[i] ? 0 : stage?.cells.length || 0));
  lay(0, deck, view);
  if (isSeen || !anew[0] || anew[0] + anew[1] <= AT_ONCE) lay(1, piles, view);
  else {
    lay(1, undefined, view);
    requestAnimationFrame(() => setTimeout(() => {
      if (mine !== asked) return;
      lay(1, piles, view);
      mark(story.moves[at], at, lit);
    }));
  }
  mark(story.moves[at], at, lit);
  for (const { cell, made } of lying.flat()) {
    const start = isSeen && cell.arrive > from && cell.arrive <= at && starts.get(cell.card);
    if (!start) continue;
    const end = made.getBoundingClientRect();
    made.animate([{ transform: `translate(${start.x - end.x}px, ${start.y - end.y}px)`, zIndex: 1 }, { transform: "none", zIndex: 1 }], { duration, easing: "ease-out" });
  }
}

/** @type {(cell: { arrive: number, leave: number }, from: number, at: number) => boolean} */
const leavesBetween = ({ arrive, leave }, from, at) => arrive <= from && leave > from && leave <= at;

// Which cards lie here now, which come next, and which one is followed.
/** @type {(next: { cards: number[], space: number } | undefined, at: number, lit: number) => void} */
function mark(next, at, lit) {
  const coming = new Set(next ? next.cards : []);
  for (const { cell, made } of lying.flat()) {
    const away = at < cell.arrive, gone = at >= cell.leave;
    made.classList.toggle("away", away);
    made.classList.toggle("gone", gone);
    made.classList.toggle("next", !away && !gone && coming.has(cell.card));
    made.setAttribute("aria-pressed", String(cell.card === lit));
  }
  // One stop for the Tab key in the deck and one in the piles; the arrow keys go on.
  for (const box of BOXES) {
    const there = [...$(box).querySelectorAll("button:not(.away)")];
    if (!there.some((each) => each.tabIndex === 0)) there[0]?.removeAttribute("tabindex");
  }
  for (const label of $("piles").querySelectorAll(".label")) label.classList.toggle("next", Boolean(next) && Number(label.dataset.space) === next?.space);
}

// Lays the deck of a stage, or its piles, if they do not lie there yet; both are read from the top.
/** @type {(box: number, stage: Stage | undefined, view: View) => void} */
function lay(box, stage, view) {
  if (stage && stage === laid[box]) return;
  const made = (stage?.cells || []).map((cell) => ({ cell, made: cardOf(cell, view) })), piles = [...(stage?.piles || [])];
  let first = 0;
  $(BOXES[box]).replaceChildren(...(piles.length ? piles.map(([space, { length }]) => {
    // The label comes last, though the pile grows from the label upwards.
    const pile = made.slice(first, first += length).map((each) => each.made).reverse();
    return element("div", [...pile, element("span", view.labels[space], "label", { "data-space": space })], "column", { role: "group", "aria-label": view.said(space, length) });
  }) : made.map((each) => each.made)));
  laid[box] = stage;
  lying[box] = made;
}

/** @type {(cell: Cell, view: View) => HTMLButtonElement} */
function cardOf(cell, view) {
  const made = button(String(view.name(cell.card)), () => view.onCard(cell.card), "", { tabindex: -1 });
  made.style.setProperty("--at", `${view.part(cell.card)}%`);
  return made;
}

// To the nearest card in the direction of the key.
/** @type {(event: KeyboardEvent) => void} */
export function moveFocus(event) {
  const by = KEYS_TO[/** @type {keyof typeof KEYS_TO} */ (event.key)], target = /** @type {HTMLElement} */ (event.target), box = target.closest("#deck, #piles");
  if (!by || !box) return;
  event.preventDefault();
  const here = target.getBoundingClientRect();
  /** @type {(other: Element) => number} */
  const far = (other) => {
    const { x, y } = other.getBoundingClientRect(), along = (x - here.x) * by[0] + (y - here.y) * by[1];
    return along > 1 ? along + ASIDE * (Math.abs((x - here.x) * by[1]) + Math.abs((y - here.y) * by[0])) : Infinity;
  };
  const [other] = [...box.querySelectorAll("button:not(.away)")].map((each) => /** @type {[Element, number]} */ ([each, far(each)])).filter(([, way]) => way < Infinity).sort((a, b) => a[1] - b[1])[0] || [];
  if (!other) return;
  target.tabIndex = -1;
  /** @type {any} */ (other).tabIndex = 0;
  /** @type {any} */ (other).focus();
}
