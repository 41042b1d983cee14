// What the builder (page/__init__.py) puts into every page, as the module built.js.

/** The keys of all texts, then the texts of each language, the last one first. */
export const LINES: string[];
export const LANGUAGES: string[];
export const DECKS_KNOWN: Record<"usual" | "games", [string, number][]>;
export const BUILD: { version: string; hash: string };
