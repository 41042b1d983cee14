// Lists of cards as programs and people write them: a small twin of fairdeck's Python, where `cards/lists` has the reason for
// each rule. What `OTHERS` names is left to it, and lines of several playing cards.

import { LARGEST_DECK, sum } from "./planner.js";

const MOST_BESIDE = 15, LINE_END = /\r\n?|[\n\v\f\x1c-\x1e\x85\u2028\u2029]/, ENDS = /[,;\s]+$/, PLACE = /^\d{1,7}[.):]\s*(?=\S)/;
const COUNT = /^(SB:\s*)?(\d+)(?:\s*[x×]\s+|\s+|x(?=[A-Z]))(?!(?:of|de|di|von)\s|\d+$|[ck]ar[dt]\w{0,2}$)(\S.*)$/i, TWO_COUNTS = /^((SB:\s*|[x×]\s?(?=\d))?\d+\s*([x×*]\s|[.):,;]|\s)|.*,\s*\d+\s)/i;
const PRINTING = /\s+(?:\((?:[A-Z0-9]{2,6}|[a-z0-9]{2,6})\)|\[[A-Z0-9]{2,6}\])(?:\s+[A-Za-z]{0,4}-?\d+[A-Za-z★†]*)?(?=\s|$)(.*)|\s+(?=\*[A-Z]{1,3}\*|#|\[[A-Z][a-z]|\^)(.*)/;
const TAGS = /^(\s*(\*[A-Z]{1,3}\*|#\S.*|\[[^\]]*\]|\^[^^]*\^|F))*\s*$/, LIVE = /\s+[A-Z][A-Z0-9-]{1,6}\s+[A-Z]{0,4}\d{1,3}[a-z]?(\s+PH)?$/, CATEGORY = /\s\[([A-Za-z ]+)([^\]]*)\]/;
const HEADING = /^(?:\/\/\s*)?\[?([^\d:()[\]]+?)\]?\s*(?:\(\d+\)|:\s*(\d*))?$/, MAIN = /^(deck|main(board| deck)?)$/i, ASIDE = /^(side(board(ed)?| deck)?|sb|maybe(board)?|considering|commanders?|companion|tokens?|extra( deck)?)$/i;
const KIND = /^(artifact|battle|creature|enchantment|instant|land|planeswalker|sorcer\w+|spell|pok.mon|trainer|energy|asset|event|skill|treacher\w+|all(y|ie)|upgrade|support|hero|obligation|permanent)s?$/i;
const NO_NAMES = [
  /^((SB:\s*|[x×]\s?(?=\d))?\d+\s*([x×*]\s|[.):,;]|\s)(?!\s*(of|de|di|von)\b)|.*\s[x×]\s?\d+$|[[(#!%]|.*[{}<>|\\=]|\/\/|--|[-*•]\s|\*\*|.*:\s*\d*$|["“„«][^"”“»]*$)/i,
  /^((deck|main(board)?|sideboard|commander|companion|maybeboard|tokens)$|([NESW]:)?([AKQJT\dx-]*\.){3}[AKQJT\dx-]*$|(((10|[2-9TJQKA])[SHDC♠-♧]|[SHDC♠-♧](10|[2-9TJQKA])|joker)[\s,;]*){2,}$)/i,
  /^((\ud83c[\udca0-\udcff]){2}|\d{4}-\d\d-\d\d|.*\d\d:\d\d:\d\d)/i,
];
// What only the commands read, by how it begins.
/** @type {Record<string, RegExp>} */
const OTHERS = {
  PBN: /^(% PBN|\[\w+ ")/i, LIN: /^(pn|qx|vg|md|st)\|/i, XML: /^</, JSON: /^(\{|\[["[{])/, YDK: /^(#main|#extra|!side)$/m,
  CSV: /^sep=|^(.*[,;\t] ?)?"?((card.)?name|card|title)"?([,;\t]|\n)|^1[,;\t].*\n2[,;\t]/i,
};

/** @typedef {{ at: number, text: string }} Line */
/** @typedef {{ copies: number, name: string, at: number, part: string }} Entry */

/** @type {(line: Line, wrong?: string, gaps?: object) => Error} */
const refusal = ({ at, text }, wrong = "listOdd", gaps = {}) => Object.assign(new Error(wrong), { gaps: { at, value: text.slice(0, 40), ...gaps } });
/** @type {(text: string) => string | undefined} */
const unquoted = (text) => (/^"([^"]|"")+"$/.test(text) ? text.slice(1, -1).replaceAll('""', '"').trim() : undefined);
/** @type {(line: Line) => Entry} */
const aCard = ({ at, text }) => ({ copies: 1, name: unquoted(text) ?? text, at, part: "" });
/** @type {(entries: Entry[]) => number} */
export const cardsOf = (entries) => sum(entries.map(({ copies }) => copies));

/** @type {(line: Line) => Entry} */
function named(line) {
  if (unquoted(line.text) === undefined && NO_NAMES.some((kind) => kind.test(line.text))) throw refusal(line);
  return aCard(line);
}

// The pieces of lines; one in quotation marks is not parted.
/** @type {(rows: Line[], between: string) => Line[]} */
function parted(rows, between) {
  const piece = new RegExp(`"([^"]|""){1,80}"(?=\\s*([${between}]|$))|[^${between}]+`, "g");
  return rows.flatMap(({ at, text }) => (text.match(piece) || []).map((each) => ({ at, text: each.trim() }))).filter(({ text }) => text);
}

/** @typedef {{ entries: Entry[], bare: Line[], gaps: Map<number, number>, part: string, headed: boolean, live: boolean, total: any }} Sheet */

/** @type {(sheet: Sheet, line: Line, found: string[]) => void} */
function enter(sheet, line, [, side, count, name]) {
  const [, category = "", more = ""] = CATEGORY.exec(name) || [], own = /\*CMDR\*/.test(name) ? "Commander" : /^token/i.test(category) ? "" : ASIDE.test(category) && category;
  if (unquoted(name) === undefined && TWO_COUNTS.test(name)) throw refusal(line);
  if (side) sheet.headed = true;
  sheet.entries.push({ copies: Number(count), name, at: line.at, part: side ? "Sideboard" : own || (/\{noDeck\}/.test(more) ? "Maybeboard" : sheet.part) });
}

/** @type {(sheet: Sheet, line: Line) => void} */
function head(sheet, line) {
  const { at, text } = line, [, word = "", number] = HEADING.exec(text) || [], aside = ASIDE.test(word);
  if (!text) sheet.gaps.set(sheet.entries.length, at);
  else if (/^total( cards)?$/i.test(word) && number) sheet.total = { ...line, number };
  else if (aside || MAIN.test(word)) Object.assign(sheet, { part: aside ? word : "", headed: true });
  else if (KIND.test(word)) {
    sheet.gaps.delete(sheet.entries.length);
    if (number !== undefined && /^pok/i.test(word)) sheet.live = true;
  } else if (!/^(\/\/|#)/.test(text)) sheet.bare.push(line);
}

/** @type {(lines: Line[]) => Entry[]} */
function countedLines(lines) {
  /** @type {Sheet} */
  const sheet = { entries: [], bare: [], gaps: new Map(), part: "", headed: false, live: false, total: null }, { entries, bare, gaps } = sheet;
  let about = false;
  for (const line of lines) {
    const found = COUNT.exec(line.text);
    about = /^about$/i.test(line.text) || (about && /^name /i.test(line.text));
    if (!about && found) enter(sheet, line, found);
    else if (!about) head(sheet, line);
  }
  const first = entries[0].at, titles = bare.filter(({ at }) => at < first), [asked] = titles.some(({ at }) => at === first - 1) ? titles : bare.slice(titles.length);
  if (asked) throw refusal(asked);
  if (!sheet.headed) demandOneReading(lines, entries, gaps);
  const cards = cardsOf(entries.filter((entry) => !entry.part)), { total, live } = sheet;
  if (total && Number(total.number) !== cards) throw refusal({ ...total, text: `${total.text} ≠ ${cards}` });
  return entries.map((entry) => ({ ...entry, name: withoutPrinting(entry.name, live) }));
}

// Numbers may be places, and an empty line may begin a sideboard.
/** @type {(lines: Line[], entries: Entry[], gaps: Map<number, number>) => void} */
function demandOneReading(lines, entries, gaps) {
  const before = [...gaps.keys()].filter((size) => size && size < entries.length).pop(), main = cardsOf(entries.slice(0, before)), rest = cardsOf(entries) - main;
  if (entries.length > 1 && entries.every(({ copies }, i) => copies === i + 1)) throw refusal(lines[entries[0].at - 1], "listTwo");
  if (before && rest <= MOST_BESIDE && main > MOST_BESIDE) throw refusal(lines[gaps.get(before) || 0], "listTwo");
}

/** @type {(text: string, live: boolean) => string} */
function withoutPrinting(text, live) {
  const found = PRINTING.exec(text), cut = found && TAGS.test(found[1] ?? found[2]) ? text.slice(0, found.index) : text;
  return unquoted(text) ?? (live ? cut.replace(LIVE, "") : cut).replace(ENDS, "");
}

/** @type {(rows: Line[], ways: Line[][]) => Entry[]} */
function names(rows, [pieces, words]) {
  const lines = (rows.length > 1 ? rows : pieces.length > 1 ? pieces : words).map(({ at, text }) => ({ at, text: text.replace(ENDS, "") })).filter(({ text }) => text);
  const odd = words.filter(({ text }) => !NO_NAMES[1].test(text + text)); // two of one card are several
  if (odd[0] && 2 * odd.length < words.length) throw refusal(odd[0]);
  if (lines.length < 2 || (rows.length > 1 && lines.every(({ text }) => unquoted(text) === undefined && /[,;]/.test(text)))) throw refusal(rows[0]);
  return lines.map(named);
}

/** @type {(lines: Line[], rows: Line[]) => Entry[]} */
function entriesOf(lines, rows) {
  const ways = ["\\t,;", "\\s,;"].map((between) => parted(rows, between));
  if (rows.length > 1 && rows.every(({ text }, i) => PLACE.test(text) && parseInt(text, 10) === i + 1)) return rows.map(({ at, text }) => named({ at, text: text.replace(PLACE, "").replace(ENDS, "") }));
  if (ways[1].every(({ text }) => /^\d{1,7}$/.test(text))) return ways[1].map(({ at, text }) => aCard({ at, text: String(Number(text)) }));
  return rows.some(({ text }) => COUNT.test(text)) ? countedLines(lines) : names(rows, ways);
}

// The entries of a list; those beside the deck have the name of their part.
/** @type {(text: string) => Entry[]} */
export function readList(text) {
  const lines = text.normalize("NFC").replace(/[\ufe0e\ufe0f]/g, "").split(LINE_END).map((line, i) => ({ at: i + 1, text: line.trim().replace(/[^\S\t]+/g, " ") }));
  const rows = lines.filter((line) => line.text), whole = rows.map((line) => line.text).join("\n"), other = Object.keys(OTHERS).find((name) => OTHERS[name].test(whole));
  if (other) throw refusal(rows[0], "listFile", { value: other, command: /PBN|LIN/.test(other) ? "boards" : "deal" });
  const entries = entriesOf(lines, rows);
  for (const entry of entries) {
    entry.name = entry.name.replace(/\s+/g, " ");
    if (!entry.copies || !entry.name || entry.name.length > 80 || /[\p{C}\ufffd]/u.test(entry.name)) throw refusal({ ...entry, text: entry.name });
  }
  if (entries.every((entry) => entry.part) || cardsOf(entries) > LARGEST_DECK) throw refusal(lines[0]);
  return entries;
}
