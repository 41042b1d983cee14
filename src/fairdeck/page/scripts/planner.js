// The planner of the page: goal -> keys -> plan. Fed the same 32-bit words, it gives the same plan as fairdeck's Python,
// byte for byte. Position 0 is the bottom of the deck, the last the top. Every number stays below 2^53.

export const LARGEST_DECK = 1000000, LARGEST_SIDE = 26, ENOUGH_PASSES = 21;

export class PlanError extends Error {}

/** @type {(numbers: number[]) => number} */
export const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
/** @type {(numbers: number[]) => number} */
export const product = (numbers) => numbers.reduce((a, b) => a * b, 1);

/** @type {(columns: number) => number} */
const hasMiddle = (columns) => (columns > 1 ? columns % 2 : 0);

/** @type {(columns: number, rows: number) => [number, number][]} */
export function gridsWithin(columns, rows) {
  /** @type {[number, number][]} */
  const grids = [];
  for (let c = 1; c <= columns; c++) for (let r = 1; r <= rows; r++) grids.push([c, r]);
  return grids.sort((a, b) => a[0] * a[1] - b[0] * b[1] || hasMiddle(b[0]) - hasMiddle(a[0]) || b[0] - a[0]);
}

/** @type {(mat: Grid, spaces: number) => number[]} */
export function block(mat, spaces) {
  const grids = gridsWithin(mat.columns, mat.rows).filter(([c, r]) => c * r >= spaces);
  const [columns, rows] = grids.find(([c]) => hasMiddle(c)) || grids[0];
  const corner = [];
  for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) corner.push(r * mat.columns + c);
  return corner.slice(0, spaces);
}

