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

// Another tab may have put its own deal there since; that one stays.
function forgetDeal(deal = null) {
  if (deal && recall(DEAL) !== deal.code) return;
  try {
    localStorage.removeItem(DEAL);
    localStorage.removeItem(STEP);
  } catch {
    // what could not be stored need not be removed
  }
}

const isCount = (value) => Number.isInteger(value) && value >= 0;

// The deal under way is kept as its code; the step beside it, since it changes with every card.
function rememberDeal(deal) {
  deal.code = deal.task.cards <= LARGEST_CODED ? writeCode({ ...deal, at: 0 }) : "";
  // What cannot be kept leaves nothing older behind either.
  if (!deal.code || !remember(DEAL, deal.code)) forgetDeal();
  return rememberStep(deal, false);
}

// False where it cannot be kept, or where another tab keeps another deal.
const rememberStep = (deal, stopped) => recall(DEAL) === deal.code && remember(STEP, [deal.at, stopped, deal.spent, deal.foreign]);

// [deal, stopped], or null where there is none or the memory is spoilt.
function recallDeal() {
  const code = recall(DEAL), [at, stopped, spent, foreign] = [].concat(recall(STEP));
  const deal = typeof code === "string" && isCount(at) ? readCode(code) : null;
  if (!deal || stepAt(deal, at).kind === "done") return null;
  return [{ ...deal, at, code, spent: Number(spent) || 0, foreign: foreign === true, kept: true }, stopped === true];
}
