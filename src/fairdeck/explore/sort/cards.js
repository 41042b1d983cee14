// The table at a moment: the deck that is dealt or stacked, and the piles, as cards that one can tap.

import { $, button, element } from "../../page/scripts/elements.js";

/** @typedef {{ cell: Cell, made: HTMLButtonElement }} Shown */
/** @typedef {{ labels: string[], name: (card: number) => number, part: (card: number) => number, said: (space: number, height: number) => string, onCard: (card: number) => void }} View */

const KEYS_TO = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }, ASIDE = 3;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const BOXES = ["deck", "piles"];
// The most cards that are laid at once: a slow device takes a tenth of a second. With more, the piles follow the deck.
const AT_ONCE = 200;
// What lies in the deck and in the piles, and which stages these are.
/** @type {Shown[][]} */
const lying = [[], []];
/** @type {(Stage | undefined)[]} */
let laid = [];
let asked = 0;

// Forgets what lies there: the story is another.
export const clearTable = () => { laid = []; };

// The deck and the piles that lie on the table at a moment. While piles are stacked they grow into the next deck.
/** @type {(story: Story, at: number) => (Stage | undefined)[]} */
function stagesAt({ stages, moves }, at) {
  const last = moves[at - 1], { pass } = moves[at] || last;
  return [stages[2 * pass + (last && last.pass === pass && last.stacked ? 2 : 0)], stages[2 * pass + 1]];
}

// Lays the table; the cards that have moved since the moment `from` fly there in `duration` milliseconds.
/** @type {(story: Story, view: View, at: number, lit: number, from: number, duration: number) => void} */
export function layTable(story, view, at, lit, from, duration) {
  const [deck, piles] = stagesAt(story, at), starts = new Map(), isSeen = duration && !still.matches, mine = ++asked;
  const leaving = lying.flat().filter(({ cell: { arrive, leave } }) => isSeen && arrive <= from && leave > from && leave <= at);
  for (const { cell, made } of leaving) starts.set(cell.card, made.getBoundingClientRect());
  const isLong = !isSeen && deck !== laid[0] && piles !== laid[1] && (deck?.cells.length || 0) + (piles?.cells.length || 0) > AT_ONCE;
  lay(0, deck, view);
  lay(1, isLong ? undefined : piles, view);
  mark(story.moves[at], at, lit);
  if (isLong) requestAnimationFrame(() => setTimeout(() => mine === asked && layTable(story, view, at, lit, at, 0)));
  for (const { cell, made } of lying.flat()) {
    const start = isSeen && cell.arrive > from && cell.arrive <= at && starts.get(cell.card);
    if (!start) continue;
    const end = made.getBoundingClientRect();
    made.animate([{ transform: `translate(${start.x - end.x}px, ${start.y - end.y}px)`, zIndex: 1 }, { transform: "none", zIndex: 1 }], { duration, easing: "ease-out" });
  }
}

// Which cards lie here now, which come next, and which one is followed.
/** @type {(next: { cards: number[], space: number } | undefined, at: number, lit: number) => void} */
function mark(next, at, lit) {
  const coming = new Set(next ? next.cards : []);
  for (const { cell, made } of lying.flat()) {
    const away = at < cell.arrive, gone = at >= cell.leave;
    made.classList.toggle("away", away);
    if (away) made.tabIndex = -1;
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
  const piles = [...(stage?.piles || [])], cards = (stage?.cells || []).map((cell) => {
    const made = button(String(view.name(cell.card)), () => view.onCard(cell.card), "", { tabindex: -1 });
    made.style.setProperty("--at", `${view.part(cell.card)}%`);
    return { cell, made };
  });
  let first = 0;
  $(BOXES[box]).replaceChildren(...(piles.length ? piles.map(([space, { length }]) => {
    // The label comes last, though the pile grows from the label upwards.
    const pile = cards.slice(first, first += length).map((each) => each.made).reverse();
    return element("div", [...pile, element("span", view.labels[space], "label", { "data-space": space })], "column", { role: "group", "aria-label": view.said(space, length) });
  }) : cards.map((each) => each.made)));
  laid[box] = stage;
  lying[box] = cards;
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
