// How far riffles leave a deck from fair: the exact law, counted in whole numbers as `fairdeck.shuffles.riffle` counts it.
// Bayer and Diaconis, Ann. Appl. Probab. 2 (1992). Riffles in a row are one riffle of as many packets as all of them together:
// k of them of 2^k.

import { ordersByRising, waysToChoose } from "./rising.js";
import { factorial, quotient } from "./whole_numbers.js";

// The total variation of the whole order of n cards after one riffle of `packets` packets.
/** @type {(n: number, packets: bigint) => number} */
export function orderVariation(n, packets) {
  const all = factorial(n), ways = packets ** BigInt(n);
  let likely = 0n, counted = 0n, each = waysToChoose(packets + BigInt(n) - 1n, n), rising = 0n;
  for (const orders of ordersByRising(n)) {
    if (each * all <= ways) break;
    likely += orders * each;
    counted += orders;
    rising++;
    each = (each * (packets - rising)) / (packets - rising + BigInt(n));
  }
  return quotient(likely * all - counted * ways, ways * all);
}
