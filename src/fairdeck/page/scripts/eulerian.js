// The Eulerian law: how many descents a uniformly random order has, as in fairdeck's Python.

import { sum } from "./planner.js";

const EXACT_BELOW = 64, WINDOW = 10, WAVES = 40, TERMS = 40;

// Keeps the last answer: typing asks for the same one many times.
/** @type {(law: (...numbers: number[]) => any) => (...numbers: number[]) => any} */
function remembering(law) {
  let asked = "";
  /** @type {any} */
  let answer = null;
  return (...numbers) => {
    if (asked !== numbers.join()) [asked, answer] = [numbers.join(), law(...numbers)];
    return answer;
  };
}

/** @type {(n: number) => number[]} */
function wavesOf(n) {
  const spread = Math.sqrt((n + 1) / 12);
  return [(2 * Math.PI) / (2.4 * WINDOW * spread), Math.max(0, Math.ceil((n - 1) / 2 - WINDOW * spread))];
}

/** @type {(frequency: number) => number} */
const sinc = (frequency) => Math.sin(frequency / 2) / (frequency / 2);

// [first number of descents, probabilities].
/** @type {(n: number) => [number, number[]]} */
export const descentLaw = remembering((n) => {
  if (n < EXACT_BELOW) {
    let law = [1];
    for (let size = 2; size <= n; size++) {
      law = Array.from({ length: size }, (_, d) => ((d + 1) * (law[d] || 0) + (size - d) * (law[d - 1] || 0)) / size);
    }
    return [0, law];
  }
  const [step, first] = wavesOf(n), heights = [], law = [];
  for (let j = 1; j < WAVES; j++) heights.push(sinc(step * j) ** (n + 1));
  for (let d = first; d < n - first; d++) {
    const angle = step * (d - (n - 1) / 2);
    law.push(Math.max(0, 0.5 + sum(heights.map((height, j) => height * Math.cos(angle * (j + 1))))));
  }
  const whole = sum(law);
  return [first, law.map((chance) => chance / whole)];
});

// The chance of each number of descents *and* a first card above all `others`.
/** @type {(n: number, others: number) => number[]} */
export const firstAboveLaw = remembering((n, others) => {
  if (n < EXACT_BELOW) return firstAboveCounted(n, others);
  const [step, first] = wavesOf(n), heights = [], law = [];
  for (let j = 1; j < WAVES; j++) {
    const wave = sinc(step * j) ** n, turn = step * j;
    let real = 0, imaginary = 0, size = 1;
    for (let k = 1; k < TERMS; k++) {
      const term = (size * (others + 1)) / (others + k), quarter = (k - 1) % 4;
      if (quarter % 2 === 0) real += quarter ? -term : term;
      else imaginary += quarter === 1 ? term : -term;
      size *= turn / k;
    }
    heights.push([wave * real, wave * imaginary]);
  }
  for (let d = first; d < n - first; d++) {
    const angle = step * (d + 1 - n / 2);
    const total = 0.5 + sum(heights.map(([c, s], j) => c * Math.cos(angle * (j + 1)) + s * Math.sin(angle * (j + 1))));
    law.push(Math.max(0, (total * step) / Math.PI / (others + 1)));
  }
  return law;
});

/** @type {(n: number, others: number) => number[]} */
function firstAboveCounted(n, others) {
  let byFirst = [[1]];
  for (let size = 2; size <= n; size++) {
    const lower = Array(size).fill(0), higher = lower.map((_, d) => sum(byFirst.map((row) => row[d] || 0))), grown = [];
    for (let rank = 0; rank < size; rank++) {
      grown.push(lower.map((_, d) => ((lower[d - 1] || 0) + higher[d]) / size));
      (byFirst[rank] || []).forEach((chance, d) => {
        lower[d] += chance;
        higher[d] -= chance;
      });
    }
    byFirst = grown;
  }
  const above = Array(n).fill(0);
  let chance = 1;
  for (let rank = n - 1; rank >= 0; rank--) {
    chance *= (rank + 1) / (rank + 1 + others);
    byFirst[rank].forEach((share, d) => { above[d] += share * chance; });
  }
  return above;
}
