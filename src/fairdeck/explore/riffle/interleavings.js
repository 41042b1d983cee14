// What riffles tell of the hands that made them: the same laws as fairdeck.shuffles.interleavings.

import { chiSquareTail, logGamma, normalTails } from "../scripts/laws.js";

// A riffle is the packets its cards came from, 0 or 1, in the order in which they fell: from the bottom up.
/** @typedef {number[]} Riffle */
/** @typedef {{ packet: number, own: number, other: number, changed: boolean }} Choice */

export const NEATEST = 1000;
const VARYING = 0.4, NODES = Array.from({ length: 11 }, (_, i) => (i - 5) * 0.8); // the spread of the log of the neatness over riffles
const HALF_WIDTH = 1.920729410347062; // half the 95 % point of chi-square with one degree of freedom

/** @type {(riffle: Riffle) => number[]} */
export function runsOf(riffle) {
  /** @type {number[]} */
  const runs = [];
  riffle.forEach((packet, i) => (packet === riffle[i - 1] ? runs[runs.length - 1]++ : runs.push(1)));
  return runs;
}

/** @type {(riffle: Riffle) => [number, number]} */
export function sizesOf(riffle) {
  const right = riffle.reduce((all, packet) => all + packet, 0);
  return [riffle.length - right, right];
}

// Each card after which both packets have cards, and what came next.
/** @type {(riffle: Riffle) => Choice[]} */
export function choicesOf(riffle) {
  const left = sizesOf(riffle), found = /** @type {Choice[]} */ ([]);
  for (let i = 0; i + 1 < riffle.length; i++) {
    left[riffle[i]]--;
    if (left[0] && left[1]) found.push({ packet: riffle[i], own: left[riffle[i]], other: left[1 - riffle[i]], changed: riffle[i] !== riffle[i + 1] });
  }
  return found;
}

/** @type {(n: number, k: number) => number} */
const logWays = (n, k) => (k < 0 || k > n ? -Infinity : logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1));

// The chance of each number of runs, 0, 1, ..., of an ideal riffle of packets of these sizes (Wald and Wolfowitz 1940).
/** @type {(sizes: [number, number]) => number[]} */
export function runsLaw([a, b]) {
  const all = logWays(a + b, a), law = Array(2 * Math.min(a, b) + 2).fill(0);
  for (let half = 1; half <= Math.min(a, b); half++) {
    const same = logWays(a - 1, half - 1) + logWays(b - 1, half - 1);
    law[2 * half] = 2 * Math.exp(same - all);
    law[2 * half + 1] = Math.exp(logWays(a - 1, half) + logWays(b - 1, half - 1) - all) + Math.exp(logWays(a - 1, half - 1) + logWays(b - 1, half) - all);
  }
  return law;
}

// The law of the runs of all riffles together.
/** @type {(riffles: Riffle[]) => number[]} */
export const allRunsLaw = (riffles) => summed(riffles.map((riffle) => runsLaw(sizesOf(riffle))));

// The law of a sum of independent whole numbers.
/** @type {(laws: number[][]) => number[]} */
function summed(laws) {
  let law = [1];
  for (const more of laws) {
    const sum = Array(law.length + more.length - 1).fill(0);
    law.forEach((p, i) => more.forEach((q, j) => { sum[i + j] += p * q; }));
    law = sum;
  }
  return law;
}

/** @type {(chances: number[]) => number} */
const total = (chances) => chances.reduce((all, chance) => all + chance, 0);

// --- the checks: p-values for ideal riffles of packets of these sizes, all at one level (Holm 1979)

// What of the level each check has, in thousandths.
const SHARES = /** @type {Record<string, number>} */ ({ "runs": 1, "long runs": 5, "cards in place": 0.8, "ends that stay": 1.4, "variation": 2, "cut": 1.5, "one neatness": 0.8 });
const STEPS = 8, LEAST_P = 1e-15, LONG = 4, MOST_FOR_LONG = 128;

