// Arrangements as lines between decks that stand upright, top at the top. The cards of a deck can be exchanged: tap two of
// them, or drag one onto the other.

import { button, element, svg } from "../../page/scripts/elements.js";
import { t } from "../../page/scripts/texts.js";
import { cardsOf } from "../scripts/small_decks.js";
import { then } from "./arrangements.js";

const COLOURS = 6, MOST_NAMED = 13;

/** @type {(card: number, n: number) => string} */
export const colourOf = (card, n) => `row${Math.floor((card * COLOURS) / Math.max(n, COLOURS))}`;

// Shows the arrangements one after another; `exchange` takes the stage, and the two places to exchange.
/** @type {(box: any, stages: number[][], exchange?: (stage: number, one: number, other: number) => void) => void} */
export function showWires(box, stages, exchange = undefined) {
  const n = stages[0].length, focused = [...box.querySelectorAll("button")].indexOf(document.activeElement);
  let deck = cardsOf(n);
  /** @type {any} */
  let held = null;
  const parts = [deckOf(deck, () => null)];
  stages.forEach((arrangement, stage) => {
    const next = then(deck, arrangement), lines = svg(100, n, arrangement.map((from, to) => lineOf(n, from, to)), "");
    lines.setAttribute("preserveAspectRatio", "none");
    [...lines.children].forEach((line, place) => line.setAttribute("class", colourOf(next[place], n)));
    /** @type {(place: number, cell: any) => void} */
    const tap = (place, cell) => {
      if (held && held.stage === stage && held.place !== place) return exchange?.(stage, held.place, place);
      const again = held?.cell === cell;
      held?.cell.setAttribute("aria-pressed", "false");
      held = again ? null : { stage, place, cell };
      cell.setAttribute("aria-pressed", String(!again));
    };
    const column = deckOf(next, (place, name) => {
      if (!exchange || n > MOST_NAMED) return null;
      const cell = button("", () => tap(place, cell), "", { "aria-label": t("cell", { card: name, place }), "aria-pressed": false });
      cell.addEventListener("pointerdown", () => {
        addEventListener("pointerup", (event) => {
          const onto = [...column.children].indexOf(document.elementFromPoint(event.clientX, event.clientY));
          if (onto >= 0 && n - 1 - onto !== place) exchange(stage, place, n - 1 - onto);
        }, { once: true });
      });
      return cell;
    });
    parts.push(lines, column);
    deck = next;
  });
  box.replaceChildren(...parts);
  box.classList.toggle("thin", n > MOST_NAMED);
  box.style.setProperty("--cards", n);
  if (focused >= 0) box.querySelectorAll("button")[focused]?.focus();
}

/** @type {(deck: number[], cellOf: (place: number, name: string) => any) => any} */
function deckOf(deck, cellOf) {
  return element("div", deck.map((card, place) => {
    const cell = cellOf(place, String(card)) || element("span"), n = deck.length;
    cell.classList.add(colourOf(card, n));
    cell.textContent = n > MOST_NAMED ? "" : card;
    return cell;
  }).reverse(), "column");
}

/** @type {(n: number, from: number, to: number) => string} */
function lineOf(n, from, to) {
  const y = n - from - 0.5, toY = n - to - 0.5;
  return `M0 ${y}C50 ${y} 50 ${toY} 100 ${toY}`;
}
