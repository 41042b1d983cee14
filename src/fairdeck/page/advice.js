// What a deck and a mat imply: the same figures as fairdeck's Python advice, from the same law.

const NEARLY_ALWAYS = 0.99, NEGLIGIBLE = 1e-14, ROUNDING = 1e-9, TALL = 60, TOPPLING = 120;
const EXACT_BELOW = 64, WINDOW = 10, WAVES = 40, TERMS = 40;
const PRESETS = [[5, 1], [7, 1], [5, 2], [7, 2], [5, 3], [7, 3]];

// Remembers the last answer of a law: typing in one field asks for the same one many times.
function remembering(law) {
  let asked = "", answer = null;
  return (...numbers) => {
    if (asked !== numbers.join()) [asked, answer] = [numbers.join(), law(...numbers)];
    return answer;
  };
}

function wavesOf(n) {
  const spread = Math.sqrt((n + 1) / 12);
  return [(2 * Math.PI) / (2.4 * WINDOW * spread), Math.max(0, Math.ceil((n - 1) / 2 - WINDOW * spread))];
}

const sinc = (frequency) => Math.sin(frequency / 2) / (frequency / 2);

// The law of the descents of a random order: [first number of descents, probabilities].
const descentLaw = remembering((n) => {
  if (n < EXACT_BELOW) {
    let law = [1];
    for (let size = 2; size <= n; size++) {
      law = Array.from({ length: size }, (_, d) => ((d + 1) * (law[d] || 0) + (size - d) * (law[d - 1] || 0)) / size);
    }
    return [0, law];
  }
  const [step, first] = wavesOf(n), heights = [], law = [];
  for (let j = 1; j < WAVES; j++) heights.push(sinc(step * j) ** (n + 1));
  for (let d = first; d < n - first; d++) {
    const angle = step * (d - (n - 1) / 2);
    law.push(Math.max(0, 0.5 + sum(heights.map((height, j) => height * Math.cos(angle * (j + 1))))));
  }
  const whole = sum(law);
  return [first, law.map((chance) => chance / whole)];
});

// The chances of each number of descents *and* the first card above all of so many others.
const firstAboveLaw = remembering((n, others) => {
  if (n < EXACT_BELOW) return firstAboveCounted(n, others);
  const [step, first] = wavesOf(n), heights = [], law = [];
  for (let j = 1; j < WAVES; j++) {
    const wave = sinc(step * j) ** n, turn = step * j;
    let real = 0, imaginary = 0, size = 1;
    for (let k = 1; k < TERMS; k++) {
      const term = (size * (others + 1)) / (others + k), quarter = (k - 1) % 4;
      if (quarter % 2 === 0) real += quarter ? -term : term;
      else imaginary += quarter === 1 ? term : -term;
      size *= turn / k;
    }
    heights.push([wave * real, wave * imaginary]);
  }
  for (let d = first; d < n - first; d++) {
    const angle = step * (d + 1 - n / 2);
    const total = 0.5 + sum(heights.map(([c, s], j) => c * Math.cos(angle * (j + 1)) + s * Math.sin(angle * (j + 1))));
    law.push(Math.max(0, (total * step) / Math.PI / (others + 1)));
  }
  return law;
});

function firstAboveCounted(n, others) {
  let byFirst = [[1]];
  for (let size = 2; size <= n; size++) {
    const lower = Array(size).fill(0), higher = lower.map((_, d) => sum(byFirst.map((row) => row[d] || 0))), grown = [];
    for (let rank = 0; rank < size; rank++) {
      grown.push(lower.map((_, d) => ((lower[d - 1] || 0) + higher[d]) / size));
      (byFirst[rank] || []).forEach((chance, d) => {
        lower[d] += chance;
        higher[d] -= chance;
      });
    }
    byFirst = grown;
  }
  const above = Array(n).fill(0);
  let chance = 1;
  for (let rank = n - 1; rank >= 0; rank--) {
    chance *= (rank + 1) / (rank + 1 + others);
    byFirst[rank].forEach((share, d) => { above[d] += share * chance; });
  }
  return above;
}

// The keys a random order needs, as series of [kept, turned, chance] along which kept rises and
// turned falls. Loose cards cost no key more where the first ordered card lies beyond all of them.
function keyLaw(task) {
  const loose = task.goal.loose, ordered = gathered(task) - loose;
  if (!ordered) return [[[0, 0, 1]]];
  if (task.classic) return [[[ordered + (loose > 0), ordered + (loose > 0), 1]]];
  const [first, law] = descentLaw(ordered);
  if (!loose) return [law.map((chance, i) => [first + i + 1, ordered - first - i, chance])];
  const over = firstAboveLaw(ordered, loose), under = [...over].reverse();
  return [
    over.map((chance, i) => [first + i + 1, ordered - first - i + 1, chance]),
    under.map((chance, i) => [first + i + 2, ordered - first - i, chance]),
    law.map((chance, i) => [first + i + 2, ordered - first - i + 1, chance - over[i] - under[i]]),
  ];
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
      add(atMiddle, -series[middle][2]); // the middle is in both halves
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
  return sum(seconds) / 60;
}

function advise(task) {
  checkTask(task);
  const law = shapeLaw(task), finished = task.goal.piles.length;
  const passes = quantile(passesPairs(law), 0.5);
  const usual = law.filter((shape) => shape.bases.length === passes);
  const likeliest = usual.reduce((a, b) => (b.chance > a.chance ? b : a));
  const tallest = tallestFor(task, likeliest.bases), topples = tallest - task.goal.loose;
  return {
    passes,
    spaces: quantile(spacesPairs(usual, finished), NEARLY_ALWAYS),
    tallest,
    minutes: minutesFor(task, likeliest.bases),
    chanceOfOneMorePass: sum(law.filter((shape) => shape.bases.length > passes).map((shape) => shape.chance)),
    judgement: passes > 3 || topples > TOPPLING ? "awkward" : passes > 2 || topples > TALL ? "slow" : "good",
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
