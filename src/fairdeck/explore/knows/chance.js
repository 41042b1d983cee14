// Any number below the bound, for what is only shown: no deck is dealt from it.

import { freshSeed } from "../scripts/hash.js";

/** @type {(bound: number) => number} */
export function anyBelow(bound) {
  for (;;) {
    const word = freshSeed();
    if (word < 2 ** 32 - (2 ** 32 % bound)) return word % bound;
  }
}
