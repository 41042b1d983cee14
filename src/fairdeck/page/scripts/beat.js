// The beat. `zero` is when the card shown is called; `due` is the beat whose sounds come next.

import { view } from "./current.js";
import { $ } from "./elements.js";
import { clock } from "./taps.js";

export const tempo = { timer: 0, zero: 0, due: 0, called: false };
export const COUNT_IN = 3, BACK = 2;
export const wantsCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
export const beatLength = () => Number($("beat").value);
export const onBeat = () => view() === "tempo" || view() === "stream";
export const running = () => tempo.timer !== 0;
export const countNow = () => (running() ? Math.min(COUNT_IN, Math.max(0, Math.ceil((tempo.zero - clock()) / beatLength()))) : 0);

// Repeats only cards that were called: not after a pause in the count, or a step by hand.
/** @type {(step: Step) => number} */
export const cardsBack = ({ index }) => (tempo.called ? Math.min(BACK, index) : 0);

export function stopTempo() {
  clearInterval(tempo.timer);
  tempo.timer = 0;
}
