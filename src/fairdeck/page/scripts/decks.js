// Decks by name: those in DECKS_KNOWN, which the builder sets, and the player's own with all their settings.

const DECKS_FORMAT = "fairdeck-decks/1", LONGEST_NAME = 40;

const ownDecks = () => [].concat(recall(DECKS) || []).filter(isDeck);
const isDeck = (deck) => Boolean(deck) && typeof deck.name === "string" && deck.name.trim() !== "" && deck.name.length <= LONGEST_NAME && typeof deck.settings?.cards === "string";

function drawDecks() {
  const group = (label, options) => {
    const made = element("optgroup");
    made.label = t(label);
    made.append(...options);
    return options.length ? [made] : [];
  };
  const option = (value, text) => Object.assign(element("option", text), { value });
  const known = (kind) => DECKS_KNOWN[kind].map(([name, cards]) => option(`${kind}/${name}/${cards}`, `${WORDS[name] ? t(name) : name} (${cards})`));
  const before = $("deck").value;
  $("deck").replaceChildren(
    option("", t("ownSize")), ...group("myDecks", ownDecks().map(({ name }) => option(`own/${name}`, name))),
    ...group("usualDecks", known("usual")), ...group("games", known("games")),
  );
  selectDeck(before);
}

function selectDeck(value) {
  $("deck").value = value;
  if ($("deck").selectedIndex < 0) $("deck").value = "";
  $("remove").hidden = !$("deck").value.startsWith("own/");
}

const ownChosen = () => ownDecks().find(({ name }) => $("deck").value === `own/${name}`);
const decksBut = (names) => ownDecks().filter(({ name }) => !names.includes(name));

// What belongs to a deck; view, voice and hands belong to the player.
function deckSettings() {
  const { mat, goal, dealers, stock, bottom, ...all } = settings();
  return { mat, goal, dealers, stock, bottom, ...Object.fromEntries(TEXTS_KEPT.map((id) => [id, all[id]])) };
}

// The name stands as long as the settings are still that deck's.
function matchDeck() {
  const { value } = $("deck"), own = ownChosen();
  const changed = own ? JSON.stringify(own.settings) !== JSON.stringify(deckSettings()) : value.split("/").pop() !== $("cards").value;
  if (changed) selectDeck("");
}

function chooseDeck() {
  const { value } = $("deck"), own = ownChosen();
  if (own) {
    applySettings(own.settings);
    $("deck-name").value = own.name;
  } else if (value) $("cards").value = value.split("/").pop();
  selectDeck(value);
  showAdvice();
}

function saveDeck() {
  const name = $("deck-name").value.trim();
  if (!name) return tellDecks(t("nameFirst"));
  if (!readTask()) return showFault();
  if (!remember(DECKS, [...decksBut([name]), { name, settings: deckSettings() }])) return tellDecks(t("notKept"));
  drawDecks();
  selectDeck(`own/${name}`);
  tellDecks(t("saved", { name }));
}

function removeDeck() {
  const name = $("deck").value.slice("own/".length);
  remember(DECKS, decksBut([name]));
  drawDecks();
  $("deck-name").value = "";
  tellDecks(t("removed", { name }));
}

function exportDecks() {
  const decks = ownDecks(), mine = $("deck-name").value.trim(), name = "fairdeck-decks.json";
  // Where the browser keeps nothing, the deck just named can still be taken along.
  if (mine && !decks.some((deck) => deck.name === mine)) decks.push({ name: mine, settings: deckSettings() });
  if (!decks.length) return tellDecks(t("nameFirst"));
  const file = new Blob([JSON.stringify({ format: DECKS_FORMAT, decks }, null, 1)], { type: "application/json" });
  const link = Object.assign(element("a"), { href: URL.createObjectURL(file), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  tellDecks(t("exported", { name }));
}

async function importDecks() {
  const file = $("import").files[0];
  if (!file) return;
  $("import").value = "";
  try {
    const { format, decks } = JSON.parse(await file.text());
    if (format !== DECKS_FORMAT || !decks.length || !decks.every(isDeck)) throw new TypeError("not decks");
    const kept = remember(DECKS, [...decksBut(decks.map(({ name }) => name)), ...decks]);
    drawDecks();
    tellDecks(kept ? t("imported", { n: decks.length }) : t("notKept"));
  } catch {
    tellDecks(t("notImported", { name: file.name.slice(0, 40) }));
  }
}

const tellDecks = (text) => { $("decks-said").textContent = text; };
