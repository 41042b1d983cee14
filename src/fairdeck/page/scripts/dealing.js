// A deal in progress: `at` counts the steps taken.

import { countsOf, planFor, sum } from "./planner.js";

// The deal of one dealer: their part of each pass's list and their heights.
/** @type {(task: Task, order: number[], dealer?: number, at?: number) => Deal} */
export function dealOf(task, order, dealer = 0, at = 0) {
  const plan = planFor(task, order), spaces = task.mat.columns * task.mat.rows;
  const lists = plan.passes.map((pass) => shareOf(pass, pass.deal, dealer));
  const [first] = plan.passes, turn = shareOf(first, first.turn || [], dealer);
  return { task, order, plan, dealer, at, lists, turn, heights: lists.map((list) => countsOf(list, spaces)) };
}

/** @type {(pass: Pass, all: number[], dealer: number) => number[]} */
function shareOf(pass, all, dealer) {
  if (!pass.packets) return all;
  const start = sum(pass.packets.slice(0, dealer));
  return all.slice(start, start + pass.packets[dealer]);
}
