// What riffles tell of the hands that made them: the same laws as fairdeck.shuffles.interleavings.

import { logGamma } from "../scripts/laws.js";

// A riffle is the packets its cards came from, 0 or 1, in the order in which they fell: from the bottom up.
/** @typedef {number[]} Riffle */
/** @typedef {{ own: number, other: number, changed: boolean }} Choice */

export const NEATEST = 1000;
const HALF_WIDTH = 1.920729410347062; // half the 95 % point of chi-square with one degree of freedom

/** @type {(riffle: Riffle) => number[]} */
export function runsOf(riffle) {
  /** @type {number[]} */
  const runs = [];
  riffle.forEach((packet, i) => (packet === riffle[i - 1] ? runs[runs.length - 1]++ : runs.push(1)));
  return runs;
}

/** @type {(riffle: Riffle) => [number, number]} */
export function sizesOf(riffle) {
  const right = riffle.reduce((all, packet) => all + packet, 0);
  return [riffle.length - right, right];
}

// Each card after which both packets have cards, and what came next.
/** @type {(riffle: Riffle) => Choice[]} */
export function choicesOf(riffle) {
  const left = sizesOf(riffle), found = /** @type {Choice[]} */ ([]);
  for (let i = 0; i + 1 < riffle.length; i++) {
    left[riffle[i]]--;
    if (left[0] && left[1]) found.push({ own: left[riffle[i]], other: left[1 - riffle[i]], changed: riffle[i] !== riffle[i + 1] });
  }
  return found;
}

/** @type {(n: number, k: number) => number} */
const logWays = (n, k) => (k < 0 || k > n ? -Infinity : logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1));

// The chance of each number of runs, 0, 1, ..., of an ideal riffle of packets of these sizes (Wald and Wolfowitz 1940).
/** @type {(sizes: [number, number]) => number[]} */
export function runsLaw([a, b]) {
  const all = logWays(a + b, a), law = Array(2 * Math.min(a, b) + 2).fill(0);
  for (let half = 1; half <= Math.min(a, b); half++) {
    const same = logWays(a - 1, half - 1) + logWays(b - 1, half - 1);
    law[2 * half] = 2 * Math.exp(same - all);
    law[2 * half + 1] = Math.exp(logWays(a - 1, half) + logWays(b - 1, half - 1) - all) + Math.exp(logWays(a - 1, half - 1) + logWays(b - 1, half) - all);
  }
  return law;
}

// The law of the runs of all riffles together.
/** @type {(riffles: Riffle[]) => number[]} */
export function allRunsLaw(riffles) {
  let law = [1];
  for (const riffle of riffles) {
    const more = runsLaw(sizesOf(riffle)), sum = Array(law.length + more.length - 1).fill(0);
    law.forEach((p, i) => more.forEach((q, j) => { sum[i + j] += p * q; }));
    law = sum;
  }
  return law;
}

/** @type {(chance: number) => number} */
const bits = (chance) => [chance, 1 - chance].reduce((all, p) => (p > 0 ? all - p * Math.log2(p) : all), 0);

// The entropy in bits of one riffle of this neatness, cut in the middle: of its cut, its first packet, and each choice.
/** @type {(cards: number, neatness: number) => number} */
export function entropy(cards, neatness) {
  const left = Array.from({ length: cards + 1 }, () => Array(cards + 1).fill(0));
  for (let own = 1; own < cards; own++)
    for (let other = 1; other <= Math.min(own, cards - own); other++)
      for (const [here, there] of own === other ? [[own, own]] : [[own, other], [other, own]]) {
        const change = (neatness * there) / (neatness * there + here);
        left[here][there] = bits(change) + change * left[there - 1][here] + (1 - change) * left[here - 1][there];
      }
  let all = 0;
  for (let lower = 0; lower <= cards; lower++) {
    const upper = cards - lower, chance = Math.exp(logWays(cards, lower)) / 2 ** cards, first = lower / cards;
    all += chance * (bits(first) + (lower && first * left[lower - 1][upper]) + (upper && (1 - first) * left[upper - 1][lower]) - Math.log2(chance));
  }
  return all;
}

/** @type {(choices: Choice[], log: number) => number} */
function logLikelihood(choices, log) {
  return choices.reduce((all, { own, other, changed }) => {
    const odds = log + Math.log(other / own);
    return all - Math.log1p(Math.exp(changed ? -odds : odds));
  }, 0);
}

// The neatness that fits best, and the ends of its interval of 95 %: 1 is an ideal riffle.
/** @type {(riffles: Riffle[]) => { neatness: number, low: number, high: number }} */
export function fitted(riffles) {
  const choices = riffles.flatMap(choicesOf), changes = choices.filter(({ changed }) => changed).length, end = Math.log(NEATEST);
  const tooFew = (/** @type {number} */ log) => choices.reduce((all, { own, other }) => all + (Math.exp(log) * other) / (Math.exp(log) * other + own), 0) <= changes;
  const best = where(tooFew, -end, end), least = logLikelihood(choices, best) - HALF_WIDTH;
  const enough = (/** @type {number} */ log) => logLikelihood(choices, log) >= least;
  return { neatness: Math.exp(best), low: Math.exp(where(enough, best, -end)), high: Math.exp(where(enough, best, end)) };
}

// Where a statement that holds `inside` ends to hold on the way `outside`; `outside` if it holds there.
/** @type {(holds: (log: number) => boolean, inside: number, outside: number) => number} */
function where(holds, inside, outside) {
  if (holds(outside)) return outside;
  for (let step = 0; step < 60; step++) {
    const middle = (inside + outside) / 2;
    if (holds(middle)) inside = middle;
    else outside = middle;
  }
  return inside;
}
