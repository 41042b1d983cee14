// The tabs of one device: one owns the deal and goes on with it, the others show what it does. The database says which
// tab took the deal last (slots.js); a tab that opens only asks whether that one is alive.

const ANSWER_MS = 200, asking = new Set();

function joinTabs() {
  try {
    const made = new BroadcastChannel("fairdeck");
    made.onmessage = ({ data: [what, slot] }) => {
      if (slot !== slotNow()) return;
      if (what === "who" && deal?.owned && deal.kept) tellTabs("mine");
      if (what === "mine") for (const answer of asking) answer(true);
      if (what === "changed") lookAgain(true);
    };
    return made;
  } catch {
    // without it a tab that was overtaken hears of that with its next step
    return null;
  }
}

const channel = joinTabs();
const tellTabs = (what) => channel?.postMessage([what, slotNow()]);

// A tab that is frozen or gone does not answer; should it wake up, it follows.
const ownedElsewhere = () => new Promise((resolve) => {
  asking.add(resolve);
  tellTabs("who");
  setTimeout(() => { asking.delete(resolve); resolve(false); }, ANSWER_MS);
});

// A deal stopped in this tab is still its own.
const resume = async (found) => (!found.owned && (await ownedElsewhere()) ? follow(found) : takeOver(found));

async function takeOver(found) {
  const taken = await takeSlot(slotNow(), null, null, found.begun);
  // Another tab ended this deal, or began another: the steps of that one must not lead through the order of this one.
  if (taken && taken.step?.begun !== found.begun) return lookAgain().then(() => deal || openPage(""));
  own({ ...found, ...taken?.step, taken: Promise.resolve(taken) });
}

// `fresh.taken` gives the taker once the deal is kept, null if it cannot be.
function own(fresh) {
  stopTempo();
  hush();
  const mine = { ...fresh, slot: slotNow(), owned: true, kept: false, last: clock() };
  mine.taken = mine.taken.then((taken) => {
    Object.assign(mine, { kept: Boolean(taken), taker: taken?.taker });
    tellTabs("changed");
    return taken;
  });
  deal = mine;
  turnTo("deal");
  stayAwake();
}

function follow(found) {
  const same = deal && !deal.owned && deal.begun === found.begun;
  deal = { ...found, owned: false, kept: true };
  if (same && !$("deal").hidden) return show();
  stopTempo();
  hush();
  turnTo("deal");
}

async function saveStep(mine, step) {
  if (!(await mine.taken)) return;
  const still = await writeStep(mine.slot, mine.taker, step);
  mine.kept = still !== null;
  if (still) tellTabs("changed");
  else if (mine.kept) lookAgain(true);
}
