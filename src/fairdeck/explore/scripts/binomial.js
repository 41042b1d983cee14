// The exact interval of a chance, from a count of independent trials: Clopper and Pearson's, as fairdeck.lab.laws.intervals.

import { logGamma } from "./laws.js";

// The regularized incomplete beta function, by its continued fraction (Press et al., Numerical Recipes, section 6.4).
/** @type {(x: number, a: number, b: number) => number} */
export function betaBelow(x, a, b) {
  if (x <= 0 || x >= 1) return Number(x >= 1);
  if (x > (a + 1) / (a + b + 2)) return 1 - betaBelow(1 - x, b, a);
  const before = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a;
  let c = 1, d = 1 / (1 - ((a + b) * x) / (a + 1)), value = d;
  for (let m = 1, change = 0; m < 100000 && Math.abs(change - 1) > 1e-15; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    value *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    change = d * c;
    value *= change;
  }
  return before * value;
}

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