// In how many ways cards are parted into runs: by the number of runs, and of cards beyond the first four of their runs.
/** @type {(cards: number) => number[][]} */
function parted(cards) {
  const short = [[1]]; // by runs and cards: ways without a long run
  for (let runs = 1; runs <= cards; runs++) short.push(Array.from({ length: cards + 1 }, (_, all) => total([1, 2, 3, 4].map((run) => short[runs - 1][all - run] || 0))));
  return short.map((_, runs) => Array.from({ length: Math.max(1, cards - LONG + 1) }, (_, beyond) => {
    let ways = beyond ? 0 : short[runs][cards] || 0;
    for (let k = 1; k <= Math.min(runs, beyond); k++) ways += Math.exp(logWays(runs, k) + logWays(beyond - 1, k - 1)) * (short[runs - k][cards - LONG * k - beyond] || 0);
    return ways;
  }));
}

/** @type {(sizes: [number, number]) => number[]} */
export function longRunsLaw([a, b]) {
  const one = parted(a), other = parted(b), law = Array(a + b).fill(0), all = logWays(a + b, a);
  for (const [more, ways] of [[0, 2], [1, 1], [-1, 1]])
    for (let runs = 1; runs <= a; runs++)
      if (runs + more > 0 && runs + more <= b) one[runs].forEach((x, i) => other[runs + more].forEach((y, j) => { law[i + j] += ways * x * y; }));
  return law.map((each) => each && Math.exp(Math.log(each) - all));
}

// How many cards lie where they lay, at both ends together, if the packet `below` lay below the other; and its law.
/** @type {(riffle: Riffle, below: number) => number} */
function inPlace(riffle, below) {
  return Math.min(riffle.length, riffle.findIndex((each) => each !== below) + [...riffle].reverse().findIndex((each) => each === below));
}

/** @type {(a: number, b: number) => number[]} */
function inPlaceLaw(a, b) {
  const n = a + b, law = Array(n + 1).fill(0), all = logWays(n, a);
  for (let s = 0; s < n - 1; s++) for (let z = 0; z <= Math.min(s, a - 1); z++) law[s] += Math.exp(logWays(n - s - 2, a - z - 1) - all);
  law[n] = Math.exp(-all);
  return law;
}

/** @type {(riffle: Riffle, below: number) => number} */
const endsThatStay = (riffle, below) => Number(riffle[0] === below) + Number(riffle[riffle.length - 1] !== below);

/** @type {(a: number, b: number) => number[]} */
function endsLaw(a, b) {
  const both = (a * b) / ((a + b) * (a + b - 1));
  return [both, 1 - 2 * both, both];
}

// Which packet lay below is not known: the rarer of the two counts, and twice its chance.
/** @type {(riffles: Riffle[], count: typeof inPlace, law: typeof inPlaceLaw) => { seen: number, p: number }} */
function atEnds(riffles, count, law) {
  const [found] = [0, 1].map((below) => {
    const seen = riffles.reduce((all, riffle) => all + count(riffle, below), 0);
    return { seen, p: Math.min(1, 2 * total(summed(riffles.map((riffle) => law(sizesOf(riffle)[below], sizesOf(riffle)[1 - below]))).slice(seen))) };
  }).sort((one, other) => one.p - other.p);
  return found;
}

/** @type {(riffles: Riffle[]) => number | null} */
function variation(riffles) {
  const scores = riffles.flatMap((riffle) => {
    const [a, b] = sizesOf(riffle), n = a + b, twice = 2 * a * b, variance = (twice * (twice - n)) / (n * n * (n - 1));
    return variance ? [(runsOf(riffle).length - 1 - twice / n) / Math.sqrt(variance)] : [];
  });
  const mean = total(scores) / scores.length;
  return scores.length < 2 ? null : chiSquareTail(total(scores.map((score) => (score - mean) ** 2)), scores.length - 1);
}

