// What the builder (page/__init__.py) puts into every page, as the module built.js.

/** The keys of all texts, then the texts of each language. */
export const LINES: string[];
export const LANGUAGES: string[];
/** A deck: its name or the key of its name, cards, a sign; players and the cards of each where only hands are wanted. */
export type KnownDeck = [name: string, cards: number, sign?: string, players?: number, each?: number];
export const DECKS_KNOWN: Record<"tiles" | "more", KnownDeck[]>;
export const BUILD: { version: string; hash: string };
/** Of a page that explains: the pages before and after it, with their titles, by language; null if none lies beside it. */
export const BESIDE: Record<string, [address: string, title: string][]> | null;
/** Of pages that name others: titles and descriptions by language, then by name. */
export const PAGES: Record<string, Record<string, string>>;
export const ABOUT: Record<string, Record<string, string>>;
/** Of the overview: the pages of each group, and a small picture of each page that has one, as SVG. */
export const GROUPS: Record<string, string[]>;
export const PICTURES: Record<string, string>;

/** Of the page `packets`: every scheme by its name, as fairdeck/explore/packet_schemes.py makes it; and their titles, by language. */
export type Part = [packet: number, from: string, to: string];
export type Move = { kind: "~" | "!" | "", upper: Part[], lower: Part[] };
export type Flow = {
  cards: [number, number], players: [number, number], riffles: number, never: boolean, hands: string[], names: string[][],
  steps: Move[][], spread: string[][][], far: string[],
};
export const FLOWS: Record<string, Flow>;
export const TITLES: Record<string, Record<string, string>>;

/** Of the page `riffle`: how many riffles bring a deck within `target` of random, by its cards: of ideal hands, and of hands of each neatness. */
export const NEEDED: { target: number; neatness: number[]; ideal: Record<number, number>; riffles: Record<number, number[]>; bits: Record<number, number> };

/** Of the pages `together` and `two`: their way, and what may come when in it, as fairdeck/trust/states.json has it. */
export const WAY: string;
export const STATES: Record<string, Record<string, string>>;
export const ROLES: Record<string, Record<string, string>>;
