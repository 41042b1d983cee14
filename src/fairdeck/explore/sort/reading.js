// A plan from elsewhere: what docs/reference/plan.md asks of it is checked, and every fault is named with its place in the JSON.

import { countsOf, makeMat, PlanError, sum } from "../../page/scripts/planner.js";

/** @typedef {[where: string, given: any, wanted: string]} Fault what is wanted may be the key of a text */

export const MOST_CARDS = 200, LARGEST_MAT_SIDE = 26, FORMAT = "fairdeck-plan/1", LABELS_WANTED = "planLabels", SPACE_WANTED = "planSpace";
const MOST_PASSES = 12, MOST_DEALERS = 8;
/** @type {(value: any) => boolean} */
const isNumbers = (value) => Array.isArray(value) && value.every(Number.isInteger);

/** @type {(where: string, value: any, least: number, most: number) => Fault[]} */
const numberFaults = (where, value, least, most) => (Number.isInteger(value) && value >= least && value <= most ? [] : [[where, value, `${least} … ${most}`]]);
/** @type {(where: string, given: any, wanted: any) => Fault[]} */
const differing = (where, given, wanted) => (given === wanted ? [] : [[where, given, String(wanted)]]);

/** @type {(text: string) => { plan?: Plan, faults: Fault[] }} */
export function readPlan(text) {
  /** @type {any} */
  let given;
  try {
    given = JSON.parse(text);
  } catch {
    return { faults: [["JSON", text, "{ … }"]] };
  }
  const faults = frameFaults(given || {});
  if (faults.length) return { faults };
  const { cards, dealers = 1, passes } = given, mat = makeMat(given.mat.columns, given.mat.rows, given.mat.labels);
  const finished = [];
  let left = cards;
  for (const [i, pass] of passes.entries()) {
    const found = passFaults(`passes[${i}]`, pass || {}, left, dealers, mat.labels.length);
    // What follows a faulty pass cannot be judged.
    if (found.length) return { faults: found };
    if (pass.from === "top") delete pass.from;
    finished.push(...pass.counts.filter((/** @type {number} */ count, /** @type {number} */ space) => count && !pass.stack.includes(space)));
    left = sum(pass.stack.map((/** @type {number} */ space) => pass.counts[space]));
  }
  const fitting = finished.length ? `hands:${finished}${left ? "+stock" : ""}` : "deck", { goal = fitting } = given;
  if (String(pilesWanted(goal, cards)) !== String(finished)) faults.push(["goal", goal, fitting]);
  if ("destinations" in given && !isOrder(given.destinations, cards)) faults.push(["destinations", given.destinations, `[0 … ${cards - 1}]`]);
  return { plan: { ...given, mat, dealers, goal }, faults };
}

/** @type {(list: any, cards: number) => boolean} */
const isOrder = (list, cards) => isNumbers(list) && list.length === cards && [...list].sort((a, b) => a - b).every((place, i) => place === i);

// What is wrong around the passes.
/** @type {(given: any) => Fault[]} */
function frameFaults({ format, cards, mat, dealers = 1, passes }) {
  const { columns, rows, labels } = mat || {}, faults = [
    ...differing("format", format, FORMAT), ...numberFaults("cards", cards, 2, MOST_CARDS),
    ...numberFaults("mat.columns", columns, 1, LARGEST_MAT_SIDE), ...numberFaults("mat.rows", rows, 1, LARGEST_MAT_SIDE),
    ...numberFaults("dealers", dealers, 1, MOST_DEALERS),
    ...(Array.isArray(passes) ? numberFaults("passes.length", passes.length, 1, MOST_PASSES) : differing("passes", passes, "[ … ]")),
  ];
  if (!faults.length) faults.push(...numberFaults("mat.columns × mat.rows", columns * rows, 2, LARGEST_MAT_SIDE ** 2));
  if (faults.length) return faults;
  try {
    makeMat(columns, rows, Array.isArray(labels) ? labels : []);
    return [];
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return [["mat.labels", labels, LABELS_WANTED]];
  }
}

/** @type {(where: string, pass: any, left: number, dealers: number, spaces: number) => Fault[]} */
function passFaults(where, pass, left, dealers, spaces) {
  const { deal, stack, counts, from = "top", packets = [] } = pass;
  /** @type {Fault[]} */
  let faults = ["deal", "stack", "counts"].filter((name) => !isNumbers(pass[name])).map((name) => [`${where}.${name}`, pass[name], "[0, 1, …]"]);
  if (faults.length) return faults;
  faults = [
    ...differing(`${where}.deal.length`, deal.length, left), ...differing(`${where}.counts.length`, counts.length, spaces),
    ...(["top", "bottom"].includes(from) ? [] : differing(`${where}.from`, from, '"top", "bottom"')),
    ...deal.flatMap((/** @type {number} */ space, /** @type {number} */ i) => numberFaults(`${where}.deal[${i}]`, space, 0, spaces - 1)),
  ];
  if (!left) faults.push([where, deal, "–"]);
  if (faults.length) return faults;
  const heights = countsOf(deal, spaces), parts = dealers > 1 ? dealers : 0;
  stack.forEach((/** @type {number} */ space, /** @type {number} */ i) => {
    if (!heights[space] || stack.indexOf(space) < i) faults.push([`${where}.stack[${i}]`, space, SPACE_WANTED]);
  });
  heights.forEach((count, space) => faults.push(...differing(`${where}.counts[${space}]`, counts[space], count)));
  const cut = isNumbers(packets) && packets.length === parts && (!parts || (sum(packets) === left && Math.min(...packets) >= 0));
  if (!cut) faults.push([`${where}.packets`, packets, parts ? `[${Array(parts).fill("…").join(" + ")} = ${left}]` : "[]"]);
  if (parts && from !== "top") faults.push([`${where}.from`, from, '"top"']);
  return faults;
}

// The sizes of the piles that a goal leaves on the mat; null if it is no goal.
/** @type {(goal: any, cards: number) => number[] | null} */
function pilesWanted(goal, cards) {
  if (typeof goal !== "string") return null;
  if (goal === "deck" || (/^top:[1-9]\d*$/.test(goal) && Number(goal.slice(4)) <= cards)) return [];
  const [, list, left] = /^hands:(\d{1,3}(?:x\d{1,3})?(?:,\d{1,3}(?:x\d{1,3})?)*)(\+stock|\+rest)?$/.exec(goal) || [];
  if (!list) return null;
  const sizes = list.split(",").flatMap((each) => {
    const [size, times = 1] = each.split("x").map(Number).reverse();
    return Array(times).fill(size);
  });
  return left === "+rest" ? [...sizes, cards - sum(sizes)] : sizes;
}
