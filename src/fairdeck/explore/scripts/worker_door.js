// Starts the worker that the page holds as text, and gives it jobs: only the last one counts, and none ends it.

import { $ } from "../../page/scripts/elements.js";

/** @typedef {{ recipe: string, cards: number, bins: number, decks: number, seed: number, even?: boolean, binsAlone?: boolean }} Job */

/** @type {(heard: (counts: Counts) => void) => (job?: Job) => void} */
export function startWorker(heard) {
  const worker = new Worker(URL.createObjectURL(new Blob([$("worker").textContent], { type: "text/javascript" })));
  let id = 0;
  worker.addEventListener("message", ({ data }) => { if (data.id === id) heard(data); });
  return (job) => worker.postMessage({ ...job, id: ++id });
}
