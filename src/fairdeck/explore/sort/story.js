// A plan replayed move by move: where every card lies at each moment. A moment is how many moves are done.

import { pilesAfter } from "../../page/scripts/planner.js";

/** @type {(plan: Plan) => Story} */
export function storyOf(plan) {
  const spaces = plan.mat.columns * plan.mat.rows;
  /** @type {Stage[]} */
  const stages = [];
  /** @type {Move[]} */
  const moves = [];
  let deck = Array.from({ length: plan.cards }, (_, i) => i);
  /** @type {Map<number, number>} */
  let arrivals = new Map();
  /** @type {(pass: number, leaves: Map<number, number>, over: number) => Stage} */
  const deckStage = (pass, leaves, over) => ({
    pass, deck, piles: new Map(), over,
    cells: [...deck].reverse().map((card) => ({ card, arrive: arrivals.get(card) || 0, leave: leaves.get(card) || Infinity })),
  });
  plan.passes.forEach((pass, number) => {
    const piles = pilesAfter(pass, deck, spaces), dealt = new Map(), stacked = new Map();
    (pass.from === "bottom" ? deck : [...deck].reverse()).forEach((card, index) => {
      moves.push({ pass: number, space: pass.deal[index], cards: [card], index, stacked: false });
      dealt.set(card, moves.length);
    });
    // The pile that ends on top is put on the next one, both on the next.
    [...pass.stack].reverse().forEach((space, index) => {
      moves.push({ pass: number, space, cards: piles[space], index, stacked: true });
      for (const card of piles[space]) stacked.set(card, moves.length);
    });
    const used = piles.flatMap((pile, space) => (pile.length ? [space] : []));
    stages.push(deckStage(number, dealt, moves.length), {
      pass: number, deck: [], piles: new Map(used.map((space) => [space, piles[space]])), over: moves.length,
      cells: used.flatMap((space) => piles[space].map((card) => ({ card, arrive: dealt.get(card), leave: stacked.get(card) || Infinity }))),
    });
    arrivals = stacked;
    deck = pass.stack.flatMap((space) => piles[space]);
  });
  if (deck.length) stages.push(deckStage(plan.passes.length, new Map(), Infinity));
  return { stages, moves, order: deck };
}
