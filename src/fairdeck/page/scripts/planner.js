// The planner of the page: goal -> keys -> plan, word for word fairdeck's Python planner.
// Fed the same 32-bit words, both give the same plan, byte for byte.
// Position 0 is the base of the deck, the last the top. Every number stays below 2^53.

const WORD = 2 ** 32, LARGEST_BOUND = 2 ** 21, LARGEST_DECK = 1000000, LARGEST_SIDE = 26, ENOUGH_PASSES = 21;

class PlanError extends Error {}
class GeneratorError extends Error {}

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const product = (numbers) => numbers.reduce((a, b) => a * b, 1);

// The health of the generator, after NIST SP 800-90B, 4.4: among 255 words, read in five goes, none comes five
// times, and each bit is set in 55 to 200. A sound one fails once in 2^62 times; no deck is drawn again for it.
function testGenerator() {
  const words = Array.from({ length: 5 }, () => [...readWords(51)]).flat(), count = (is) => words.filter(is).length;
  const bits = Array.from({ length: 32 }, (_, bit) => count((word) => (word >>> bit) & 1));
  if (bits.some((set) => set < 55 || set > 200) || words.some((word) => count((other) => other === word) > 4)) throw new GeneratorError();
}

function readWords(size) {
  let read = [];
  try {
    read = crypto.getRandomValues(new Uint32Array(size));
  } catch {
    throw new GeneratorError();
  }
  // One word all the time would be rejected for ever; a sound read has it five times once in 2^76.
  if (read.filter((word) => word === read[0]).length > 4) throw new GeneratorError();
  return read;
}

// Words of the device's own generator: 8 first, enough for 52 cards, then twice as many each time.
function systemWords() {
  testGenerator();
  let size = 8, block = new Uint32Array(0), at = 0;
  return () => {
    if (at === block.length) {
      block = readWords(size);
      size = Math.min(2 * size, 16384);
      at = 0;
    }
    return block[at++];
  };
}

// Unbiased integers by rejection. A value uniform below a range is kept; to draw below a bound the
// range is cut into equal parts: the part is drawn, the place within it is kept for the next draw.
function diceFrom(words) {
  let value = 0, range = 1;
  return (bound) => {
    for (;;) {
      if (range < LARGEST_BOUND) {
        value = value * WORD + words();
        range *= WORD;
      }
      const part = Math.floor(range / bound), drawn = Math.floor(value / part);
      if (drawn < bound) {
        value -= drawn * part;
        range = part;
        return drawn;
      }
      value -= bound * part;
      range -= bound * part;
    }
  };
}

function uniformPermutation(n, below) {
  const cards = Array.from({ length: n }, (_, i) => i);
  for (let last = n - 1; last > 0; last--) {
    const drawn = below(last + 1);
    [cards[last], cards[drawn]] = [cards[drawn], cards[last]];
  }
  return cards;
}

const hasMiddle = (columns) => columns % 2 === 1 && columns > 1;

function gridsWithin(columns, rows) {
  const grids = [];
  for (let c = 1; c <= columns; c++) for (let r = 1; r <= rows; r++) grids.push([c, r]);
  return grids.sort((a, b) => a[0] * a[1] - b[0] * b[1] || hasMiddle(b[0]) - hasMiddle(a[0]) || b[0] - a[0]);
}

function block(mat, spaces) {
  const grids = gridsWithin(mat.columns, mat.rows).filter(([c, r]) => c * r >= spaces);
  const [columns, rows] = grids.find(([c]) => hasMiddle(c)) || grids[0];
  const corner = [];
  for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) corner.push(r * mat.columns + c);
  return corner.slice(0, spaces);
}

