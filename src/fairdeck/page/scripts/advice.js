// What a deck and a mat imply: the same figures as fairdeck's Python.

import { descentLaw, firstAboveLaw } from "./eulerian.js";
import { codeOfKey, fits, gathered, gridsWithin, pilesHere, product, shapeFor, spacesUsed, sum } from "./planner.js";

const NEARLY_ALWAYS = 0.99, NEGLIGIBLE = 1e-14, ROUNDING = 1e-9;
/** @type {[number, number][]} */
export const PRESETS = [[5, 1], [7, 1], [5, 2], [7, 2], [5, 3], [7, 3]];

// The keys a random order needs: series of [kept, turned, chance]. Loose cards need no extra key where the first ordered
// card lies beyond them all.
/** @type {(task: TaskOnGrid) => number[][][]} */
function keyLaw(task) {
  const loose = task.goal.loose, hands = pilesHere(task, true).length, ordered = task.cards - sum(task.goal.piles) - loose, keys = ordered + Math.min(loose, 1) + hands;
  if (!ordered || task.classic) return [[[keys, keys, 1]]];
  const [first, law] = descentLaw(ordered);
  if (!loose) return [law.map((chance, i) => [first + i + 1 + hands, ordered - first - i + hands, chance])];
  const over = firstAboveLaw(ordered, loose), under = [...over].reverse();
  const series = [
    over.map((chance, i) => [first + i + 1, ordered - first - i + 1, chance]),
    under.map((chance, i) => [first + i + 2, ordered - first - i, chance]),
    law.map((chance, i) => [first + i + 2, ordered - first - i + 1, chance - over[i] - under[i]]),
  ];
  // With one loose card the third case cannot occur; its keys might have no shape.
  return loose > 1 ? series : series.slice(0, 2);
}

// How the planner deals a random order, and how often.
/** @type {(task: TaskOnGrid) => LikelyShape[]} */
function shapeLaw(task) {
  /** @type {Map<string, LikelyShape>} */
  const shapes = new Map();
  /** @type {(keys: number[]) => LikelyShape} */
  const shapeOf = ([kept, turned]) => {
    const shape = shapeFor(task, kept, turned);
    return { ...shape, key: shape.radices.join() + shape.fromBottom, chance: 0 };
  };
  /** @type {(shape: LikelyShape, chance: number) => any} */
  const add = (shape, chance) => shapes.set(shape.key, { ...shape, chance: (shapes.get(shape.key)?.chance || 0) + chance });
  for (const series of keyLaw(task)) {
    const upTo = [0];
    for (const [, , chance] of series) upTo.push(upTo[upTo.length - 1] + chance);
    // If both ends have the same shape, all have: keys only rise, or only fall.
    /** @type {(from: number, to: number, atFrom: LikelyShape, atTo: LikelyShape) => any} */
    const stretch = (from, to, atFrom, atTo) => {
      if (atFrom.key === atTo.key) return add(atFrom, upTo[to + 1] - upTo[from]);
      if (to === from + 1) return add(atFrom, series[from][2]), add(atTo, series[to][2]);
      const middle = (from + to) >> 1, atMiddle = shapeOf(series[middle]);
      stretch(from, middle, atFrom, atMiddle);
      // The middle is in both halves.
      add(atMiddle, -series[middle][2]);
      return stretch(middle, to, atMiddle, atTo);
    };
    stretch(0, series.length - 1, shapeOf(series[0]), shapeOf(series[series.length - 1]));
  }
  return [...shapes.values()].filter((shape) => shape.chance >= NEGLIGIBLE);
}

/** @type {(pairs: number[][], level: number) => number} */
function quantile(pairs, level) {
  const sorted = pairs.slice().sort((a, b) => a[0] - b[0]), target = level * sum(pairs.map((pair) => pair[1])) - ROUNDING;
  let soFar = 0;
  for (const [value, chance] of sorted) if ((soFar += chance) >= target) return value;
  return sorted[sorted.length - 1][0];
}

/** @type {(law: LikelyShape[]) => number[][]} */
const passesPairs = (law) => law.map((shape) => [shape.radices.length, shape.chance]);
/** @type {(law: LikelyShape[], finished: number) => number[][]} */
const spacesPairs = (law, finished) => law.map((shape) => [spacesUsed(shape.radices, finished), shape.chance]);

