// The steps.

import { finishedSpaces, sum } from "./planner.js";

// Whether a later pass has cards for this dealer: small packets do not reach the last dealers.
/** @type {(deal: Deal, number: number) => boolean} */
export const partComes = (deal, number) => deal.lists.slice(number + 1).some((list) => list.length);

// The steps of a pass, by kind. The first dealer joins, hands out and gathers; the others wait for their next part.
/** @type {(deal: Deal, number: number) => [Kind, number][]} */
function stagesOf(deal, number) {
  const pass = deal.plan.passes[number];
  if (deal.dealer && number && !partComes(deal, number - 1)) return [];
  /** @type {[Kind, number][]} */
  const own = deal.dealer ? [] : [["hands", finishedSpaces(pass).length ? 1 : 0], ["gather", Math.max(0, pass.stack.length - 1)]];
  return [["open", 1], ["card", deal.lists[number].length], ["check", 1], ["join", pass.packets?.[1] ? 1 : 0], ...own];
}

/** @type {(deal: Deal, at: number) => Step} */
export function stepAt(deal, at) {
  for (let number = 0; number < deal.plan.passes.length; number++) {
    for (const [kind, length] of stagesOf(deal, number)) {
      if (at < length) return { kind, number, index: at };
      at -= length;
    }
  }
  return { kind: "done", number: deal.plan.passes.length - 1, index: 0 };
}

/** @type {(deal: Deal, number: number) => number} */
export function startOf(deal, number) {
  let start = 0;
  for (let earlier = 0; earlier < number; earlier++) start += sum(stagesOf(deal, earlier).map((stage) => stage[1]));
  return start;
}

// The top pile goes on the next, both on the next, and so on. Each move is a step, as the codes of deals count them.
/** @type {(pass: Pass) => number[]} */
export const routeOf = (pass) => [...pass.stack].reverse();
