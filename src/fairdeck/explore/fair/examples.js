// Shuffles as programs have them. Each is the twin of the lab's shuffle of the same name: from the same draws it makes the
// same deck. `repair` is the key of the line that says what to change.

/** @type {(head: string, drawn: string) => string} */
const swapping = (head, drawn) => `function shuffle(deck) {
  for (let i = ${head}) {
    const j = ${drawn};
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
}`;
const DOWN = "deck.length - 1; i > 0; i--", BELOW = "Math.floor(Math.random() * (i + 1))";
/** @type {(lines: string) => string} */
const once = (lines) => `function shuffle(deck) {\n${lines}\n}`;

/** @type {Record<string, { says: string, code: string, repair?: string }>} */
export const EXAMPLES = {
  naive: { says: "sNaive", repair: "repairNaive", code: swapping("0; i < deck.length; i++", "Math.floor(Math.random() * deck.length)") },
  "comparator-browser": { says: "sBrowserSort", repair: "repairSort", code: once("  deck.sort(() => Math.random() - 0.5);") },
  "fisher-yates": { says: "sFisherYates", code: swapping(DOWN, BELOW) },
  sattolo: { says: "sSattolo", repair: "repairSattolo", code: swapping(DOWN, "Math.floor(Math.random() * i)") },
  "modulo-8": { says: "sModulo", repair: "repairModulo", code: swapping(DOWN, "Math.floor(Math.random() * 256) % (i + 1)") },
  "riffle*7": {
    says: "sRiffles", repair: "repairRiffle", code: once(`  for (let times = 0; times < 7; times++) {
    const cards = deck.slice(), coins = deck.map(() => Math.random() < 0.5);
    let low = 0, high = coins.filter(Boolean).length;
    coins.forEach((coin, i) => { deck[i] = cards[coin ? low++ : high++]; });
  }`),
  },
};
