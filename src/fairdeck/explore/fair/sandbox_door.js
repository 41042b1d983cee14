// Runs pasted code in a sandboxed frame, and ends it after its time.

import { $ } from "../../page/scripts/elements.js";
import { noCounts } from "../scripts/counts.js";

// The frame inherits the page's policy, which allows this one script, workers and the page's letters; by its own policy it
// has no letters either, so it may ask the server for nothing.
const HEAD = "<!doctype html><meta charset='utf-8'><meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; script-src 'unsafe-inline'; worker-src blob:\">";
// A function copied from a module is as good.
const EXPORT = /^export (?:default )?/gm;
const SILENCE_MS = 4000, LONGEST_MS = 30000, MOST_AT_ONCE = 20, LEAST_PART_MS = 10, LONGEST_TOLD = 200;
const FAULTS = ["pastedNoFunction", "wrongList", "wrongCard", "wrongTwice", "pastedThrew"];
/** @typedef {{ counts?: Counts, wrong?: string, [gap: string]: any }} Report */

// `heard` gets the counts of every part, or what is wrong. The function returned ends the run.
/** @type {(text: string, job: { cards: number, bins: number, decks: number, seed: number }, heard: (report: Report) => void) => () => void} */
export function runInSandbox(text, job, heard) {
  const frame = document.createElement("iframe"), { port1, port2 } = new MessageChannel(), started = performance.now();
  let timer = 0, parts = 0, last = 0;
  /** @type {(report?: Report) => void} */
  const end = (report) => {
    clearTimeout(timer);
    port1.close();
    frame.remove();
    removeEventListener("message", failed);
    if (report) heard(report);
  };
  const wait = () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => end({ wrong: "pastedSilent", n: SILENCE_MS / 1000 }), SILENCE_MS);
  };
  /** @type {(event: MessageEvent) => void} */
  const failed = ({ source, data }) => { if (source === frame.contentWindow) end(faultIn(data)); };
  port1.onmessage = ({ data }) => {
    const counts = soundCounts(data?.counts, job), took = performance.now() - started;
    // Every part takes its time and has new decks: a flood of reports comes from the code.
    if (!counts || counts.decks <= last || ++parts > MOST_AT_ONCE + took / LEAST_PART_MS) return end(faultIn(data));
    last = counts.decks;
    if (counts.decks === job.decks) return end({ counts });
    if (took > LONGEST_MS) return end({ counts, wrong: "pastedLong", n: LONGEST_MS / 1000 });
    wait();
    heard({ counts });
  };
  addEventListener("message", failed);
  // Without "allow-same-origin" the frame has an origin of its own.
  frame.setAttribute("sandbox", "allow-scripts");
  Object.assign(frame, { hidden: true, srcdoc: `${HEAD}<script>${$("sandbox").textContent}</${"script"}>`, title: "sandbox" });
  const code = `${$("pasted_worker").textContent}\nrunPasted(function () {\n${text.replace(EXPORT, "")}\n;return typeof shuffle === "undefined" ? undefined : shuffle;\n});`;
  frame.addEventListener("load", () => frame.contentWindow?.postMessage({ code, job }, "*", [port2]), { once: true });
  document.body.append(frame);
  wait();
  return () => end();
}

// What comes from the sandbox is only data, and may be anything; an object may have no text.
/** @type {(data: any) => Report} */
function faultIn(data) {
  const { wrong, n, value } = data || {};
  return { wrong: FAULTS.includes(wrong) ? wrong : "pastedLied", n: Number.isSafeInteger(n) ? n : 0, value: typeof value === "string" ? value.slice(0, LONGEST_TOLD) : "?" };
}

// Null unless the counts may be those of whole decks.
/** @type {(given: any, job: { cards: number, bins: number, decks: number }) => Counts | null} */
function soundCounts(given, { cards, bins, decks: most }) {
  if (!(given?.bins instanceof Int32Array && given.places instanceof Float64Array)) return null;
  if (given.bins.length !== bins || given.places.length !== cards * cards) return null;
  const { decks, sequences } = given, counts = { ...noCounts(cards, bins), decks, sequences }, cells = new Float64Array(2 * cards);
  counts.bins.set(given.bins);
  counts.places.set(given.places);
  counts.places.forEach((count, cell) => {
    cells[Math.floor(cell / cards)] += count;
    cells[cards + (cell % cards)] += count;
  });
  const whole = [decks, sequences, ...counts.bins, ...counts.places].every((count) => Number.isInteger(count) && count >= 0);
  const adds = counts.bins.reduce((all, count) => all + count, 0) === decks && cells.every((all) => all === decks);
  return whole && adds && decks > 0 && decks <= most && sequences >= decks && sequences <= decks * cards ? counts : null;
}
