// Tails of the laws that the pages need, to about 1e-13.

const SMALL = 1e-16, LEAST = 1e-300;

// Natural logarithm of the gamma function: Stirling's series (Abramowitz and Stegun 6.1.41) after a step up to 12.
/** @type {(x: number) => number} */
export function logGamma(x) {
  let lifted = 1;
  for (; x < 12; x++) lifted *= x;
  const square = 1 / (x * x);
  const series = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square * (1 / 1188 - square * (691 / 360360)))))) / x;
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series - Math.log(lifted);
}

// The part of a gamma law with this shape that lies above x: its series below the mean, its continued fraction above
// (Abramowitz and Stegun 6.5.29 and 6.5.31; Lentz's method).
/** @type {(shape: number, x: number) => number} */
export function gammaTail(shape, x) {
  if (x <= 0) return 1;
  const front = Math.exp(shape * Math.log(x) - x - logGamma(shape));
  if (x < shape + 1) {
    let term = 1 / shape, all = term;
    for (let k = 1; term > all * SMALL; k++) all += term *= x / (shape + k);
    return Math.max(0, 1 - front * all);
  }
  let b = x + 1 - shape, c = 1 / LEAST, d = 1 / b, fraction = d, change = 0;
  for (let k = 1; Math.abs(change - 1) > SMALL * 4 && k < 100000; k++) {
    const a = k * (shape - k);
    b += 2;
    d = 1 / (a * d + b || LEAST);
    c = b + a / c || LEAST;
    fraction *= change = c * d;
  }
  return front * fraction;
}

/** @type {(statistic: number, degrees: number) => number} */
export const chiSquareTail = (statistic, degrees) => gammaTail(degrees / 2, statistic / 2);

// The chance that a normal variable lies at least `deviations` standard deviations from its mean, on either side.
/** @type {(deviations: number) => number} */
export const normalTails = (deviations) => gammaTail(0.5, (deviations * deviations) / 2);

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
