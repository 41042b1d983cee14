// The cards on the table, as a deal moves them.

import { finishedSpaces } from "../../page/scripts/planner.js";
import { routeOf, stepAt } from "../../page/scripts/stages.js";

// Where every card lies after the steps before `at`; all lists start at the bottom.
/** @type {(deal: Deal, at: number) => Table} */
export function tableAfter(deal, at) {
  const hands = [];
  let deck = deal.order.map((_, i) => i), piles = new Map();
  for (let step = 0; step < at; step++) {
    const { kind, number, index } = stepAt(deal, step), pass = deal.plan.passes[number];
    if (kind === "done" || (kind === "open" && number)) deck = [...piles.values()].flat(), piles = new Map();
    if (kind === "card") {
      const space = pass.deal[index];
      piles.set(space, [...(piles.get(space) || []), pass.from === "bottom" ? deck.shift() : deck.pop()]);
    }
    if (kind === "hands") for (const space of finishedSpaces(pass)) hands.push(piles.get(space)), piles.delete(space);
    if (kind === "gather") {
      const [pile, onto] = routeOf(pass).slice(index);
      piles.get(onto).push(...piles.get(pile));
      piles.delete(pile);
    }
  }
  return { deck, piles, hands };
}
