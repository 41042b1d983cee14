// The settings of a page, in its address: a link shows what its sender saw.

/** @type {() => URLSearchParams} */
export const settingsGiven = () => new URLSearchParams(location.hash.slice(1));

/** @type {(settings: Record<string, string | number>) => string} */
export const addressOf = (settings) => `#${new URLSearchParams(Object.entries(settings).map(([key, value]) => [key, String(value)]))}`;

// Safari refuses more than a hundred changes in half a minute, Chromium two hundred in ten seconds. After
// `MOST_CHANGES` the address waits until no change has come for half a second.
const MOST_CHANGES = 40, LONG_MS = 30000, REST_MS = 500;
let changes = 0, begun = -Infinity, waiting = 0;

/** @type {(settings: Record<string, string | number>) => void} */
export function keepSettings(settings) {
  const now = performance.now(), address = addressOf(settings), write = () => {
    try {
      history.replaceState(null, "", address);
    } catch {
      // The next change writes all settings.
    }
  };
  clearTimeout(waiting);
  if (now - begun > LONG_MS) begun = now, changes = 0;
  if (changes++ < MOST_CHANGES) write();
  else waiting = window.setTimeout(write, REST_MS);
}
// An address that somebody opens is newer than what waits.
addEventListener("hashchange", () => clearTimeout(waiting));

// A whole number that the address gives; the usual one if the number is missing or out of range.
/** @type {(given: URLSearchParams, key: string, least: number, most: number, usual: number) => number} */
export function numberGiven(given, key, least, most, usual) {
  const text = given.get(key) || "", value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  return value >= least && value <= most ? value : usual;
}

// One that no two visits share: which decks a page counts matters to nobody, so any clock will do if the generator fails.
export function freshSeed() {
  try {
    return crypto.getRandomValues(new Uint32Array(1))[0];
  } catch {
    return Math.floor(Date.now() + Math.random() * 2 ** 32) % 2 ** 32;
  }
}
