// The beat. `zero` is when the card shown is called; `due` is the beat whose sounds come next.

import { view } from "./current.js";
import { $ } from "./elements.js";
import { clock } from "./taps.js";

export const tempo = { timer: 0, zero: 0, due: 0, called: false };
export const COUNT_IN = 3, BACK = 2;
/** @type {() => boolean} */
export const wantsCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
/** @type {() => number} */
export const beatLength = () => Number($("beat").value);
/** @type {() => boolean} */
export const onBeat = () => view() === "tempo" || view() === "stream";
/** @type {() => boolean} */
export const running = () => tempo.timer !== 0;
/** @type {() => number} */
export const countNow = () => (running() ? Math.min(COUNT_IN, Math.max(0, Math.ceil((tempo.zero - clock()) / beatLength()))) : 0);

// Repeats only cards that were called: not after a pause in the count, or a step by hand.
/** @type {(step: Step) => number} */
export const cardsBack = ({ index }) => (tempo.called ? Math.min(BACK, index) : 0);

/** @type {() => void} */
export function stopTempo() {
  clearInterval(tempo.timer);
  tempo.timer = 0;
}
