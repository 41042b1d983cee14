// What the page remembers on this device: the deal under way, so that a reload or an empty battery
// loses nothing; the settings, the decks, the pace. Storage may be forbidden or full; the page lives without.

const DEAL = "fairdeck-deal", STEP = "fairdeck-step", SETTINGS = "fairdeck-settings", DECKS = "fairdeck-decks", PACE = "fairdeck-pace";

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

// The deal under way is kept as its code; the step beside it, since it changes with every card.
const rememberDeal = (deal) => deal.task.cards <= LARGEST_CODED && remember(DEAL, writeCode({ ...deal, at: 0 })) && rememberStep(deal, false);
const rememberStep = (deal, stopped) => remember(STEP, [deal.at, stopped, deal.spent]);

// [deal, stopped], or null where there is none or the memory is spoilt.
function recallDeal() {
  const code = recall(DEAL), [at, stopped, spent] = [].concat(recall(STEP));
  const deal = typeof code === "string" && isCount(at) ? readCode(code) : null;
  if (!deal || stepAt(deal, at).kind === "done") return null;
  return [{ ...deal, at, spent: Number(spent) || 0, kept: true }, stopped === true];
}
