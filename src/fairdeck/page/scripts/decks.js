// Decks by name: known ones, and the player's own with their settings.

import { DECKS_KNOWN } from "./built.js";
import { saveFile } from "./copying.js";
import { $, element, option } from "./elements.js";
import { DECKS, listed, recall, remember } from "./memory.js";
import { applySettings, FIELDS, readTask, selectDeck, settings, showAdvice, showFault } from "./setup.js";
import { t, WORDS } from "./texts.js";

const DECKS_FORMAT = "fairdeck-decks/1", LONGEST_NAME = 40;

/** @type {() => OwnDeck[]} */
const ownDecks = () => listed(recall(DECKS)).filter(isDeck);
/** @type {(deck: any) => boolean} */
const isDeck = (deck) => typeof deck?.name === "string" && deck.name.trim() !== "" && deck.name.length <= LONGEST_NAME && typeof deck.settings?.cards === "string";

export function drawDecks() {
  /** @type {(label: string, options: HTMLElement[]) => HTMLElement[]} */
  const group = (label, options) => (options.length ? [element("optgroup", options, "", { label: t(label) })] : []);
  /** @type {(kind: "usual" | "games") => HTMLElement[]} */
  const known = (kind) => DECKS_KNOWN[kind].map(([name, cards]) => option(`${kind}/${name}/${cards}`, `${WORDS[name] ? t(name) : name} (${cards})`));
  const before = $("deck").value;
  $("deck").replaceChildren(
    option("", t("ownSize")), ...group("myDecks", ownDecks().map(({ name }) => option(`own/${name}`, name))),
    ...group("usualDecks", known("usual")), ...group("games", known("games")),
  );
  selectDeck(before);
}

const ownChosen = () => ownDecks().find(({ name }) => $("deck").value === `own/${name}`);
/** @type {(names: string[]) => OwnDeck[]} */
const decksBut = (names) => ownDecks().filter(({ name }) => !names.includes(name));

// The settings of a deck; view, voice and the like belong to the player.
function deckSettings() {
  const { mat, goal, dealers, stock, bottom, ...all } = settings();
  return { mat, goal, dealers, stock, bottom, ...Object.fromEntries(FIELDS.texts.map((id) => [id, all[id]])) };
}

// The name of a deck goes when its settings are changed.
export function matchDeck() {
  const { value } = $("deck"), own = ownChosen();
  const changed = own ? JSON.stringify(own.settings) !== JSON.stringify(deckSettings()) : value.split("/").pop() !== $("cards").value;
  if (changed) selectDeck("");
}

export function chooseDeck() {
  const { value } = $("deck"), own = ownChosen();
  if (own) {
    applySettings(own.settings);
    $("deck-name").value = own.name;
  } else if (value) $("cards").value = value.split("/").pop();
  selectDeck(value);
  showAdvice();
}

export function saveDeck() {
  const name = $("deck-name").value.trim();
  if (!name) return tellDecks(t("nameFirst"));
  if (!readTask()) return showFault();
  if (!remember(DECKS, [...decksBut([name]), { name, settings: deckSettings() }])) return tellDecks(t("notKept"));
  drawDecks();
  selectDeck(`own/${name}`);
  tellDecks(t("saved", { name }));
}

export function removeDeck() {
  const name = $("deck").value.slice("own/".length);
  remember(DECKS, decksBut([name]));
  drawDecks();
  $("deck-name").value = "";
  tellDecks(t("removed", { name }));
}

export function exportDecks() {
  const decks = ownDecks(), name = "fairdeck-decks.json";
  if (!decks.length) return tellDecks(t("nameFirst"));
  saveFile(name, JSON.stringify({ format: DECKS_FORMAT, decks }, null, 1));
  tellDecks(t("exported", { name }));
}

export async function importDecks() {
  const file = $("import").files[0];
  if (!file) return;
  $("import").value = "";
  try {
    /** @type {{ format: string, decks: OwnDeck[] }} */
    const { format, decks } = JSON.parse(await file.text());
    if (format !== DECKS_FORMAT || !decks.length || !decks.every(isDeck)) throw new TypeError("not decks");
    const kept = remember(DECKS, [...decksBut(decks.map(({ name }) => name)), ...decks]);
    drawDecks();
    tellDecks(kept ? t("imported", { n: decks.length }) : t("notKept"));
  } catch {
    tellDecks(t("notImported", { name: file.name.slice(0, 40) }));
  }
}

/** @type {(text: string) => void} */
export const tellDecks = (text) => { $("decks-said").textContent = text; };
