// One tab owns the deal, the others show what it does. A tab that opens asks whether the last owner (slots.js) is alive.

import { stopTempo } from "./beat.js";
import { deal, host, setDeal } from "./current.js";
import { $ } from "./elements.js";
import { stayAwake, turnTo } from "./navigation.js";
import { show, warn } from "./screen.js";
import { inTime, noteStep, takeSlot, writeStep } from "./slots.js";
import { hush } from "./sound.js";
import { clock } from "./taps.js";

const ANSWER_MS = 200, asking = new Set();

/** @type {() => BroadcastChannel | null} */
function joinTabs() {
  try {
    const made = new BroadcastChannel("fairdeck");
    made.onmessage = ({ data: [what, slot] }) => {
      if (slot !== host.slotNow()) return;
      if (what === "who" && deal?.owned && deal.kept) tellTabs("mine");
      if (what === "mine") for (const answer of asking) answer(true);
      if (what === "changed") host.lookAgain(true);
    };
    return made;
  } catch {
    // without it, a tab that lost the deal finds out at its next step
    return null;
  }
}

const channel = joinTabs();
/** @type {(what: string) => void} */
export const tellTabs = (what) => channel?.postMessage([what, host.slotNow()]);

// A tab that is frozen or gone does not answer; if it wakes up, it follows.
const ownedElsewhere = () => new Promise((resolve) => {
  asking.add(resolve);
  tellTabs("who");
  setTimeout(() => { asking.delete(resolve); resolve(false); }, ANSWER_MS);
});

// This tab still owns a deal that was stopped in it.
/** @type {(found: any) => Promise<any>} */
export const resume = async (found) => (!found.owned && (await ownedElsewhere()) ? follow(found) : takeOver(found));

/** @type {(found: any) => Promise<any>} */
export async function takeOver(found) {
  const asked = takeSlot(host.slotNow(), found.begun), taken = await inTime(asked);
  /** @type {(slot: Slot | null) => any} */
  const other = (slot) => slot && slot.step?.begun !== found.begun;
  // Another tab ended this deal, or began another, whose steps are not this order's.
  if (other(taken)) return host.lookAgain().then(() => deal || host.openPage(""));
  ownDeal({ ...found, ...taken?.step, resumed: true, taken: asked.then((slot) => (other(slot) ? null : slot)) });
}

/** @type {(mine: OpenDeal) => Promise<Slot | null>} */
async function announced(mine) {
  const taken = await mine.taken;
  if (taken) mine.taker = taken.taker;
  setKept(mine, !!taken);
  tellTabs("changed");
  return taken;
}

/** @type {(mine: OpenDeal, kept: boolean) => void} */
function setKept(mine, kept) {
  mine.kept = kept;
  if (deal === mine) warn();
}

// `fresh.taken` gives the slot once the deal is kept, null if it cannot be kept.
/** @type {(fresh: any) => void} */
export function ownDeal(fresh) {
  stopTempo();
  hush();
  const mine = { ...fresh, slot: host.slotNow(), owned: true, kept: undefined, last: clock() };
  mine.taken = announced(mine);
  inTime(mine.taken).then(() => setKept(mine, !!mine.kept));
  setDeal(mine);
  turnTo("deal");
  stayAwake();
}

/** @type {(found: any) => void} */
export function follow(found) {
  const same = deal && !deal.owned && deal.begun === found.begun;
  setDeal({ ...found, owned: false, kept: true });
  if (same && !$("deal").hidden) return show();
  stopTempo();
  hush();
  turnTo("deal");
}

/** @type {(mine: OpenDeal, step: KeptStep) => Promise<void>} */
export async function saveStep(mine, step) {
  mine.count = (mine.count || 0) + 1;
  const counted = { ...step, count: mine.count };
  if (mine.taker !== undefined) noteStep(mine.slot, mine.taker, counted);
  if (!(await mine.taken)) return;
  const writing = writeStep(mine.slot, mine.taker, counted);
  setKept(mine, (await inTime(writing)) !== null);
  const still = await writing;
  setKept(mine, still !== null);
  if (still) tellTabs("changed");
  else if (mine.kept) host.lookAgain(true);
}
