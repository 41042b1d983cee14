// What the page remembers besides the deal, written late. Storage may be forbidden or full.

export const SETTINGS = "fairdeck-settings", DECKS = "fairdeck-decks", PACE = "fairdeck-pace";

/** @type {(key: string, value: any, storage?: "localStorage" | "sessionStorage") => boolean} */
export function remember(key, value, storage = "localStorage") {
  try {
    window[storage].setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** @type {(key: string, storage?: "localStorage" | "sessionStorage") => any} */
export function recall(key, storage = "localStorage") {
  try {
    return JSON.parse(String(window[storage].getItem(key)));
  } catch {
    return null;
  }
}

/** @type {(value: any) => boolean} */
export const isCount = (value) => Number.isInteger(value) && value >= 0;

// What is kept, as a list.
/** @type {(kept: any) => any[]} */
export const listed = (kept) => (kept ? [kept].flat() : []);
