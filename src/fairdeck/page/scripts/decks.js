// Decks by name: known ones, the player's own with their settings, and lists.

import { DECKS_KNOWN } from "./built.js";
import { cardsOf, readList } from "./deck_list.js";
import { $, chosen, element, option } from "./elements.js";
import { DECKS, listed, recall, remember } from "./memory.js";
import { applySettings, deckChosen, FIELDS, listRead, OTHER, readTask, selectDeck, settings, showAdvice, showFault } from "./setup.js";
import { pieces, t, WORDS } from "./texts.js";

const LONGEST_NAME = 40, TILES = 8, SOFT_HYPHEN = "\u00ad", LARGEST_FILE = 1e6; // bytes

/** @type {() => OwnDeck[]} */
const ownDecks = () => listed(recall(DECKS)).filter(isDeck);
/** @type {(deck: any) => boolean} */
const isDeck = (deck) => typeof deck?.name === "string" && deck.name.trim() !== "" && deck.name.length <= LONGEST_NAME && typeof deck.settings?.cards === "string";

/** @typedef {{ value: string, name: string, cards: string, sign: string, goal: Record<string, string> }} Choice */

/** @type {() => Choice[]} */
function allDecks() {
  const own = ownDecks().map(({ name, settings: { cards } }) => ({ value: `own/${name}`, name, cards, sign: "★", goal: {} }));
  const known = [...DECKS_KNOWN.tiles, ...DECKS_KNOWN.more].map(([key, cards, sign = "♦", players = 0, each = 0]) => ({
    value: `${key}/${cards}`, name: WORDS[key] ? t(key) : key, cards: String(cards), sign,
    goal: players ? { goal: "hands", players: String(players), each: String(each) } : { goal: "deck" },
  }));
  return [...own, ...known];
}

// The last deck comes first, then the player's own, then the usual ones; all others are in a list.
/** @type {(last?: string) => void} */
export function drawDecks(last = deckChosen()) {
  const decks = allDecks(), latest = decks.filter(({ value }) => value === last);
  const ranked = [...latest, ...decks.filter(({ value }) => value !== last)], shown = ranked.slice(0, TILES - 1);
  const other = { value: OTHER, name: t("other"), cards: "…", sign: "+" };
  $("tiles").replaceChildren(...[...shown, other].map(({ value, name, cards, sign }) => {
    const said = value === OTHER ? name : `${name.replaceAll(SOFT_HYPHEN, "")}, ${t("nCards", { n: Number(cards) })}`;
    const field = element("input", "", "", { type: "radio", name: "game", value, "aria-label": said });
    return element("label", [field, element("span", [element("b", cards), element("i", `${sign}\ufe0e`, "♥♦".includes(sign) ? "red" : ""), element("em", name)])]);
  }));
  $("deck").replaceChildren(option("", t("moreDecks")), ...ranked.slice(TILES - 1).map(({ value, name, cards }) => option(value, `${name.replaceAll(SOFT_HYPHEN, "")} (${cards})`)));
  selectDeck(last);
}

const ownChosen = () => ownDecks().find(({ name }) => deckChosen() === `own/${name}`);
/** @type {(names: string[]) => OwnDeck[]} */
const decksBut = (names) => ownDecks().filter(({ name }) => !names.includes(name));

// The settings of a deck; view, voice and the like belong to the player.
function deckSettings() {
  const { mat, goal, dealers, stock, bottom, ...all } = settings();
  return { mat, goal, dealers, stock, bottom, ...Object.fromEntries(FIELDS.texts.map((id) => [id, all[id]])) };
}

// The name of a deck goes when its settings are changed.
export function matchDeck() {
  const own = ownChosen(), value = deckChosen();
  if (own ? JSON.stringify(own.settings) !== JSON.stringify(deckSettings()) : value && value.split("/").pop() !== $("cards").value) selectDeck("");
}

export function chooseDeck() {
  const value = deckChosen(), own = ownChosen(), known = allDecks().find((deck) => deck.value === value);
  if (own) {
    applySettings(own.settings);
    $("deck-name").value = own.name;
  } else if (known) applySettings({ cards: known.cards, ...known.goal });
  selectDeck(value);
  showAdvice();
}

export function saveDeck() {
  const name = $("deck-name").value.trim();
  if (!name) return tellDecks(t("deckName"));
  if (!readTask()) return showFault();
  if (!remember(DECKS, [...decksBut([name]), { name, settings: deckSettings() }])) return tellDecks(t("keepsNothing"));
  drawDecks(`own/${name}`);
  showAdvice();
  tellDecks(t("saved", { name }));
}

export function removeDeck() {
  const name = deckChosen().slice("own/".length);
  remember(DECKS, decksBut([name]));
  drawDecks("");
  showAdvice();
  $("deck-name").value = "";
  tellDecks(t("removed", { name }));
}

/** @type {(text: string) => void} */
export const tellDecks = (text) => { $("decks-said").textContent = text; };

// The places of a list are dealt: it gives the number of cards, and its names only show that it was read rightly.
export function listGiven() {
  const text = chosen("game") === OTHER ? $("list").value : "";
  listRead.fault = $("list-said").textContent = "";
  if (!text.trim()) return;
  try {
    const entries = readList(text), deck = entries.filter(({ part }) => !part);
    const n = cardsOf(deck), left = cardsOf(entries) - n, parts = pieces([...new Set(entries.map(({ part }) => part))]);
    applySettings({ cards: String(n), goal: "deck" });
    $("list-said").textContent = pieces([t("nCards", { n }), t("nNames", { n: new Set(deck.map(({ name }) => name)).size }), left > 0 && t("leftOut", { left: `${left} (${parts})` })]);
  } catch (/** @type {any} */ fault) {
    if (!fault.gaps) throw fault;
    listRead.fault = `${t("inLine", fault.gaps)} ${t(fault.message, fault.gaps)}`;
  }
}

// What is pasted, dropped or chosen; of a file that is no list, the name is refused.
/** @param {File} [file] @param {string} [text] */
export async function takeList(file, text = $("list").value) {
  $("list").value = !file ? text : file.size > LARGEST_FILE ? file.name : await file.text();
  selectDeck(OTHER);
  listGiven();
  showAdvice();
  if (listRead.fault) showFault();
}
