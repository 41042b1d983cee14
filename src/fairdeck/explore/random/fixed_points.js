// How many cards of a fair deck lie where they lay before.

/** @type {(deck: ArrayLike<number>) => number} */
export const fixedPoints = (deck) => Array.from(deck).filter((card, place) => card === place).length;

// The chance that exactly `k` of `n` cards do. Source: Montmort, Essay d'analyse sur les jeux de hazard, 1713.
/** @type {(n: number, k: number) => number} */
export function chanceOfFixed(n, k) {
  let all = 0, term = 1;
  for (let i = 1; i <= k; i++) term /= i;
  for (let left = 0; left <= n - k; left++) {
    all += term;
    term /= -(left + 1);
  }
  return all;
}
