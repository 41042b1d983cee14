// Where the decks are in a table, in objects of JSON, in cards on lines of their own or with nothing between them: the
// twin of fairdeck.cards.logs. What can be read in two ways is refused.

const SEEN = 64, FEWEST = 3, MOST_BESIDE = 16, MOST_NAMED = 5, FIRST_PART = 20000, PARTING = /[;,\t"'()[\] ]/;
const LONG = [/^((game|deck|hand|round)(_id)?|id|epoch)$/i, /^(place|position|pos|idx|index)$/i, /^(card(_id)?|item|value)$/i];
const WAYS = ["(10|[2-9TJQKAtjqka])[SHDCshdc♠♥♦♣]", "[SHDCshdc♠♥♦♣](10|[2-9TJQKAtjqka])", "[\u{1F0A1}-\u{1F0AE}\u{1F0B1}-\u{1F0BF}\u{1F0C1}-\u{1F0CF}\u{1F0D1}-\u{1F0DF}]"];
// `read` returns the cards of a line, or null if it is not of this layout; `lines` are in place of those of the file.
/** @typedef {{ note: string, gaps?: Record<string, string>, lines?: string[], read?: (line: string) => string[] | null }} Layout */

// What is wrong: the key of its text, and what fills its gaps.
/** @type {(wrong: string, gaps: Record<string, any>) => Error} */
export const refusal = (wrong, gaps) => Object.assign(new Error(wrong), { gaps });
/** @type {(names: string[]) => string} */
const few = (names) => names.slice(0, MOST_NAMED).map((name) => name.slice(0, 40)).join(", ") + (names.length > MOST_NAMED ? ", …" : "") || "–";
export const NUMBER = /^-?\d{1,18}$/;
/** @type {(words: string[]) => boolean} */
export const allNumbers = (words) => words.every((word) => NUMBER.test(word));
/** @type {(row: string[]) => boolean} */
const isDeck = (row) => allNumbers(row) && [0, 1].some((first) => new Set(row.map(Number).filter((card) => card >= first && card < first + row.length)).size === row.length);

/** @type {(text: string) => any} */
export function parsed(text) {
  try { return JSON.parse(text); } catch { return null; }
}

// The cells of a line; one in quotation marks may hold the mark.
/** @type {(line: string, mark: string) => string[]} */
export function cells(line, mark) {
  const text = mark === " " ? line.trim().replace(/\s+/g, " ") : line, cell = new RegExp(`(?:^|${mark}) *(?:"((?:[^"]|"")*)(?:"([^${mark}]*)|$)|([^${mark}]*))`, "g");
  return (text.includes('"') ? [...text.matchAll(cell)].map(([, quoted, rest = "", plain]) => plain ?? quoted.replaceAll('""', '"') + rest) : text.split(mark)).map((each) => each.trim());
}

// The layout of a file of these lines, the last of which may be incomplete; null if a deck stands on each of them.
/** @type {(lines: string[]) => Layout | null} */
export function layoutOf(lines) {
  const all = lines.filter((line) => line.trim()), shown = all.slice(0, all.length > 2 && lines[lines.length - 1].trim() ? Math.min(all.length - 1, SEEN) : SEEN);
  return all.length ? objects(lines, shown) || cardLines(lines) || table(lines, shown) || unparted(shown) : null;
}

// The lists of numbers or names in an object, each with its path.
/** @type {(value: any) => [string, string[]][]} */
function listsIn(value) {
  if (Array.isArray(value)) return value.length > 1 && value.every((card) => typeof card === "string" || Number.isInteger(card)) ? [["", value.map(String)]] : [];
  return Object.entries(Object(value)).flatMap(([key, inner]) => (inner instanceof Object ? listsIn(inner).map(([path, list]) => /** @type {[string, string[]]} */ ([path ? `${key}.${path}` : key, list])) : []));
}

/** @type {(lines: string[], shown: string[]) => Layout | null} */
function objects(lines, shown) {
  if (!shown.slice(0, 2).every((line) => line.trimStart()[0] === "{")) return null;
  const lists = shown.map((line) => listsIn(parsed(line))), odd = Math.max(0, lists.findIndex(({ length }) => length > 1)), paths = lists[odd].map(([path]) => path);
  if (paths.length !== 1) throw refusal("logLists", { at: lines.indexOf(shown[odd]) + 1, value: few(paths) });
  return { note: "noteLists", gaps: { value: few(paths) }, read: (line) => listsIn(parsed(line)).find(([path]) => path === paths[0])?.[1] || null };
}

// Each deck on its first line, and its other lines empty, except at the end, where it may be incomplete.
/** @type {(lines: string[]) => Layout | null} */
function cardLines(lines) {
  const text = lines.join("\n").replace(/\n$/, ""), groups = text.slice(0, FIRST_PART).trim().split(/\n\s*\n/).map((group) => group.split("\n"));
  if (groups.length < 2 || groups.slice(0, -1).some(({ length }) => length < 2) || groups.flat().some((line) => PARTING.test(line.trim()))) return null;
  const made = text.replace(/\S+(?:[^\S\n]*\n[^\S\n]*\S+)+/g, (deck, at) => deck.replace(/\s+/g, " ") + (at + deck.length < text.length ? deck.replace(/[^\n]+/g, "") : ""));
  return { note: "noteCardLines", lines: made.split("\n") };
}

// The columns with one stem and the numbers 0, 1, 2 … or 1, 2, 3 …; or the only ones that hold a deck in each row.
/** @type {(lines: string[], shown: string[]) => Layout | null} */
function table(lines, shown) {
  const [header] = shown, at = lines.indexOf(header) + 1, mark = [";", ",", "\t"].find((each) => header.includes(each)) || " ";
  const [first, ...more] = shown.map((line) => cells(line, mark)), [second = []] = more, width = first.length, every = first.map((_, i) => i);
  const named = width === second.length && new Set(first).size === width && !first.some((cell) => allNumbers([cell]) || second.includes(cell)), rows = named ? more : [first, ...more];
  if (LONG.every((known) => named && first.filter((name) => known.test(name)).length === 1)) throw refusal("logLong", { at });
  if (width < 2 || /^\s*[[({]/.test(header) || isDeck(rows[0])) return null;
  const numbers = first.map((name) => Number(/\d*$/.exec(name)?.[0] || NaN)), stems = first.map((name) => name.replace(/\d+$/, "")), order = every.filter((i) => named && numbers[i] >= 0).sort((a, b) => numbers[a] - numbers[b]);
  const numbered = [...new Set(stems)].map((stem) => order.filter((i) => stems[i] === stem)).filter((each) => each.length > 1 && numbers[each[0]] < 2 && each.every((i, j) => numbers[i] === numbers[each[0]] + j));
  const parts = rows.length < 2 ? [] : every.slice(0, MOST_BESIDE).flatMap((left) => every.slice(0, MOST_BESIDE).map((right) => every.slice(left, width - right)));
  const same = parts.filter((part) => part.length >= FEWEST && holdCards(rows, part)), decks = same.filter((part) => isDeck(part.map((i) => rows[0][i])));
  const byName = numbered.length && !(numbered.flat().length === width && holdCards(rows, every)), found = byName ? numbered : decks.length ? decks : same, [columns = []] = found;
  if (columns.length % width === 0) return null;
  const names = every.map((i) => (named ? first[i].slice(0, 40) : String(i + 1))), [one, other] = found.map((each) => `${names[each[0]]}–${names[each[each.length - 1]]}`);
  if (other) throw refusal("logTwo", { at, one, other });
  return { note: "noteTable", gaps: { one, others: few(names.filter((_, i) => !columns.includes(i))) }, read: (line) => {
    const row = named && line.trim() === header.trim() ? [] : cells(line, mark);
    return row.length > width ? null : columns.flatMap((i) => row[i] ?? []);
  } };
}

// Whether some columns of each row are a deck, of the same cards in all of them: words, or all numbers of a deck. A word
// that also stands in another column is there twice.
/** @type {(rows: string[][], columns: number[]) => boolean} */
function holdCards(rows, columns) {
  const parts = rows.map((row) => columns.map((i) => row[i])), [first] = parts, cards = new Set(first), { size } = cards;
  const twice = rows.some((row) => row.some((cell, i) => cards.has(cell) && !columns.includes(i) && !NUMBER.test(cell)));
  if (twice || size < first.length || cards.has("") || (allNumbers(first) && !isDeck(first))) return false;
  return parts.every((part, i) => rows[i].length === rows[0].length && new Set(part).size === size && part.every((card) => cards.has(card)));
}

/** @type {(shown: string[]) => Layout | null} */
function unparted(shown) {
  const runs = WAYS.map((way) => new RegExp(`^(${way}){2,}$`, "u")), at = runs.findIndex((run) => shown.slice(0, 2).every((line) => run.test(line.trim())));
  return at < 0 ? null : { note: "noteUnparted", read: (line) => (runs[at].test(line.trim()) ? line.match(new RegExp(WAYS[at], "gu")) : null) };
}
