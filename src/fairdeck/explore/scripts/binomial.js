// The exact interval of a chance, from a count of independent trials: Clopper and Pearson's, as fairdeck.lab.laws.intervals.

import { betaBelow } from "./laws.js";

// The bounds of a chance met `count` times in `trials`: with this level or more, the chance lies between them.
/** @type {(count: number, trials: number, level: number) => [number, number]} */
export function exactInterval(count, trials, level) {
  const tail = (1 - level) / 2;
  /** @type {(a: number, b: number, share: number) => number} */
  const quantile = (a, b, share) => {
    let low = 0, high = 1;
    for (let step = 0; step < 52; step++) {
      const middle = (low + high) / 2;
      if (betaBelow(middle, a, b) < share) low = middle;
      else high = middle;
    }
    return (low + high) / 2;
  };
  return [count ? quantile(count, trials - count + 1, tail) : 0, count < trials ? quantile(count + 1, trials - count, 1 - tail) : 1];
}
