// What a deck and a mat imply: the same figures as fairdeck's Python advice, from the same law.

const NEARLY_ALWAYS = 0.99, NEGLIGIBLE = 1e-14, TALL = 60, TOPPLING = 120;
const PRESETS = [[5, 1], [7, 1], [5, 2], [7, 2], [5, 3], [7, 3]];

// The law of the descents of a random order: [first number of descents, probabilities].
let lastLaw = [0, null];
function descentLaw(n) {
  if (lastLaw[0] !== n) lastLaw = [n, computedLaw(n)];
  return lastLaw[1];
}

function computedLaw(n) {
  if (n < 64) {
    let law = [1];
    for (let size = 2; size <= n; size++) {
      law = Array.from({ length: size }, (_, d) => ((d + 1) * (law[d] || 0) + (size - d) * (law[d - 1] || 0)) / size);
    }
    return [0, law];
  }
  const spread = Math.sqrt((n + 1) / 12), step = (2 * Math.PI) / (24 * spread), waves = [];
  for (let j = 1; j < 40; j++) waves.push((Math.sin((step * j) / 2) / ((step * j) / 2)) ** (n + 1));
  const first = Math.max(0, Math.ceil((n - 1) / 2 - 10 * spread)), law = [];
  for (let d = first; d < n - first; d++) {
    const angle = step * (d - (n - 1) / 2);
    law.push(Math.max(0, 0.5 + sum(waves.map((wave, j) => wave * Math.cos(angle * (j + 1))))));
  }
  const whole = sum(law);
  return [first, law.map((chance) => chance / whole)];
}

// [{bases, fromBase, chance}]: how the planner will deal a random order, and how often.
function shapeLaw(task) {
  const ordered = gathered(task) - task.goal.loose, extra = task.goal.loose > 0 ? 1 : 0;
  if (!ordered) return [{ ...shapeFor(task, 0, 0), chance: 1 }];
  if (task.classic) return [{ ...shapeFor(task, ordered + extra, ordered + extra), chance: 1 }];
  const [first, law] = descentLaw(ordered), shapes = new Map(), upTo = [0];
  for (const chance of law) upTo.push(upTo[upTo.length - 1] + chance);
  const shapeAt = (i) => {
    const shape = shapeFor(task, first + i + 1 + extra, ordered - first - i + extra);
    return { ...shape, key: shape.bases.join() + shape.fromBase };
  };
  const add = (shape, chance) => shapes.set(shape.key, { ...shape, chance: (shapes.get(shape.key)?.chance || 0) + chance });
  // Where both ends of a stretch have one shape, all of it has: the keys rise and fall steadily.
  const stretch = (from, to, atFrom, atTo) => {
    if (atFrom.key === atTo.key) return add(atFrom, upTo[to + 1] - upTo[from]);
    if (to === from + 1) return add(atFrom, law[from]), add(atTo, law[to]);
    const middle = (from + to) >> 1, atMiddle = shapeAt(middle);
    stretch(from, middle, atFrom, atMiddle);
    add(atMiddle, -law[middle]); // the middle is in both halves
    return stretch(middle, to, atMiddle, atTo);
  };
  stretch(0, law.length - 1, shapeAt(0), shapeAt(law.length - 1));
  return [...shapes.values()].filter((shape) => shape.chance >= NEGLIGIBLE);
}

function quantile(pairs, level) {
  const sorted = pairs.slice().sort((a, b) => a[0] - b[0]), target = level * sum(pairs.map((pair) => pair[1]));
  let soFar = 0;
  for (const [value, chance] of sorted) if ((soFar += chance) >= target) return value;
  return sorted[sorted.length - 1][0];
}

const passesPairs = (law) => law.map((shape) => [shape.bases.length, shape.chance]);
const spacesPairs = (law, finished) => law.map((shape) => [spacesUsed(shape.bases, finished), shape.chance]);

function tallestFor(task, bases) {
  const ordered = gathered(task) - task.goal.loose, total = sum(bases);
  const keys = Math.max(1, ordered / (task.classic ? 1 : 2));
  const level = (total - 0.375) / (total + 0.25);
  const normal = 4.91 * (level ** 0.14 - (1 - level) ** 0.14);
  let highest = Math.max(0, ...task.goal.piles);
  for (const base of bases.filter((b) => b)) {
    const spread = task.classic ? 0 : Math.sqrt((0.873 * keys) / base);
    highest = Math.max(highest, task.goal.loose + ordered / base + normal * spread);
  }
  return Math.min(task.cards, Math.ceil(highest));
}

function minutesFor(task, bases) {
  const seconds = bases.map((base, number) => {
    const spaces = number ? base : base + task.goal.piles.length, cards = number ? gathered(task) : task.cards;
    const speed = spaces <= 4 ? 0.8 : spaces <= 10 ? 0.9 : spaces <= 22 ? 1.0 : 1.15;
    return Math.ceil(cards / task.dealers) * speed + base * task.dealers * 1.2 + 8;
  });
  return sum(seconds) / 60;
}

function advise(task) {
  checkTask(task);
  const law = shapeLaw(task), finished = task.goal.piles.length;
  const passes = quantile(passesPairs(law), 0.5);
  const usual = law.filter((shape) => shape.bases.length === passes);
  const likeliest = usual.reduce((a, b) => (b.chance > a.chance ? b : a));
  const tallest = tallestFor(task, likeliest.bases);
  return {
    passes,
    spaces: quantile(spacesPairs(usual, finished), NEARLY_ALWAYS),
    tallest,
    minutes: minutesFor(task, likeliest.bases),
    chanceOfOneMorePass: sum(law.filter((shape) => shape.bases.length > passes).map((shape) => shape.chance)),
    judgement: passes > 3 || tallest > TOPPLING ? "poor" : passes > 2 || tallest > TALL ? "fair" : "good",
  };
}

// The smallest mat for each number of passes worth having: [{columns, rows, passes, spaces}].
function suggestionsFor(task) {
  const grids = new Map();
  for (const [c, r] of [...PRESETS].reverse()) grids.set(c * r, [c, r]);
  for (const [c, r] of gridsWithin(task.mat.columns, task.mat.rows).reverse()) grids.set(c * r, [c, r]);
  const nearlyAlways = (mat) => {
    const law = shapeLaw({ ...task, mat });
    const passes = quantile(passesPairs(law), NEARLY_ALWAYS);
    const within = law.filter((shape) => shape.bases.length <= passes);
    return { passes, spaces: quantile(spacesPairs(within, task.goal.piles.length), NEARLY_ALWAYS) };
  };
  const own = nearlyAlways(task.mat), ownSpaces = task.mat.columns * task.mat.rows, best = new Map();
  for (const spaces of [...grids.keys()].sort((a, b) => a - b)) {
    const [columns, rows] = grids.get(spaces), mat = { columns, rows };
    try { checkTask({ ...task, mat }); } catch { continue; }
    const way = { columns, rows, ...nearlyAlways(mat) };
    const better = way.passes < own.passes || (way.passes === own.passes && spaces < ownSpaces);
    if (better && !best.has(way.passes)) best.set(way.passes, way);
  }
  return [...best.values()].sort((a, b) => a.passes - b.passes);
}
