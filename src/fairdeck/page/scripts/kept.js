// The deal in progress: a crash loses only the last tap. Of a deal that is done, only the last screen is kept, for a
// reload of this tab.

import { stopTempo } from "./beat.js";
import { BUILD } from "./built.js";
import { LARGEST_CODED, writeCode } from "./code.js";
import { readCode } from "./code_reader.js";
import { deal, host, isDone, setDeal } from "./current.js";
import { $ } from "./elements.js";
import { isCount, recall, remember } from "./memory.js";
import { awake, turnTo } from "./navigation.js";
import { show } from "./screen.js";
import { emptySlot, keepsBlobs, readSlot, takeSlot } from "./slots.js";
import { hush, sound } from "./sound.js";
import { stepAt } from "./stages.js";
import { follow, resume, saveStep, tellTabs } from "./tabs.js";
import { t } from "./texts.js";

// Another version of the page may have kept an end of another shape.
export const DONE = `fairdeck-done-${BUILD.hash}`;
const SLOT = "deal", NOTHING = { deal: [], stack: [], counts: [] };

// The deal that is kept, as this tab last knew it.
/** @type {OpenDeal | null} */
export let recalled = null;
// When that deal began.
/** @type {number | undefined} */
let knownBegun;

export const slotNow = () => SLOT;
/** @type {(deal: any) => KeptStep} */
const stepOf = ({ begun, at, spent, foreign, linked, stopped }) => ({ begun, at, spent, foreign, linked, stopped });
// Chromium keeps a deleted Blob's file while memory holds the Blob. A large buffer, dropped at once, makes it tidy up.
/** @type {(code: any) => Promise<string>} */
async function textOf(code) {
  if (!code?.text) return String(code);
  setTimeout(() => { try { new ArrayBuffer(1 << 26); } catch { /* too large here */ } }, 1000);
  return code.text();
}

// Damaged data goes; a code that cannot be read now may be read next time.
async function readDeal() {
  const slot = await readSlot(SLOT, recalled?.begun);
  if (!slot) return null;
  const { step, taker } = slot;
  /** @type {any} */
  const coded = step && (recalled?.begun === step.begun ? recalled : readCode(await textOf(slot.code)));
  /** @type {any} */
  const found = coded && isCount(step.at) ? { ...coded, ...step, taker, owned: false, kept: true } : null;
  recalled = found && stepAt(found, found.at).kind !== "done" ? found : null;
  knownBegun = step?.begun;
  if (step && !recalled) emptySlot(SLOT, taker);
  return slot;
}

// A deal that keeps the page from starting may be replaced.
export const passOver = async () => { knownBegun = (await readSlot(SLOT))?.step?.begun; };

// Another tab may have changed what is kept.
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

// A Blob has a file of its own that browsers delete; a text stays in the database's files for long, but some private
// windows keep only texts. A deal without a code removes what was kept before.
/** @type {(fresh: any) => Promise<any>} */
export async function takeAnew(fresh) {
  const code = fresh.task.cards <= LARGEST_CODED ? writeCode({ ...fresh, at: 0 }) : "", step = stepOf(fresh), before = knownBegun;
  knownBegun = fresh.begun;
  if (code) return takeSlot(SLOT, before, step, (await keepsBlobs()) ? new Blob([code]) : code);
  const taken = before ? await takeSlot(SLOT, before) : null;
  if (taken?.step?.begun === before) await emptySlot(SLOT, taken?.taker);
  return null;
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
  for (const list of [over.order, over.turn, ...over.lists, ...passes.flatMap((pass) => [pass.deal, pass.turn || []])]) list.fill(0);
  Object.assign(over, { at: Number.MAX_SAFE_INTEGER, order: [], lists: empty, heights: empty, kept: false, taken: Promise.resolve(null) });
  Object.assign(over, { plan: { goal, passes: passes.map(() => NOTHING) } });
}

/** @type {(over: OpenDeal) => Promise<void>} */
export async function forgetDeal(over) {
  const { taken } = over;
  recalled = null;
  erase(over);
  clearCodes();
  await taken;
  over.gone = over.taker === undefined || !!(await emptySlot(SLOT, over.taker));
  tellTabs("changed");
}

/** @type {(over: OpenDeal) => Promise<void>} */
export async function endDeal(over) {
  if (!over.order.length) return;
  const forgotten = forgetDeal(over), rememberEnd = () => remember(DONE, over, "sessionStorage");
  rememberEnd();
  await forgotten;
  if (deal !== over) return;
  rememberEnd();
  show();
}

/** @type {(over: OpenDeal) => string} */
export const ending = ({ gone, linked }) => (gone === undefined ? "" : t(gone ? "wiped" : "notGone") + (linked ? ` ${t("wipedLink")}` : ""));

// The deal whose end this tab still shows.
/** @type {() => Promise<any>} */
export async function recallEnd() {
  const over = recall(DONE, "sessionStorage"), left = recalled;
  if (!over || !left || left.begun !== over.begun) return over;
  await forgetDeal(left);
  return { ...over, gone: left.gone };
}

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
