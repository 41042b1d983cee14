// The deal under way, kept so that a reload, a crash or an empty battery loses no more than the step under the
// finger. Of a deal that is done only what the last screen says is kept, for a reload of this tab.

const SLOT = "deal", DONE = "fairdeck-done", NOTHING = { deal: [], stack: [], counts: [] };

// The deal that is kept, as this tab last knew it.
let recalled = null;

const slotNow = () => SLOT;
const stepOf = ({ begun, at, spent, foreign, linked, stopped }) => ({ begun, at, spent, foreign, linked, stopped });
const textOf = (code) => (code instanceof Blob ? code.text() : String(code));

// Reads what is kept anew, but not a code that is known. What is spoilt is not kept either; a code
// that cannot be read this time may be read the next.
async function readDeal() {
  const slot = await readSlot(SLOT), step = slot?.step;
  if (!slot) return null;
  const known = step && recalled?.begun === step.begun ? recalled : step && readCode(await textOf(slot.code));
  const found = known && isCount(step.at) ? { ...known, ...step, owned: false, kept: true } : null;
  recalled = found && stepAt(found, found.at).kind !== "done" ? found : null;
  if (step && !recalled) writeStep(SLOT, slot.taker, null);
  return slot;
}

// Another tab, or this one before it slept, may have changed what is kept.
async function lookAgain(ownerLives = false) {
  await deal?.taken;
  const before = recalled, slot = await readDeal().catch(() => null);
  if (!slot || (deal && (isDone() || (deal.owned && (!deal.kept || deal.taker === slot.taker))))) return;
  for (const old of [before, deal]) if (old && old.begun !== recalled?.begun) erase(old);
  if (deal && recalled && !recalled.stopped) return ownerLives ? follow(recalled) : resume(recalled);
  if (deal) leaveDeal();
  else if (!$("setup").hidden) showSetup();
}

// The code is a Blob, which browsers keep in a file of its own and delete with it; a text that is removed stays in the
// database's files for long. Some private windows keep texts alone. A deal without a code leaves nothing older behind.
function takeAnew(fresh) {
  const code = fresh.task.cards <= LARGEST_CODED ? writeCode({ ...fresh, at: 0 }) : "", step = stepOf(fresh);
  if (!code) return takeSlot(SLOT).then((taken) => taken && writeStep(SLOT, taken.taker, null)).then(() => null);
  return takeSlot(SLOT, step, new Blob([code])).then((taken) => taken || takeSlot(SLOT, step, code));
}

function rememberStep(mine, stopped) {
  mine.stopped = stopped;
  recalled = mine;
  saveStep(mine, stepOf(mine));
}

// The order, and the plan that tells it, are overwritten where they stand.
function erase(over) {
  const { passes, goal } = over.plan, none = passes.map(() => []);
  for (const list of [over.order, ...over.lists, ...passes.map((pass) => pass.deal)]) list.fill(0);
  Object.assign(over, { at: Number.MAX_SAFE_INTEGER, order: [], lists: none, heights: none, kept: false, taken: Promise.resolve(null) });
  over.plan = { goal, passes: passes.map(() => NOTHING) };
}

function forgetDeal(over) {
  over.taken.then((taken) => taken && writeStep(SLOT, taken.taker, null)).then(() => tellTabs("changed"));
  recalled = null;
  erase(over);
  clearCodes();
}

function endDeal(over) {
  if (!over.order.length) return;
  forgetDeal(over);
  remember(DONE, over, "sessionStorage");
}
