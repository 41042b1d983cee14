// What must survive a crash: in IndexedDB, and on the disk before it counts as kept. A slot holds a step, which changes
// with every card, and perhaps a code. A tab that takes a slot gets the next number; only the last taker can write.

const STORE = "slots", OPENING_MS = 1500;

// A database that does not answer must not stop the page.
/** @type {(work: Promise<any>) => Promise<any>} */
export const inTime = (work) => Promise.race([work, new Promise((resolve) => setTimeout(resolve, OPENING_MS, null))]);

/** @type {(request: IDBRequest) => Promise<any>} */
const answerOf = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** @type {() => Promise<IDBDatabase>} */
async function openDatabase() {
  const asked = indexedDB.open("fairdeck", 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
  const opened = await answerOf(asked);
  // A newer page in another tab would wait for this one.
  opened.onversionchange = () => opened.close();
  // Browsers may lose the connection, for example while a phone sleeps.
  opened.onclose = () => { database = openDatabase(); };
  return opened;
}

let database = openDatabase();
database.catch(() => {});

// What `work` found, once all that it wrote is on the disk; null if nothing can be kept.
/** @type {(mode: IDBTransactionMode, work: (store: IDBObjectStore) => Promise<any>) => Promise<any>} */
async function transact(mode, work) {
  try {
    const change = (await database).transaction(STORE, mode, { durability: "strict" });
    const ended = new Promise((resolve, reject) => Object.assign(change, { oncomplete: resolve, onabort: reject }));
    return (await Promise.all([work(change.objectStore(STORE)), ended]))[0];
  } catch {
    return null;
  }
}

/** @type {() => Promise<boolean>} */
export const canKeep = async () => Boolean(await transact("readwrite", (store) => answerOf(store.put(0, "probe"))));

/** @type {(slot: string) => string} */
const codeOf = (slot) => `${slot} code`;
/** @type {(store: IDBObjectStore, slot: string) => Promise<Slot>} */
const inSlot = async (store, slot) => (await answerOf(store.get(slot))) || { taker: 0, step: null };

/** @type {(slot: string) => Promise<Slot | null>} */
export const readSlot = (slot) => transact("readonly", async (store) => ({ ...(await inSlot(store, slot)), code: await answerOf(store.get(codeOf(slot))) }));

// Takes the slot from another tab, unless it holds another deal than the one `begun` then.
/** @type {(slot: string, step?: KeptStep | null, code?: Blob | string | null, begun?: number) => Promise<Slot | null>} */
export const takeSlot = (slot, step, code, begun) => transact("readwrite", async (store) => {
  const last = await inSlot(store, slot), taken = { taker: last.taker + 1, step: step || last.step };
  if (begun && last.step?.begun !== begun) return last;
  store.put(taken, slot);
  if (code) store.put(code, codeOf(slot));
  return taken;
});

// False if another tab took the slot, null if the device was cleared. A null step empties the slot; the number stays.
/** @type {(slot: string, taker: number | undefined, step: KeptStep | null) => Promise<boolean | null>} */
export const writeStep = (slot, taker, step) => transact("readwrite", async (store) => {
  const last = await answerOf(store.get(slot));
  if (last?.taker !== taker) return last ? false : null;
  store.put({ taker, step }, slot);
  if (!step) store.delete(codeOf(slot));
  return true;
});
