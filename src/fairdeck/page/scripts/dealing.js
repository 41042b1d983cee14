// A deal in progress: `at` counts the steps taken.

import { countsOf, planFor, sum } from "./planner.js";

// The deal of one dealer: their part of each pass's list and their heights.
/** @type {(task: Task, order: number[], dealer?: number, at?: number) => Deal} */
export function dealOf(task, order, dealer = 0, at = 0) {
  const plan = planFor(task, order), spaces = task.mat.columns * task.mat.rows;
  const lists = plan.passes.map((pass) => shareOf(pass, dealer));
  return { task, order, plan, dealer, at, lists, heights: lists.map((list) => countsOf(list, spaces)) };
}

/** @type {(pass: Pass, dealer: number) => number[]} */
function shareOf(pass, dealer) {
  if (!pass.packets) return pass.deal;
  const start = sum(pass.packets.slice(0, dealer));
  return pass.deal.slice(start, start + pass.packets[dealer]);
}
