// A plan from elsewhere: what docs/reference/plan.md asks of it is checked; the first fault is named with its place in the JSON.

import { countsOf, finishedSpaces, LARGEST_SIDE, makeMat, PlanError, sum } from "../../page/scripts/planner.js";

export const MOST_CARDS = 200, FORMAT = "fairdeck-plan/1", LABELS_WANTED = "planLabels", SPACE_WANTED = "planSpace";
const MOST_PASSES = 12, MOST_DEALERS = 8;

// What is wanted may be the key of a text.
export class PlanFault extends Error {
  /** @param {string} where @param {any} given @param {any} wanted */
  constructor(where, given, wanted) {
    super(where);
    this.told = [where, given, String(wanted)];
  }
}

/** @type {(holds: any, where: string, given: any, wanted: any) => void} */
function demand(holds, where, given, wanted) {
  if (!holds) throw new PlanFault(where, given, wanted);
}

/** @type {(where: string, value: any, least: number, most: number) => void} */
const demandNumber = (where, value, least, most) => demand(Number.isInteger(value) && value >= least && value <= most, where, value, `${least} … ${most}`);
/** @type {(where: string, given: any, wanted: any) => void} */
const demandSame = (where, given, wanted) => demand(given === wanted, where, given, wanted);
/** @type {(value: any) => boolean} */
const isNumbers = (value) => Array.isArray(value) && value.every(Number.isInteger);

/** @type {(text: string) => Plan} */
export function readPlan(text) {
  const given = parsed(text), { format, cards, dealers = 1, passes } = given, { columns, rows, labels } = given.mat || {};
  demandSame("format", format, FORMAT);
  demandNumber("cards", cards, 2, MOST_CARDS);
  demandNumber("mat.columns", columns, 1, LARGEST_SIDE);
  demandNumber("mat.rows", rows, 1, LARGEST_SIDE);
  demandNumber("mat.columns × mat.rows", columns * rows, 2, LARGEST_SIDE ** 2);
  demandNumber("dealers", dealers, 1, MOST_DEALERS);
  demand(Array.isArray(passes), "passes", passes, "[ … ]");
  demandNumber("passes.length", passes.length, 1, MOST_PASSES);
  const mat = matOf(columns, rows, labels), finished = [];
  let left = cards;
  for (const [i, pass] of passes.entries()) {
    checkPass(`passes[${i}]`, pass || {}, left, dealers, columns * rows);
    if (pass.from === "top") delete pass.from;
    finished.push(...finishedSpaces(pass).map((space) => pass.counts[space]));
    left = sum(pass.stack.map((/** @type {number} */ space) => pass.counts[space]));
  }
  const fitting = finished.length ? `hands:${finished}${left ? "+stock" : ""}` : "deck", { goal = fitting, destinations } = given;
  demand(String(pilesWanted(goal, cards)) === String(finished), "goal", goal, fitting);
  demand(!("destinations" in given) || isOrder(destinations, cards), "destinations", destinations, `[0 … ${cards - 1}]`);
  return { ...given, mat, dealers, goal };
}

/** @type {(text: string) => any} */
function parsed(text) {
  try {
    return JSON.parse(text) || {};
  } catch {
    throw new PlanFault("JSON", text, "{ … }");
  }
}

/** @type {(columns: number, rows: number, labels: any) => Mat} */
function matOf(columns, rows, labels) {
  try {
    return makeMat(columns, rows, Array.isArray(labels) ? labels : []);
  } catch (error) {
    throw error instanceof PlanError ? new PlanFault("mat.labels", labels, LABELS_WANTED) : error;
  }
}

/** @type {(list: any, cards: number) => boolean} */
const isOrder = (list, cards) => isNumbers(list) && list.length === cards && [...list].sort((a, b) => a - b).every((place, i) => place === i);

/** @type {(where: string, pass: any, left: number, dealers: number, spaces: number) => void} */
function checkPass(where, pass, left, dealers, spaces) {
  const { deal, stack, counts, from = "top", packets = [] } = pass, parts = dealers > 1 ? dealers : 0;
  for (const name of ["deal", "stack", "counts"]) demand(isNumbers(pass[name]), `${where}.${name}`, pass[name], "[0, 1, …]");
  demand(left, where, deal, "–");
  demandSame(`${where}.deal.length`, deal.length, left);
  demandSame(`${where}.counts.length`, counts.length, spaces);
  demand(from === "top" || (from === "bottom" && !parts), `${where}.from`, from, parts ? '"top"' : '"top", "bottom"');
  deal.forEach((/** @type {number} */ space, /** @type {number} */ i) => demandNumber(`${where}.deal[${i}]`, space, 0, spaces - 1));
  const heights = countsOf(deal, spaces);
  stack.forEach((/** @type {number} */ space, /** @type {number} */ i) => demand(heights[space] && stack.indexOf(space) === i, `${where}.stack[${i}]`, space, SPACE_WANTED));
  heights.forEach((count, space) => demandSame(`${where}.counts[${space}]`, counts[space], count));
  const cut = isNumbers(packets) && packets.length === parts && (!parts || (sum(packets) === left && Math.min(...packets) >= 0));
  demand(cut, `${where}.packets`, packets, parts ? `[${Array(parts).fill("…").join(" + ")} = ${left}]` : "[]");
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
