// What must outlive a crash: in IndexedDB, and on the disk before it counts as kept. A slot holds a step, which changes
// with every card, and perhaps a code. Each tab that takes a slot gets the next number; only the last one can write.

const STORE = "slots", OPENING_MS = 1500;

// A database that does not answer must not keep the page shut.
const inTime = (work) => Promise.race([work, new Promise((resolve) => setTimeout(resolve, OPENING_MS, null))]);

const answerOf = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

async function openDatabase() {
  const asked = indexedDB.open("fairdeck", 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
  const opened = await answerOf(asked);
  // A newer page in another tab would wait for this one.
  opened.onversionchange = () => opened.close();
  // Browsers lose the connection at times, as while a phone sleeps.
  opened.onclose = () => { database = openDatabase(); };
  return opened;
}

let database = openDatabase();
database.catch(() => {});

// What `work` found, once all it wrote is on the disk; null where nothing can be kept.
async function transact(mode, work) {
  try {
    const change = (await database).transaction(STORE, mode, { durability: "strict" });
    const ended = new Promise((resolve, reject) => Object.assign(change, { oncomplete: resolve, onabort: reject }));
    return (await Promise.all([work(change.objectStore(STORE)), ended]))[0];
  } catch {
    return null;
  }
}

const canKeep = async () => Boolean(await transact("readwrite", (store) => answerOf(store.put(0, "probe"))));

const codeOf = (slot) => `${slot} code`;
const inSlot = async (store, slot) => (await answerOf(store.get(slot))) || { taker: 0, step: null };

const readSlot = (slot) => transact("readonly", async (store) => ({ ...(await inSlot(store, slot)), code: await answerOf(store.get(codeOf(slot))) }));

// From the tab that had it. Not if it is no longer the deal `begun` then.
const takeSlot = (slot, step, code, begun) => transact("readwrite", async (store) => {
  const last = await inSlot(store, slot), taken = { taker: last.taker + 1, step: step || last.step };
  if (begun && last.step?.begun !== begun) return last;
  store.put(taken, slot);
  if (code) store.put(code, codeOf(slot));
  return taken;
});

// False from a tab that was overtaken, null where the device was cleared. A step that is null wipes the slot; the number stays.
const writeStep = (slot, taker, step) => transact("readwrite", async (store) => {
  const last = await answerOf(store.get(slot));
  if (last?.taker !== taker) return last ? false : null;
  store.put({ taker, step }, slot);
  if (!step) store.delete(codeOf(slot));
  return true;
});
