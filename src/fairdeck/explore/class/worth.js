// How many riffles of Gilbert, Shannon and Reeds these decks are worth.

export const MOST_WORTH = 12;
const MOST_PACKETS = 2 ** MOST_WORTH, ENOUGH = 5, UNSURE = 0.025;

// The average number of rising sequences of n cards after one riffle of a packets: a - (n + 1) times the sum of (j / a)^n
// for j below a. It follows from the law by Worpitzky's identity; k riffles have 2^k packets.
/** @type {(n: number, packets: number) => number} */
export function averageRising(n, packets) {
  let sum = 0;
  for (let j = packets - 1; j > 0; j--) {
    const term = (j / packets) ** n;
    if (term < 1e-18) break;
    sum += term;
  }
  return packets - (n + 1) * sum;
}

// The riffles after which decks have this average, between whole numbers of packets on a straight line.
/** @type {(n: number, average: number) => number} */
export function rifflesFor(n, average) {
  let low = 1, high = MOST_PACKETS;
  if (average <= 1) return 0;
  if (average >= averageRising(n, high)) return MOST_WORTH;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (averageRising(n, middle) <= average) low = middle;
    else high = middle;
  }
  const before = averageRising(n, low);
  return Math.log2(low + (average - before) / (averageRising(n, high) - before));
}

// The 97.5% quantile of Student's t (Abramowitz and Stegun 26.7.5), right to 0.01 from four degrees of freedom on.
/** @type {(degrees: number) => number} */
export const studentQuantile = (degrees) => 1.96 + (2.3723 + (2.8225 + 2.5558 / degrees) / degrees) / degrees;

// From the class's average and its standard error; `span` is null if there are too few decks for an interval. Decks that have
// all the same number of sequences have no standard error. Then the interval is as wide as the largest share of other decks
// that a class shows none of in one case of 40.
/** @type {(n: number, rising: number[]) => { worth: number, span: [number, number] | null }} */
export function worthOf(n, rising) {
  const decks = rising.length, average = rising.reduce((sum, r) => sum + r, 0) / decks, worth = rifflesFor(n, average);
  if (decks < ENOUGH) return { worth, span: null };
  const squares = rising.reduce((sum, r) => sum + (r - average) ** 2, 0), off = Math.max(1 - UNSURE ** (1 / decks), studentQuantile(decks - 1) * Math.sqrt(squares / (decks - 1) / decks));
  return { worth, span: [rifflesFor(n, average - off), rifflesFor(n, average + off)] };
}
