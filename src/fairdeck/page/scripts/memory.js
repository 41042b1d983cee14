// What the page remembers on this device besides the deal. Its loss is small, so it may be written late.
// Storage may be forbidden or full; the page lives without.

const SETTINGS = "fairdeck-settings", DECKS = "fairdeck-decks", PACE = "fairdeck-pace";

function remember(key, value, storage = "localStorage") {
  try {
    window[storage].setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

function recall(key, storage = "localStorage") {
  try {
    return JSON.parse(window[storage].getItem(key));
  } catch {
    return null;
  }
}

const isCount = (value) => Number.isInteger(value) && value >= 0;
