// Whole numbers without a bound.

/** @type {(n: number) => bigint} */
export function factorial(n) {
  let product = 1n;
  for (let factor = 2n; factor <= n; factor++) product *= factor;
  return product;
}

/** @type {(value: bigint) => number} */
const bitsOf = (value) => value.toString(16).length * 4;

// One whole number over another, as a double.
/** @type {(over: bigint, under: bigint) => number} */
export function quotient(over, under) {
  const up = Math.max(0, bitsOf(under) - bitsOf(over) + 64);
  return Number((over << BigInt(up)) / under) / 2 ** Math.min(up, 1000) / 2 ** Math.max(0, up - 1000);
}
