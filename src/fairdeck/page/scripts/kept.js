// The deal in progress, kept so that a reload, a crash or an empty battery loses only the last tap.
// Of a deal that is done, only what the last screen says is kept, for a reload of this tab.

import { stopTempo } from "./beat.js";
import { LARGEST_CODED, readCode, writeCode } from "./code.js";
import { deal, isDone, setDeal } from "./current.js";
import { stepAt } from "./dealing.js";
import { $ } from "./elements.js";
import { host } from "./host.js";
import { isCount, remember } from "./memory.js";
import { awake, turnTo } from "./navigation.js";
import { readSlot, takeSlot, writeStep } from "./slots.js";
import { hush, sound } from "./sound.js";
import { follow, resume, saveStep, tellTabs } from "./tabs.js";

export const DONE = "fairdeck-done";
const SLOT = "deal", NOTHING = { deal: [], stack: [], counts: [] };

// The deal that is kept, as this tab last knew it.
/** @type {OpenDeal | null} */
export let recalled = null;

/** @type {() => string} */
export const slotNow = () => SLOT;
/** @type {(deal: any) => KeptStep} */
const stepOf = ({ begun, at, spent, foreign, linked, stopped }) => ({ begun, at, spent, foreign, linked, stopped });
/** @type {(code: any) => Promise<string> | string} */
const textOf = (code) => (code instanceof Blob ? code.text() : String(code));

// Reads again what is kept, except a code that is known. Damaged data is not kept; a code
// that cannot be read now may be read next time.
async function readDeal() {
  const slot = await readSlot(SLOT);
  if (!slot) return null;
  const { step } = slot, known = step && (recalled?.begun === step.begun ? recalled : readCode(await textOf(slot.code)));
  /** @type {any} */
  const found = known && isCount(step.at) ? { ...known, ...step, owned: false, kept: true } : null;
  recalled = found && stepAt(found, found.at).kind !== "done" ? found : null;
  if (step && !recalled) writeStep(SLOT, slot.taker, null);
  return slot;
}

// Another tab, or this one before it slept, may have changed what is kept.
/** @type {(ownerLives?: boolean) => Promise<any>} */
export async function lookAgain(ownerLives = false) {
  await deal?.taken;
  const before = recalled, slot = await readDeal().catch(() => null);
  if (!slot || (deal && (isDone() || (deal.owned && (!deal.kept || deal.taker === slot.taker))))) return;
  for (const old of [before, deal]) if (old && old.begun !== recalled?.begun) erase(old);
  if (deal && recalled && !recalled.stopped) return ownerLives ? follow(recalled) : resume(recalled);
  if (deal) leaveDeal();
  else if (!$("setup").hidden) host.screens.setup();
}

// The code is a Blob: browsers keep it in a file of its own, and delete that file; a text stays in the database's files
// for long. Some private windows keep only texts. A deal that has no code removes what was kept before.
/** @type {(fresh: Deal) => Promise<any>} */
export function takeAnew(fresh) {
  const code = fresh.task.cards <= LARGEST_CODED ? writeCode({ ...fresh, at: 0 }) : "", step = stepOf(fresh);
  if (!code) return takeSlot(SLOT).then((taken) => taken && writeStep(SLOT, taken.taker, null)).then(() => null);
  return takeSlot(SLOT, step, new Blob([code])).then((taken) => taken || takeSlot(SLOT, step, code));
}

/** @type {(mine: OpenDeal, stopped: boolean) => void} */
export function rememberStep(mine, stopped) {
  mine.stopped = stopped;
  recalled = mine;
  saveStep(mine, stepOf(mine));
}

// Overwrites the order, and the plan that gives it away.
/** @type {(over: OpenDeal) => void} */
export function erase(over) {
  const { passes, goal } = over.plan;
  /** @type {number[][]} */
  const empty = passes.map(() => []);
  for (const list of [over.order, ...over.lists, ...passes.map((pass) => pass.deal)]) list.fill(0);
  Object.assign(over, { at: Number.MAX_SAFE_INTEGER, order: [], lists: empty, heights: empty, kept: false, taken: Promise.resolve(null) });
  Object.assign(over, { plan: { goal, passes: passes.map(() => NOTHING) } });
}

/** @type {(over: OpenDeal) => void} */
export function forgetDeal(over) {
  over.taken.then((taken) => taken && writeStep(SLOT, taken.taker, null)).then(() => tellTabs("changed"));
  recalled = null;
  erase(over);
  clearCodes();
}

/** @type {(over: OpenDeal) => void} */
export function endDeal(over) {
  if (!over.order.length) return;
  forgetDeal(over);
  remember(DONE, over, "sessionStorage");
}

/** @type {() => void} */
export function leaveDeal() {
  setDeal(null);
  awake?.release();
  clearCodes();
  stopTempo();
  hush();
  sound.keys?.pause();
  turnTo("setup");
}

function clearCodes() {
  for (const id of ["code-text", "enter-text"]) $(id).value = "";
  $("qr").replaceChildren();
}