// The chance that ideal cuts are as steady, uneven or one-sided; only uneven, if the deck was parted by colour.
/** @type {(riffles: Riffle[]) => number[]} */
function cutsOff(riffles) {
  const steps = (/** @type {number} */ cut, /** @type {number} */ n) => Math.floor(Math.abs(2 * cut - n) / (2 * Math.max(1, Math.round(Math.sqrt(n) / STEPS)))) ** 2;
  const cuts = riffles.map((riffle) => sizesOf(riffle)[0]), all = total(riffles.map((riffle) => riffle.length));
  const seen = total(riffles.map((riffle, i) => steps(cuts[i], riffle.length)));
  const law = summed(riffles.map(({ length: n }) => {
    const one = Array(seen + 1).fill(0);
    for (let cut = 0; cut <= n; cut++) if (steps(cut, n) <= seen) one[steps(cut, n)] += Math.exp(logWays(n, cut) - n * Math.LN2);
    return one;
  })).slice(0, seen + 1);
  const uneven = Math.max(LEAST_P, 1 - total(law) + law[seen]);
  if (new Set(riffles.map((riffle) => Math.min(...sizesOf(riffle)))).size === 1) return [uneven];
  const side = normalTails((2 * Math.max(0, Math.abs(total(cuts) - all / 2) - 0.5)) / Math.sqrt(all)) / 2;
  return [Math.min(1, total(law)), uneven, side];
}

// What one neatness for all choices leaves out: one packet, the end, or the last change (likelihood ratios).
/** @type {(riffles: Riffle[]) => number} */
function oneNeatness(riffles) {
  const each = riffles.map(choicesOf), all = each.flat();
  const halves = each.map((choices) => [choices.slice(0, choices.length >> 1), choices.slice(choices.length >> 1)]);
  const after = each.flatMap((choices) => choices.slice(1).map((choice, i) => ({ choice, changed: choices[i].changed })));
  const pairs = [
    [0, 1].map((packet) => all.filter((choice) => choice.packet === packet)),
    [0, 1].map((half) => halves.flatMap((both) => both[half])),
    [false, true].map((changed) => after.filter((pair) => pair.changed === changed).map(({ choice }) => choice)),
  ];
  return Math.min(1, pairs.length * Math.min(...pairs.map(([one, other]) => differ(one, other))));
}

/** @type {(one: Choice[], other: Choice[]) => number} */
function differ(one, other) {
  if (!one.length || !other.length) return 1;
  const best = (/** @type {Choice[]} */ choices) => logLikelihood(choices, likeliest(choices));
  return normalTails(Math.sqrt(2 * Math.max(0, best(one) + best(other) - best([...one, ...other]))));
}

// All checks by their names: the p-value (null if these riffles cannot be asked), and what the page says of a failure.
/** @type {(riffles: Riffle[]) => { p: Record<string, number | null>, seen: { few: boolean, longest: number, inPlace: number, stayed: number } }} */
export function checked(riffles) {
  const law = allRunsLaw(riffles), runs = total(riffles.map((riffle) => runsOf(riffle).length));
  const fewer = total(law.slice(0, runs + 1)), more = total(law.slice(runs)), lengths = riffles.flatMap(runsOf);
  const beyond = total(lengths.map((run) => Math.max(0, run - LONG))), asked = riffles.every((riffle) => riffle.length <= MOST_FOR_LONG);
  const place = atEnds(riffles, inPlace, inPlaceLaw), stayed = atEnds(riffles, endsThatStay, endsLaw);
  const least = Math.min(...cutsOff(riffles));
  const p = {
    "runs": Math.min(1, 2 * fewer, 2 * more), "long runs": asked ? Math.min(1, total(summed(riffles.map((riffle) => longRunsLaw(sizesOf(riffle)))).slice(beyond))) : null,
    "cards in place": place.p, "ends that stay": stayed.p, "variation": variation(riffles), "cut": Math.min(1, 4 * least), "one neatness": oneNeatness(riffles),
  };
  return { p, seen: { few: fewer < more, longest: Math.max(...lengths), inPlace: place.seen, stayed: stayed.seen } };
}

// What is rejected, the smallest p-value over its share first: of ideal riffles, any is with the chance of all shares at most.
/** @type {(p: Record<string, number | null>) => string[]} */
export function rejected(p) {
  const asked = Object.entries(p).flatMap(([name, chance]) => (chance === null ? [] : [{ name, over: chance / SHARES[name] }])).sort((one, other) => one.over - other.over);
  const level = total(Object.values(SHARES)) / 1000;
  const passed = asked.findIndex(({ over }, i) => over > level / total(asked.slice(i).map(({ name }) => SHARES[name])));
  return asked.slice(0, passed < 0 ? asked.length : passed).map(({ name }) => name);
}

