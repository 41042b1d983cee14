// The paths of the two loops through their draws; decks are arrays, deck[0] first.

import { codeOfRank, fromLehmerCode, rankOf } from "../scripts/ranks.js";
import { cardsOf } from "../scripts/small_decks.js";
import { factorial } from "../scripts/whole_numbers.js";

// All paths, in order; `choices` says how many choices each step has.
/** @type {(choices: number[]) => number[][]} */
export const pathsOf = ([first, ...rest]) => (first ? cardsOf(first).flatMap((drawn) => pathsOf(rest).map((path) => [drawn, ...path])) : [[]]);

// How many of the n^n paths of the obvious loop end in each order, by its rank: step by step, decks that meet are added.
/** @type {(n: number) => number[]} */
export function obviousCounts(n) {
  const every = Number(factorial(n));
  let counts = Array(every).fill(0);
  counts[0] = 1;
  for (let place = 0; place < n; place++) {
    const next = Array(every).fill(0);
    counts.forEach((paths, rank) => {
      for (let drawn = 0; paths && drawn < n; drawn++) {
        const deck = fromLehmerCode(codeOfRank(BigInt(rank), n));
        [deck[place], deck[drawn]] = [deck[drawn], deck[place]];
        next[Number(rankOf(deck))] += paths;
      }
    });
    counts = next;
  }
  return counts;
}

// n^n paths shared by n! orders.
/** @type {(n: number) => { paths: bigint, orders: bigint, each: bigint, over: bigint }} */
export function division(n) {
  const paths = BigInt(n) ** BigInt(n), orders = factorial(n);
  return { paths, orders, each: paths / orders, over: paths % orders };
}

/** @type {(most: number) => number[]} */
export const primesTo = (most) => cardsOf(most + 1).filter((p) => p > 1 && cardsOf(p).every((d) => d < 2 || p % d));
