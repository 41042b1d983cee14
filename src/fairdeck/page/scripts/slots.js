// What must survive a crash: in IndexedDB, on the disk before it counts as kept. A slot holds the step and perhaps a code;
// only the tab that took it last can write. The last step is in localStorage too: there at once, but late on the disk.
// It counts where the database lacks it.

import { recall, remember } from "./memory.js";

const LAST = "fairdeck-last", STORE = "slots";

// A database that does not answer for 1.5 seconds must not stop the page.
/** @type {(work: Promise<any>) => Promise<any>} */
export const inTime = (work) => Promise.race([work, new Promise((resolve) => setTimeout(resolve, 1500, null))]);

/** @type {(request: IDBRequest) => Promise<any>} */
const answerOf = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = reject;
});

/** @type {(name?: string) => Promise<IDBDatabase>} */
async function openDatabase(name = "fairdeck") {
  const asked = indexedDB.open(name, 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
  const opened = await answerOf(asked);
  // A newer page in another tab would wait for this one.
  opened.onversionchange = () => opened.close();
  // Browsers may lose it, for example while a phone sleeps.
  opened.onclose = () => { database = openDatabase(); };
  return opened;
}

let database = openDatabase();
database.catch(() => {});

// What `work` found, once the disk has all that it wrote; null if that failed.
/** @type {(work: (store: IDBObjectStore) => any, from?: Promise<IDBDatabase>, mode?: IDBTransactionMode) => Promise<any>} */
async function transact(work, from = database, mode = "readwrite") {
  try {
    const change = (await from).transaction(STORE, mode, { durability: "strict" });
    const ended = new Promise((resolve, reject) => { change.oncomplete = resolve; change.onabort = reject; });
    return (await Promise.all([work(change.objectStore(STORE)), ended]))[0];
  } catch {
    return null;
  }
}

/** @type {(what: any, from?: Promise<IDBDatabase>) => Promise<any>} */
const probe = (what, from) => transact((store) => store.put(what, "probe"), from);
// Private windows of WebKit refuse a Blob, or never answer: one is tried where nothing waits for it.
export const keepsBlobs = () => inTime(probe(new Blob(), openDatabase("fairdeck-blobs")));
export const canKeep = () => probe(0);

/** @type {(slot: string) => string} */
const codeOf = (slot) => `${slot} code`;
/** @type {(store: IDBObjectStore, slot: string) => Promise<Slot>} */
async function inSlot(store, slot) {
  const found = (await answerOf(store.get(slot))) || { taker: 0, step: null }, last = recall(LAST);
  if (last?.slot !== slot || last.taker !== found.taker || last.step?.begun !== found.step?.begun) return found;
  const missed = last.step.count - (found.step?.count || 0);
  // After a crash localStorage may be old, too.
  return missed > 0 ? { ...found, step: { ...last.step, older: missed > 1 } } : found;
}

// Leaves out the code of the deal `known`.
/** @type {(slot: string, known?: number) => Promise<Slot | null>} */
export const readSlot = (slot, known) => transact(async (store) => {
  const found = await inSlot(store, slot);
  return known && found.step?.begun === known ? found : { ...found, code: await answerOf(store.get(codeOf(slot))) };
}, database, "readonly");

// Only from the deal `begun` then: else null, or without a new step what the slot holds.
/** @type {(slot: string, begun?: number, step?: KeptStep | null, code?: Blob | string | null) => Promise<Slot | null>} */
export const takeSlot = (slot, begun, step = null, code = null) => transact(async (store) => {
  const last = await inSlot(store, slot), taken = { taker: last.taker + 1, step: step || last.step };
  if (last.step ? last.step.begun !== begun : !step) return step ? null : last;
  store.put(taken, slot);
  if (code) store.put(code, codeOf(slot));
  return taken;
});

// False if another tab took the slot, null if nothing can be kept.
/** @type {(slot: string, taker: number | undefined, step: KeptStep) => Promise<boolean | null>} */
export const writeStep = (slot, taker, step) => transact(async (store) => {
  const last = await answerOf(store.get(slot));
  if (last?.taker !== taker) return last ? false : null;
  store.put({ taker, step }, slot);
  return true;
});

/** @type {(slot: string, taker: number, step: KeptStep) => boolean} */
export const noteStep = (slot, taker, step) => remember(LAST, { slot, taker, step });

// Deletes step and code, or if nothing can be written the code. Null if that failed.
/** @type {(slot: string, taker: number | undefined) => Promise<true | null>} */
export async function emptySlot(slot, taker) {
  /** @type {(write: boolean) => Promise<true | null>} */
  const emptied = (write) => transact(async (store) => {
    if ((await answerOf(store.get(slot)))?.taker !== taker) return true;
    if (write) store.put({ taker, step: null }, slot);
    store.delete(codeOf(slot));
    return true;
  });
  return (await emptied(true)) || emptied(false);
}
