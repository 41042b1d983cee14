// When a screen or dialog last changed: a double tap must not answer what its first tap opened.

export const BOUNCE = 0.4;
export const clock = () => performance.now() / 1000;
export let lastChange = -1;

/** @type {(at?: number) => void} */
export const changed = (at = clock()) => { lastChange = at; };