// Exact where hands are counted off without a stock.
/** @type {(task: Task, radices: number[]) => number} */
function tallestFor(task, radices) {
  const off = pilesHere(task, true), stock = task.cards - sum(off), room = product(radices);
  if (off.length) {
    const keys = task.classic ? stock : Math.min((stock + 1) >> 1, room - off.length);
    /** @type {Record<string, number>} */
    const heights = {};
    [...Array(keys).fill(stock / keys), ...[...off].reverse()].forEach((size, key) => {
      let code = codeOfKey(key, keys + off.length, room);
      radices.forEach((radix, number) => {
        const at = `${number} ${code % radix}`;
        heights[at] = (heights[at] || 0) + size;
        code = Math.floor(code / radix);
      });
    });
    return Math.ceil(Math.max(...Object.values(heights)) - ROUNDING);
  }
  const ordered = gathered(task) - task.goal.loose, total = sum(radices);
  const keys = Math.max(1, ordered / (task.classic ? 1 : 2));
  const level = (total - 0.375) / (total + 0.25);
  const normal = 4.91 * (level ** 0.14 - (1 - level) ** 0.14);
  let highest = Math.max(0, ...task.goal.piles);
  for (const radix of radices.filter((b) => b)) {
    const spread = task.classic ? 0 : Math.sqrt((0.873 * keys) / radix);
    highest = Math.max(highest, task.goal.loose + ordered / radix + normal * spread);
  }
  return Math.min(task.cards, Math.ceil(highest));
}

/** @type {(task: Task, radices: number[]) => number} */
function minutesFor(task, radices) {
  const seconds = radices.map((radix, number) => {
    const spaces = number ? radix : radix + pilesHere(task).length, cards = number ? gathered(task) : task.cards;
    const speed = spaces <= 4 ? 0.8 : spaces <= 10 ? 0.9 : spaces <= 22 ? 1.0 : 1.15;
    return Math.ceil(cards / task.dealers) * (speed + (task.turn && !number ? 0.5 : 0)) + radix * task.dealers * 1.2 + 8;
  });
  return Math.floor(sum(seconds) / 6 + 0.5) / 10;
}

/** @type {(task: Task) => Advice} */
export function advise(task) {
  const law = shapeLaw(task), finished = pilesHere(task).length;
  const passes = quantile(passesPairs(law), 0.5);
  const usual = law.filter((shape) => shape.radices.length === passes);
  const likeliest = usual.reduce((a, b) => (b.chance > a.chance ? b : a));
  return {
    passes,
    spaces: quantile(spacesPairs(usual, finished), NEARLY_ALWAYS),
    tallest: tallestFor(task, likeliest.radices),
    minutes: minutesFor(task, likeliest.radices),
    chanceOfOneMorePass: sum(law.filter((shape) => shape.radices.length > passes).map((shape) => shape.chance)),
  };
}

// The smallest mat for each number of passes.
/** @type {(task: Task) => Suggestion[]} */
export function suggestionsFor(task) {
  /** @type {Map<number, [number, number]>} */
  const grids = new Map();
  for (const [c, r] of [...PRESETS].reverse()) grids.set(c * r, [c, r]);
  for (const [c, r] of gridsWithin(task.mat.columns, task.mat.rows).reverse()) grids.set(c * r, [c, r]);
  /** @type {(mat: Grid) => { passes: number, spaces: number }} */
  const nearlyAlways = (mat) => {
    const here = { ...task, mat }, law = shapeLaw(here);
    const passes = quantile(passesPairs(law), NEARLY_ALWAYS);
    const within = law.filter((shape) => shape.radices.length <= passes);
    return { passes, spaces: quantile(spacesPairs(within, pilesHere(here).length), NEARLY_ALWAYS) };
  };
  /** @type {any} */
  const own = nearlyAlways(task.mat), ownSpaces = task.mat.columns * task.mat.rows, best = new Map();
  for (const spaces of [...grids.keys()].sort((a, b) => a - b)) {
    const [columns, rows] = grids.get(spaces) || [0, 0], mat = { columns, rows }, there = { ...task, mat };
    // Hands that lie on the mat are not counted off a smaller one.
    if (!fits(there) || pilesHere(there, true).length > pilesHere(task, true).length) continue;
    const way = { columns, rows, ...nearlyAlways(mat) };
    const better = way.passes < own.passes || (way.passes === own.passes && spaces < ownSpaces);
    if (better && !best.has(way.passes)) best.set(way.passes, way);
  }
  return [...best.values()].sort((a, b) => a.passes - b.passes);
}
