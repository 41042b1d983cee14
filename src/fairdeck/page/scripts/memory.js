// What the page remembers on this device: the deal under way, the settings, the decks, the pace.
// Storage may be forbidden or full; the page lives without.

const SETTINGS = "fairdeck-settings", DECKS = "fairdeck-decks", PACE = "fairdeck-pace";

function remember(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

function recall(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

const isCount = (value) => Number.isInteger(value) && value >= 0;
