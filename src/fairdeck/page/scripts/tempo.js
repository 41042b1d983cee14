// On the beat. A tap anywhere pauses; it resumes two cards back. Sounds are planned ahead.

import { beatLength, cardsBack, COUNT_IN, running, stopTempo, tempo } from "./beat.js";
import { called, deal, isAgain, view } from "./current.js";
import { $ } from "./elements.js";
import { fall } from "./lanes.js";
import { show, showCount } from "./screen.js";
import { AHEAD, clickAt, hush, sayLabel, sound, wantsSound } from "./sound.js";
import { stepAt } from "./stages.js";
import { buzz, callOut, goTo, sideOf } from "./steps.js";
import { changed, clock } from "./taps.js";

const TICK_MS = 20;

function startTempo() {
  const step = stepAt(deal, deal.at);
  if (step.kind === "open") deal.at++;
  if (step.kind === "card") deal.at -= cardsBack(step);
  if (stepAt(deal, deal.at).kind !== "card") return show();
  tempo.zero = clock() + AHEAD + COUNT_IN * beatLength();
  tempo.due = tempo.zero - COUNT_IN * beatLength();
  tempo.timer = setInterval(tick, TICK_MS);
  tempo.called = false;
  $("said").textContent = "";
  show();
  if (view() === "stream") requestAnimationFrame(fall);
}

export function pauseTempo() {
  if (!running()) return;
  stopTempo();
  hush();
  show();
}

export const toggleTempo = () => (running() ? pauseTempo() : startTempo());

function tick() {
  const now = clock(), length = beatLength(), silent = sound.context && wantsSound() && sound.context.state !== "running";
  // After a standstill, or a call that took the sound, no card may be skipped unheard.
  if (now > tempo.due + length / 2 || (silent && sound.ran)) return pauseTempo();
  sound.ran = sound.context?.state === "running";
  while (tempo.due < now + AHEAD) {
    soundBeat(Math.round((tempo.due - tempo.zero) / length), tempo.due - now);
    tempo.due += length;
  }
  if (now >= tempo.zero) tempo.called = true;
  if (now >= tempo.zero + length) {
    tempo.zero += length;
    // A tap meant to pause at the last card must not answer the check.
    if (stepAt(deal, deal.at + 1).kind !== "card") stopTempo(), changed();
    goTo(deal.at + 1);
    tempo.called = true;
    if (!running()) callOut();
    buzz();
  } else if (now < tempo.zero + length / 2) {
    showCount();
  }
}

// The sounds of a beat, in `wait` seconds; beats below 0 are the count.
/** @type {(beat: number, wait: number) => void} */
function soundBeat(beat, wait) {
  const { number, index } = stepAt(deal, deal.at), list = deal.lists[number], card = index + beat;
  const when = sound.context ? sound.context.currentTime + Math.max(0, wait) : 0;
  if (beat >= 0 && card >= list.length) return;
  if (sound.context && $("click").checked) clickAt(when, beat >= 0 && isAgain(list, card));
  const word = beat < 0 ? String(-beat) : called(number, card)[0];
  if (sound.context && $("voice").checked) sayLabel(word, when, beatLength(), beat < 0 ? 0 : sideOf(list[card]));
}