// --- the fit

/** @type {(chance: number) => number} */
const bits = (chance) => [chance, 1 - chance].reduce((all, p) => (p > 0 ? all - p * Math.log2(p) : all), 0);

// The entropy in bits of one riffle of this neatness, cut in the middle: of its cut, its first packet, and each choice.
/** @type {(cards: number, neatness: number) => number} */
export function entropy(cards, neatness) {
  const left = Array.from({ length: cards + 1 }, () => Array(cards + 1).fill(0));
  for (let own = 1; own < cards; own++)
    for (let other = 1; other <= Math.min(own, cards - own); other++)
      for (const [here, there] of own === other ? [[own, own]] : [[own, other], [other, own]]) {
        const change = (neatness * there) / (neatness * there + here);
        left[here][there] = bits(change) + change * left[there - 1][here] + (1 - change) * left[here - 1][there];
      }
  let all = 0;
  for (let lower = 0; lower <= cards; lower++) {
    const upper = cards - lower, chance = Math.exp(logWays(cards, lower)) / 2 ** cards, first = lower / cards;
    all += chance * (bits(first) + (lower && first * left[lower - 1][upper]) + (upper && (1 - first) * left[upper - 1][lower]) - Math.log2(chance));
  }
  return all;
}

/** @type {(choices: Choice[], log: number) => number} */
function logLikelihood(choices, log) {
  return choices.reduce((all, { own, other, changed }) => {
    const odds = log + Math.log(other / own);
    return all - Math.log1p(Math.exp(changed ? -odds : odds));
  }, 0);
}

// The log of the neatness of the largest likelihood.
/** @type {(choices: Choice[]) => number} */
function likeliest(choices) {
  const changes = choices.filter(({ changed }) => changed).length, end = Math.log(NEATEST);
  const tooFew = (/** @type {number} */ log) => choices.reduce((all, { own, other }) => all + (Math.exp(log) * other) / (Math.exp(log) * other + own), 0) <= changes;
  return where(tooFew, -end, end);
}

// The same for riffles whose neatness varies: the log of it is normal.
/** @type {(riffles: Choice[][], log: number) => number} */
function varyingLikelihood(riffles, log) {
  const weights = NODES.map((node) => Math.exp((-node * node) / 2)), all = total(weights);
  return total(riffles.map((choices) => {
    const logs = NODES.map((node) => logLikelihood(choices, log + VARYING * node)), most = Math.max(...logs);
    return most + Math.log(total(logs.map((each, i) => (weights[i] / all) * Math.exp(each - most))));
  }));
}

// The neatness that fits best, the median of the riffles', and the ends of its interval of 95 %: 1 is an ideal riffle.
/** @type {(riffles: Riffle[]) => { neatness: number, low: number, high: number }} */
export function fitted(riffles) {
  const choices = riffles.map(choicesOf), end = Math.log(NEATEST), step = 1e-4;
  const best = where((log) => varyingLikelihood(choices, log + step) >= varyingLikelihood(choices, log - step), -end, end);
  const least = varyingLikelihood(choices, best) - HALF_WIDTH;
  const enough = (/** @type {number} */ log) => varyingLikelihood(choices, log) >= least;
  return { neatness: Math.exp(best), low: Math.exp(where(enough, best, -end)), high: Math.exp(where(enough, best, end)) };
}

// A neatness nearer the ideal one by how much riffles vary.
/** @type {(neatness: number) => number} */
export const nearerIdeal = (neatness) => Math.exp(Math.max(0, Math.log(neatness) - VARYING) + Math.min(0, Math.log(neatness) + VARYING));

// Where a statement that holds `inside` ends to hold on the way `outside`; `outside` if it holds there.
/** @type {(holds: (log: number) => boolean, inside: number, outside: number) => number} */
function where(holds, inside, outside) {
  if (holds(outside)) return outside;
  for (let step = 0; step < 40; step++) {
    const middle = (inside + outside) / 2;
    if (holds(middle)) inside = middle;
    else outside = middle;
  }
  return inside;
}