// As in fairdeck's Python: visible letters, digits and signs, each with up to three marks, and single spaces between.
// Two labels that look alike would be confused.
export const LONGEST_LABEL = 8, SHOWN = /^(?:(?:(?!^) )?(?![\u115f\u1160\u2800\u3164\uffa0\ufffc\u{13441}\u{13442}\u{1d159}])[\p{L}\p{N}\p{P}\p{S}]\p{M}{0,3})+$/u;
/** @type {(label: string) => number} */
export const lettersIn = (label) => [...label.replace(/\p{M}/gu, "")].length;
/** @type {(label: string) => string} */
export const lookOf = (label) => label.replace(/[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu, "").normalize("NFC");
/** @type {(label: any) => boolean} */
const isLabel = (label) => typeof label === "string" && SHOWN.test(label) && lettersIn(label) <= LONGEST_LABEL;

/** @type {(columns: number, rows: number, own?: string[]) => Mat} */
export function makeMat(columns, rows, own = undefined) {
  const labels = own || [];
  if (own && (own.length !== columns * rows || !own.every(isLabel) || new Set(own.map(lookOf)).size !== own.length)) throw new PlanError("labels");
  for (let r = 0; r < rows && !own; r++) for (let c = 1; c <= columns; c++) labels.push(String.fromCharCode(65 + r) + c);
  return { columns, rows, labels };
}

// `piles` has the sizes of the hands, and of a rest; the `loose` lowest cards need no order.
/** @type {() => Goal} */
export const wholeDeck = () => ({ text: "deck", piles: [], loose: 0 });
/** @type {(cards: number, ordered: number) => Goal} */
export const topCards = (cards, ordered) => ({ text: `top:${ordered}`, piles: [], loose: cards - ordered });

// Equal neighbours are written once: 3x11,10.
/** @type {(sizes: number[]) => string} */
function runsOf(sizes) {
  const starts = [...sizes.keys(), sizes.length].filter((i) => sizes[i] !== sizes[i - 1]);
  return starts.slice(1).map((end, i) => (end - starts[i] > 1 ? `${end - starts[i]}x` : "") + sizes[starts[i]]).join();
}
/** @type {(cards: number, sizes: number[], left: string) => Goal} */
export function hands(cards, sizes, left) {
  const over = cards - sum(sizes);
  return { text: `hands:${runsOf(sizes)}` + (over > 0 ? `+${left}` : ""), piles: left === "rest" && over > 0 ? [...sizes, over] : sizes, loose: 0 };
}

// As many special cards as `parts`, on top before the deal. A number alone would be a number of parts.
/** @type {(parts: number[]) => Goal} */
export const strata = (parts) => ({ text: `strata:${parts[1] ? "" : "1x"}${runsOf(parts)}`, piles: [], loose: 0, parts });

// The piles that the first pass finishes; or those that are counted off the gathered deck, for want of spaces.
/** @type {(task: TaskOnGrid, off?: boolean) => number[]} */
export const pilesHere = ({ cards, mat, goal: { piles } }, off = false) => (mat.columns * mat.rows < piles.length + Number(sum(piles) < cards) === off ? piles : []);
/** @type {(task: TaskOnGrid) => number} */
export const gathered = (task) => task.cards - sum(pilesHere(task));
/** @type {(task: TaskOnGrid) => boolean} */
const neverFromBottom = (task) => task.classic || task.dealers > 1 || task.bottom === "never";

// Otherwise two spaces do.
/** @type {(task: TaskOnGrid) => boolean} */
export const fits = (task) => task.mat.columns * task.mat.rows > 1 || gathered(task) < (neverFromBottom(task) || pilesHere(task, true).length ? 2 : 3);

/** @type {(radices: number[], finished: number) => number} */
export const spacesUsed = (radices, finished) => Math.max(radices[0] + finished, ...radices);

// The fewest spaces, then the fewest piles, as equal as possible.
/** @type {(keys: number, passes: number, finished: number) => number[]} */
function radicesFor(keys, passes, finished) {
  if (keys === 0) return [0];
  let widest = Math.max(1, finished, Math.floor(keys ** (1 / passes)) - 1);
  while ((widest - finished) * widest ** (passes - 1) < keys) widest++;
  let piles = [widest - finished, ...Array(passes - 1).fill(widest)];
  for (;;) {
    const largest = piles.indexOf(Math.max(...piles));
    const fewer = piles.map((size, place) => (place === largest ? size - 1 : size));
    if (product(fewer) < keys) return piles;
    piles = fewer;
  }
}

// The fewest passes, then the fewest spaces. The order needs `kept` keys if the passes keep the order of equal keys, and
// `turned` keys if they reverse it.
/** @type {(task: TaskOnGrid, kept: number, turned: number) => Shape} */
export function shapeFor(task, kept, turned) {
  const finished = pilesHere(task).length, spaces = task.mat.columns * task.mat.rows;
  for (let passes = task.leastPasses; passes < task.leastPasses + ENOUGH_PASSES; passes++) {
    const [fromTop, withBottom] = passes % 2 === 0 ? [kept, turned] : [turned, kept];
    const room = (spaces - finished) * spaces ** (passes - 1);
    /** @type {any} */
    const top = fromTop <= room ? { radices: radicesFor(fromTop, passes, finished), fromBottom: false } : null;
    const skip = neverFromBottom(task) || (top && task.bottom === "pass");
    /** @type {any} */
    const bottom = !skip && withBottom <= room ? { radices: radicesFor(withBottom, passes, finished), fromBottom: true } : null;
    if (top && bottom) return spacesUsed(bottom.radices, finished) < spacesUsed(top.radices, finished) ? bottom : top;
    if (top || bottom) return top || bottom;
  }
  // Each pass at least doubles the room, unless there is only one space.
  throw new PlanError("passes");
}

// Keys of the places, rising from 0; a new one only where the next card does not lie in the order that the passes keep.
/** @type {(order: number[], kept: boolean, loose: number) => number[]} */
function runKeys(order, kept, loose) {
  const keys = Array(loose).fill(0);
  let key = 0, below = kept ? -1 : LARGEST_DECK;
  for (let i = 0; i < loose; i++) below = kept ? Math.max(below, order[i]) : Math.min(below, order[i]);
  for (let i = loose; i < order.length; i++) {
    if (order[i] < below === kept) key++;
    keys.push(key);
    below = order[i];
  }
  return keys;
}

/** @type {(order: number[], loose: number) => number[]} */
const classicKeys = (order, loose) => order.map((_, place) => (loose ? Math.max(0, place - loose + 1) : place));
/** @type {(keys: number[]) => number} */
const numberOf = (keys) => (keys.length ? keys[keys.length - 1] + 1 : 0);

/** @type {(cards: number, dealers: number) => number[]} */
function packetsOf(cards, dealers) {
  if (dealers === 1) return [];
  return Array.from({ length: dealers }, (_, dealer) => Math.floor((cards + dealers - 1 - dealer) / dealers));
}

/** @type {(list: number[], spaces: number) => number[]} */
export function countsOf(list, spaces) {
  const counts = Array(spaces).fill(0);
  for (const space of list) counts[space]++;
  return counts;
}

/** @type {(step: Pass, deck: number[], spaces: number) => number[][]} */
export function pilesAfter(step, deck, spaces) {
  /** @type {number[][]} */
  const piles = Array.from({ length: spaces }, () => []);
  const last = deck.length - 1;
  step.deal.forEach((space, j) => piles[space].push(deck[step.from === "bottom" ? j : last - j]));
  return piles;
}

// Spread over all the room, so that the piles are about equally high.
/** @type {(key: number, used: number, room: number) => number} */
export const codeOfKey = (key, used, room) => Math.floor(((used - 1 - key) * room) / used);

// If cards are turned, a coin for each follows the order: 1 turns it, in the order in which the first pass deals.
/** @type {(task: Task, drawn: number[]) => Plan} */
export function planFor(task, drawn) {
  if (!fits(task)) throw new PlanError("spaces");
  const { cards, mat, goal, dealers } = task, arrangement = drawn.slice(0, cards), ordered = arrangement.slice(0, cards - sum(goal.piles));
  // The cards of a hand that is counted off share a key, above the stock's.
  const [kept, turned] = [true, false].map((keeps) => {
    const keys = task.classic ? classicKeys(ordered, goal.loose) : runKeys(ordered, keeps, goal.loose), used = numberOf(keys);
    return [...keys, ...[...pilesHere(task, true)].reverse().flatMap((size, hand) => Array(size).fill(used + hand))];
  });
  const shape = shapeFor(task, numberOf(kept), numberOf(turned));
  const keys = (shape.radices.length % 2 === 0) !== shape.fromBottom ? kept : turned;
  const room = product(shape.radices), used = numberOf(keys);
  const codes = Array(cards).fill(0);
  keys.forEach((key, place) => { codes[arrangement[place]] = codeOfKey(key, used, room); });
  const plan = {
    format: `fairdeck-plan/${task.turn ? 2 : 1}`, cards, mat, dealers, goal: goal.text,
    passes: passesFor(task, shape, codes, arrangement),
  };
  if (!reaches(plan, task, arrangement)) throw new Error("the plan does not reach its order");
  if (task.turn) plan.passes[0].turn = drawn.slice(cards);
  return plan;
}

/** @type {(task: Task, shape: Shape, codes: number[], arrangement: number[]) => Pass[]} */
export function passesFor(task, shape, codes, arrangement) {
  const { mat } = task, finished = pilesHere(task);
  const spaces = mat.columns * mat.rows, all = block(mat, spacesUsed(shape.radices, finished.length));
  let deck = arrangement.map((_, i) => i), weight = 1;
  return shape.radices.map((radix, number) => {
    const first = number === 0;
    const mine = first ? all.slice(finished.length) : all;
    const spaceOf = codes.map((code) => (radix ? mine[Math.floor(code / weight) % radix] : 0));
    weight *= radix;
    if (first) {
      let end = task.cards;
      finished.forEach((size, pile) => {
        for (const card of arrangement.slice(end - size, end)) spaceOf[card] = all[pile];
        end -= size;
      });
    }
    const fromBottom = first && shape.fromBottom;
    const deal = (fromBottom ? deck : deck.slice().reverse()).map((card) => spaceOf[card]);
    const counts = countsOf(deal, spaces);
    const stack = mine.filter((space) => counts[space]);
    // Every later pass turns the piles over; the last must leave them rising.
    if ((shape.radices.length - 1 - number) % 2 === 0) stack.reverse();
    /** @type {Pass} */
    const step = { deal, stack, counts };
    if (fromBottom) step.from = "bottom";
    if (task.dealers > 1) step.packets = packetsOf(deck.length, task.dealers);
    const piles = pilesAfter(step, deck, spaces);
    deck = stack.flatMap((space) => piles[space]);
    return step;
  });
}

/** @type {(step: Pass) => number[]} */
export const finishedSpaces = (step) => step.counts.flatMap((count, s) => (count && !step.stack.includes(s) ? [s] : []));

/** @type {(plan: Plan, task: Task, arrangement: number[]) => boolean} */
function reaches({ passes }, task, arrangement) {
  let deck = arrangement.map((_, i) => i), end = task.cards;
  /** @type {number[][]} */
  let handed = [];
  for (const step of passes) {
    const piles = pilesAfter(step, deck, task.mat.columns * task.mat.rows);
    handed = handed.concat(finishedSpaces(step).map((space) => piles[space]));
    deck = step.stack.flatMap((space) => piles[space]);
  }
  return handed.concat(pilesHere(task, true).map((size) => deck.splice(-size))).every((pile) => {
    const wanted = new Set(arrangement.slice(end - pile.length, end));
    end -= pile.length;
    return pile.every((card) => wanted.has(card));
  }) && deck.length === end && deck.every((card, i) => i < task.goal.loose || card === arrangement[i]);
}