// What a label is made of, as in fairdeck's Python: letters, digits and signs that show, each with up to three
// marks, and single spaces between. Two labels with one look would be taken for one another.
const LONGEST_LABEL = 8, SHOWN = /^(?:(?:(?!^) )?(?![\u115f\u1160\u2800\u3164\uffa0])[\p{L}\p{N}\p{P}\p{S}]\p{M}{0,3})+$/u;
const lettersIn = (label) => [...label.replace(/\p{M}/gu, "")].length;
const lookOf = (label) => label.replace(/[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu, "").normalize("NFC");
const isLabel = (label) => typeof label === "string" && SHOWN.test(label) && lettersIn(label) <= LONGEST_LABEL;

function makeMat(columns, rows, own) {
  const labels = own || [];
  if (own && (own.length !== columns * rows || !own.every(isLabel) || new Set(own.map(lookOf)).size !== own.length)) throw new PlanError("labels");
  for (let r = 0; r < rows && !own; r++) for (let c = 1; c <= columns; c++) labels.push(String.fromCharCode(65 + r) + c);
  return { columns, rows, labels };
}

// A goal is {text, piles, loose}: the sizes of the piles one pass finishes, and how many cards at
// the base of what is gathered need no order.
const wholeDeck = () => ({ text: "deck", piles: [], loose: 0 });
const topCards = (cards, ordered) => ({ text: `top:${ordered}`, piles: [], loose: cards - ordered });

function hands(cards, sizes, left) {
  const groups = [];
  for (const size of sizes) {
    const last = groups[groups.length - 1];
    if (last && last[1] === size) last[0]++;
    else groups.push([1, size]);
  }
  const text = groups.map(([times, size]) => (times > 1 ? `${times}x${size}` : `${size}`)).join(",");
  const over = cards - sum(sizes);
  const rest = left === "rest" && over > 0;
  return {
    text: `hands:${text}` + (over > 0 ? `+${left}` : ""),
    piles: rest ? [...sizes, over] : sizes,
    loose: 0,
  };
}

const gathered = (task) => task.cards - sum(task.goal.piles);
const neverFromBase = (task) => task.classic || task.dealers > 1 || task.bottom === "never";

function checkTask(task) {
  const needed = task.goal.piles.length + (gathered(task) > 0);
  const spaces = task.mat.columns * task.mat.rows;
  if (spaces < needed) throw new PlanError("spaces", { cause: needed });
  if (spaces === 1 && gathered(task) > (neverFromBase(task) ? 1 : 2)) throw new PlanError("spaces", { cause: 2 });
}

const spacesUsed = (bases, finished) => Math.max(bases[0] + finished, ...bases);

// The number of piles for each pass: the fewest spaces, then the fewest piles, as equal as possible.
function basesFor(keys, passes, finished) {
  if (keys === 0) return [0];
  let widest = Math.max(1, finished, Math.floor(keys ** (1 / passes)) - 1);
  while ((widest - finished) * widest ** (passes - 1) < keys) widest++;
  let piles = [widest - finished, ...Array(passes - 1).fill(widest)];
  for (;;) {
    const largest = piles.indexOf(Math.max(...piles));
    const fewer = piles.map((size, place) => size - (place === largest));
    if (product(fewer) < keys) return piles;
    piles = fewer;
  }
}

// The fewest passes, then the fewest spaces, for an order that needs so many keys where the passes
// keep the order among equal keys, and so many where they turn it over.
function shapeFor(task, kept, turned) {
  const finished = task.goal.piles.length, spaces = task.mat.columns * task.mat.rows;
  for (let passes = task.leastPasses; passes < task.leastPasses + ENOUGH_PASSES; passes++) {
    const [fromTop, withBase] = passes % 2 === 0 ? [kept, turned] : [turned, kept];
    const room = (spaces - finished) * spaces ** (passes - 1);
    const top = fromTop <= room ? { bases: basesFor(fromTop, passes, finished), fromBase: false } : null;
    const skip = neverFromBase(task) || (top && task.bottom === "pass");
    const base = !skip && withBase <= room ? { bases: basesFor(withBase, passes, finished), fromBase: true } : null;
    if (top && base) return spacesUsed(base.bases, finished) < spacesUsed(top.bases, finished) ? base : top;
    if (top || base) return top || base;
  }
  // Each pass doubles the room at least, but on one space.
  throw new PlanError("passes");
}

// One key for each place of the wanted order, rising from 0; a new one only where the next card
// does not already lie in the order that the passes keep.
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

const classicKeys = (order, loose) => order.map((_, place) => (loose ? Math.max(0, place - loose + 1) : place));
const numberOf = (keys) => (keys.length ? keys[keys.length - 1] + 1 : 0);

function packetsOf(cards, dealers) {
  if (dealers === 1) return [];
  return Array.from({ length: dealers }, (_, dealer) => Math.floor((cards + dealers - 1 - dealer) / dealers));
}

function countsOf(list, spaces) {
  const counts = Array(spaces).fill(0);
  for (const space of list) counts[space]++;
  return counts;
}

function pilesAfter(step, deck, spaces) {
  const piles = Array.from({ length: spaces }, () => []);
  const last = deck.length - 1;
  step.deal.forEach((space, j) => piles[space].push(deck[step.from === "base" ? j : last - j]));
  return piles;
}

function planFor(task, arrangement) {
  checkTask(task);
  const { cards, mat, goal, dealers } = task;
  const wanted = arrangement.slice(0, gathered(task));
  const kept = task.classic ? classicKeys(wanted, goal.loose) : runKeys(wanted, true, goal.loose);
  const turned = task.classic ? kept : runKeys(wanted, false, goal.loose);
  const shape = shapeFor(task, numberOf(kept), numberOf(turned));
  const keys = (shape.bases.length % 2 === 0) !== shape.fromBase ? kept : turned;
  const room = product(shape.bases), used = numberOf(keys);
  const codes = Array(cards).fill(0);
  // Spread over all the room there is, the piles come out about equally high.
  wanted.forEach((card, place) => { codes[card] = Math.floor(((used - 1 - keys[place]) * room) / used); });
  const plan = {
    format: "fairdeck-plan/1", cards, mat, dealers, goal: goal.text,
    passes: passesFor(task, shape, codes, arrangement),
  };
  if (!reaches(plan, goal, arrangement)) throw new Error("the plan does not reach its order");
  return plan;
}

function passesFor(task, shape, codes, arrangement) {
  const { mat, goal } = task;
  const spaces = mat.columns * mat.rows, finished = goal.piles.length;
  const all = block(mat, spacesUsed(shape.bases, finished));
  let deck = arrangement.map((_, i) => i), weight = 1;
  return shape.bases.map((base, number) => {
    const first = number === 0;
    const mine = first ? all.slice(finished) : all;
    const spaceOf = codes.map((code) => (base ? mine[Math.floor(code / weight) % base] : 0));
    weight *= base;
    if (first) {
      let end = task.cards;
      goal.piles.forEach((size, pile) => {
        for (const card of arrangement.slice(end - size, end)) spaceOf[card] = all[pile];
        end -= size;
      });
    }
    const fromBase = first && shape.fromBase;
    const deal = (fromBase ? deck : deck.slice().reverse()).map((card) => spaceOf[card]);
    const counts = countsOf(deal, spaces);
    const stack = mine.filter((space) => counts[space]);
    // Every pass still to come turns the piles over once more; the last must leave them rising.
    if ((shape.bases.length - 1 - number) % 2 === 0) stack.reverse();
    const step = { deal, stack, counts };
    if (fromBase) step.from = "base";
    if (task.dealers > 1) step.packets = packetsOf(deck.length, task.dealers);
    const piles = pilesAfter(step, deck, spaces);
    deck = stack.flatMap((space) => piles[space]);
    return step;
  });
}

const finishedSpaces = (step) => step.counts.flatMap((count, s) => (count && !step.stack.includes(s) ? [s] : []));

function reaches(plan, goal, arrangement) {
  let deck = arrangement.map((_, i) => i), end = plan.cards, right = true;
  for (const step of plan.passes) {
    const piles = pilesAfter(step, deck, plan.mat.columns * plan.mat.rows);
    for (const space of finishedSpaces(step)) {
      const start = end - piles[space].length;
      const wanted = new Set(arrangement.slice(start, end));
      right = right && piles[space].every((card) => wanted.has(card));
      end = start;
    }
    deck = step.stack.flatMap((space) => piles[space]);
  }
  return right && deck.length === end && deck.every((card, i) => i < goal.loose || card === arrangement[i]);
}
