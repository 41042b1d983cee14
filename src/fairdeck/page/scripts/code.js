// A deal as a short text, for another device or dealer:
//   f1.60.5x2.deck.pass.1of2.37.ORDER.SUM, and after custom labels .LABELS
// The order is written as the draws that make it, one number in mixed radix: 88 letters for 100 cards.
// The sum tells a code cut short, or a page that would plan otherwise.

const CODE = "f1", LARGEST_CODED = 10000, LONGEST_CODE = 40000, MOST_DEALERS = 4, BOTTOMS = ["never", "pass", "space"];
const SAFE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// The draws with which uniformPermutation makes this order, first draw first.
function drawsOf(order) {
  const cards = order.map((_, i) => i), place = cards.slice(), draws = [];
  for (let last = order.length - 1; last > 0; last--) {
    const drawn = place[order[last]];
    draws.push(drawn);
    cards[drawn] = cards[last];
    place[cards[drawn]] = drawn;
  }
  return draws;
}

// A number below `limit`, as so many letters as the largest one takes.
function writeNumber(value, limit) {
  let text = "";
  for (let rest = limit - 1n; rest > 0n; rest >>= 6n, value >>= 6n) text = SAFE[Number(value & 63n)] + text;
  return text;
}

function readNumber(text, limit) {
  let value = 0n;
  // Before anything is counted: a long text would take for ever.
  if (text.length !== Math.ceil(limit > 1n ? (limit - 1n).toString(2).length / 6 : 0)) return null;
  for (const letter of text) value = (value << 6n) | BigInt(SAFE.indexOf(letter));
  return value < limit && /^[\w-]*$/.test(text) ? value : null;
}

function factorial(n) {
  let value = 1n;
  for (let factor = 2; factor <= n; factor++) value *= BigInt(factor);
  return value;
}

function writeOrder(order) {
  let value = 0n, bound = 2n;
  for (const drawn of drawsOf(order).reverse()) value = value * bound++ + BigInt(drawn);
  return writeNumber(value, factorial(order.length));
}

function readOrder(text, cards) {
  let value = readNumber(text, factorial(cards));
  if (value === null) return null;
  return uniformPermutation(cards, (bound) => {
    const drawn = Number(value % BigInt(bound));
    value /= BigInt(bound);
    return drawn;
  });
}

// FNV-1a, 32 bits: not against forgery, only against slips.
function sumOf(text) {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return value.toString(36);
}

const hasOwnLabels = ({ columns, rows, labels }) => labels.join() !== makeMat(columns, rows).labels.join();
const headOf = ({ task, dealer, at }) => [
  task.cards, `${task.mat.columns}x${task.mat.rows}`, task.goal.text.replace(/[:,]/g, "_").replace("+", "-"), task.bottom,
  `${dealer + 1}of${task.dealers}`, at,
];
const checkOf = (deal) => sumOf(headOf(deal).join(".") + JSON.stringify([deal.plan.mat, deal.plan.passes]));

// Empty where own labels make it longer than anybody reads.
function writeCode(deal) {
  const code = [CODE, ...headOf(deal), writeOrder(deal.order), checkOf(deal)];
  if (hasOwnLabels(deal.task.mat)) code.push(encodeURIComponent(JSON.stringify(deal.task.mat.labels)).replace(/\./g, "%2E"));
  const text = code.join(".");
  return text.length > LONGEST_CODE ? "" : text;
}

// The deal of a code, or null where it is none. A whole link will do, or words before it.
function readCode(text) {
  if (text.length > LONGEST_CODE) return null;
  try {
    const [mark, cards, grid, goal, bottom, dealer, at, order, check, labels] = /f1\..*/.exec(text.replace(/\s/g, ""))[0].split(".");
    const [columns, rows] = numbersIn(grid, /^(\d{1,2})x(\d{1,2})$/), [seat, dealers] = numbersIn(dealer, /^(\d)of(\d)$/);
    const [size] = numbersIn(cards, /^(\d{1,5})$/), [step] = numbersIn(at, /^(\d{1,7})$/);
    if (mark !== CODE || !size || size > LARGEST_CODED || seat < 1 || seat > dealers || dealers > Math.min(size, MOST_DEALERS)) return null;
    if (columns < 1 || rows < 1 || Math.max(columns, rows) > LARGEST_SIDE || goal.length > 200) return null;
    const mat = makeMat(columns, rows, labels && JSON.parse(decodeURIComponent(labels)));
    const task = { cards: size, mat, goal: goalOf(goal, size), dealers, leastPasses: 1, classic: false, bottom };
    const drawn = readOrder(order, size);
    if (!drawn || !task.goal || !BOTTOMS.includes(bottom)) return null;
    const deal = dealOf(task, drawn, seat - 1, step);
    return checkOf(deal) === check && step <= startOf(deal, deal.plan.passes.length) ? deal : null;
  } catch {
    // any other text than a code of ours
    return null;
  }
}

const numbersIn = (text, pattern) => pattern.exec(text).slice(1).map(Number);

function goalOf(text, cards) {
  if (text === "deck") return wholeDeck();
  const [, kind, value, left] = /^(top|hands)_([\dx_]+)(?:-(stock|rest))?$/.exec(text);
  if (kind === "top") return Number(value) >= 1 && Number(value) <= cards ? topCards(cards, Number(value)) : null;
  const sizes = value.split("_").flatMap((group) => {
    const [size, times = 1] = group.split("x").map(Number).reverse();
    return Array(Math.min(times, cards + 1)).fill(size);
  });
  const over = cards - sum(sizes);
  return sizes.every((size) => size > 0) && over >= 0 && (over > 0) === Boolean(left) ? hands(cards, sizes, left) : null;
}
