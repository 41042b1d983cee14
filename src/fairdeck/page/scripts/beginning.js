// A deal begins, stops, resumes and is forgotten.

import { leaveFragment } from "./address.js";
import { deal, host, isDone } from "./current.js";
import { dealOf } from "./dealing.js";
import { openDialog } from "./dialogs.js";
import { $, element } from "./elements.js";
import { DONE, erase, forgetDeal, leaveDeal, lookAgain, recalled, rememberStep, takeAnew } from "./kept.js";
import { remember } from "./memory.js";
import { coinsFor, GeneratorError, integersFrom, orderFor, systemWords } from "./randomness.js";
import { unlockSound } from "./sound.js";
import { callOut } from "./steps.js";
import { ownDeal, resume } from "./tabs.js";
import { pauseTempo } from "./tempo.js";
import { t } from "./texts.js";

/** @type {(fresh: any) => void} */
export function begin(fresh) {
  for (const old of [deal, recalled]) if (old) erase(old);
  remember(DONE, null, "sessionStorage");
  const first = { begun: Date.now(), spent: 0, ...fresh };
  ownDeal({ ...first, taken: takeAnew(first) });
  leaveFragment();
  // Still part of the tap, but a slow phone shows the first step first.
  requestAnimationFrame(() => setTimeout(() => { unlockSound(); if (deal) callOut(); }));
}

// Asks before a deal is lost: "stay", "stop" or "forget".
/** @type {(what: string, forget: () => void) => void} */
export function ask(what, forget) {
  if (deal) pauseTempo();
  $("sure-title").textContent = t("leaveTitle");
  $("sure-text").textContent = `${what === "leave" && deal.kept ? t("leaveText") : ""} ${t("partly")}`;
  $("stop").hidden = what === "anew" || !deal.kept;
  // Otherwise the answer to an earlier question would count again.
  $("sure").returnValue = "";
  $("sure").onclose = () => {
    const answer = $("sure").returnValue;
    if (answer === "forget") forget();
    else if (answer === "stop") stopForNow();
    else if (answer === "stay" && !deal) goOn();
  };
  openDialog("sure");
}

export async function finish() {
  const over = deal, forgotten = isDone() ? null : forgetDeal(over);
  remember(DONE, null, "sessionStorage");
  leaveDeal();
  await forgotten;
  await lookAgain();
  if (over.gone === false) $("advice").append(element("p", t("notGone"), "error"));
}

function stopForNow() {
  if (deal?.kept) rememberStep(deal, true);
  if (deal) leaveDeal();
}

export function goOn() {
  unlockSound();
  if (recalled) resume(recalled), deal && callOut();
  else host.screens.setup();
}

// False if the device's generator is faulty.
/** @type {(task: Task, more?: object) => boolean} */
export function deals(task, more = {}) {
  try {
    const below = integersFrom(systemWords());
    begin({ ...dealOf(task, [...orderFor(task, below), ...coinsFor(task, below)]), ...more });
    return true;
  } catch (error) {
    if (!(error instanceof GeneratorError)) throw error;
    stopForNow();
    $("advice").replaceChildren(element("p", t("faultGenerator"), "error"));
    return false;
  }
}
