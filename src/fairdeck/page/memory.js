// What the page remembers on this device: the deal under way, so that a reload or an empty battery
// loses nothing, and the last settings. Storage may be forbidden or full; the page lives without.

const DEAL = "fairdeck-deal", STEP = "fairdeck-step", SETTINGS = "fairdeck-settings";

function remember(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

function recall(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

function forgetDeal() {
  try {
    localStorage.removeItem(DEAL);
    localStorage.removeItem(STEP);
  } catch {
    // what could not be stored need not be removed
  }
}

const isCount = (value) => Number.isInteger(value) && value >= 0;
const areSpaces = (list, spaces) => Array.isArray(list) && list.every((space) => isCount(space) && space < spaces);

// A stored plan is ours, but storage can be cut short or tampered with: only one that can be dealt is taken up.
function isDealable(plan) {
  const { mat, passes, cards } = plan || {};
  if (!mat || plan.format !== "fairdeck-plan/1" || typeof plan.goal !== "string" || !isCount(cards)) return false;
  if (!isCount(mat.columns) || !isCount(mat.rows) || !Array.isArray(mat.labels)) return false;
  const spaces = mat.columns * mat.rows;
  let inDeck = cards;
  return mat.labels.length === spaces && Array.isArray(passes) && passes.length > 0 && passes.every((pass) => {
    if (!pass || !areSpaces(pass.deal, spaces) || pass.deal.length !== inDeck || !areSpaces(pass.stack, spaces)) return false;
    const counts = Array(spaces).fill(0);
    for (const space of pass.deal) counts[space]++;
    inDeck = sum(pass.stack.map((space) => counts[space]));
    return JSON.stringify(counts) === JSON.stringify(pass.counts);
  });
}
