// What a deck and a mat imply: the same figures as fairdeck's Python advice, from the same law.

const NEARLY_ALWAYS = 0.99, NEGLIGIBLE = 1e-14, ROUNDING = 1e-9;
const PRESETS = [[5, 1], [7, 1], [5, 2], [7, 2], [5, 3], [7, 3]];

// The keys a random order needs, as series of [kept, turned, chance] along which kept rises and
// turned falls. Loose cards cost no key more where the first ordered card lies beyond all of them.
function keyLaw(task) {
  const loose = task.goal.loose, ordered = gathered(task) - loose;
  if (!ordered) return [[[0, 0, 1]]];
  if (task.classic) return [[[ordered + (loose > 0), ordered + (loose > 0), 1]]];
  const [first, law] = descentLaw(ordered);
  if (!loose) return [law.map((chance, i) => [first + i + 1, ordered - first - i, chance])];
  const over = firstAboveLaw(ordered, loose), under = [...over].reverse();
  const series = [
    over.map((chance, i) => [first + i + 1, ordered - first - i + 1, chance]),
    under.map((chance, i) => [first + i + 2, ordered - first - i, chance]),
    law.map((chance, i) => [first + i + 2, ordered - first - i + 1, chance - over[i] - under[i]]),
  ];
  // One loose card leaves no third case: a pair of keys that cannot be must not be asked for its shape.
  return loose > 1 ? series : series.slice(0, 2);
}

// [{bases, fromBase, chance}]: how the planner will deal a random order, and how often.
function shapeLaw(task) {
  const shapes = new Map();
  const shapeOf = ([kept, turned]) => {
    const shape = shapeFor(task, kept, turned);
    return { ...shape, key: shape.bases.join() + shape.fromBase };
  };
  const add = (shape, chance) => shapes.set(shape.key, { ...shape, chance: (shapes.get(shape.key)?.chance || 0) + chance });
  for (const series of keyLaw(task)) {
    const upTo = [0];
    for (const [, , chance] of series) upTo.push(upTo[upTo.length - 1] + chance);
    // Where both ends of a stretch have one shape, all of it has: the keys rise and fall steadily.
    const stretch = (from, to, atFrom, atTo) => {
      if (atFrom.key === atTo.key) return add(atFrom, upTo[to + 1] - upTo[from]);
      if (to === from + 1) return add(atFrom, series[from][2]), add(atTo, series[to][2]);
      const middle = (from + to) >> 1, atMiddle = shapeOf(series[middle]);
      stretch(from, middle, atFrom, atMiddle);
      // The middle is in both halves.
      add(atMiddle, -series[middle][2]);
      return stretch(middle, to, atMiddle, atTo);
    };
    stretch(0, series.length - 1, shapeOf(series[0]), shapeOf(series[series.length - 1]));
  }
  return [...shapes.values()].filter((shape) => shape.chance >= NEGLIGIBLE);
}

function quantile(pairs, level) {
  const sorted = pairs.slice().sort((a, b) => a[0] - b[0]), target = level * sum(pairs.map((pair) => pair[1])) - ROUNDING;
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
  return Math.floor(sum(seconds) / 6 + 0.5) / 10;
}

function advise(task) {
  checkTask(task);
  const law = shapeLaw(task), finished = task.goal.piles.length;
  const passes = quantile(passesPairs(law), 0.5);
  const usual = law.filter((shape) => shape.bases.length === passes);
  const likeliest = usual.reduce((a, b) => (b.chance > a.chance ? b : a));
  return {
    passes,
    spaces: quantile(spacesPairs(usual, finished), NEARLY_ALWAYS),
    tallest: tallestFor(task, likeliest.bases),
    minutes: minutesFor(task, likeliest.bases),
    chanceOfOneMorePass: sum(law.filter((shape) => shape.bases.length > passes).map((shape) => shape.chance)),
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
