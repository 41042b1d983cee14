// The deal under way, remembered so that a reload or an empty battery loses nothing.

const DEAL = "fairdeck-deal", STEP = "fairdeck-step";

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
