// What the builder (page/__init__.py) puts into every page, as the module built.js.

/** Every text by its key, in each of the languages. */
export const WORDS: Record<string, string[]>;
export const LANGUAGES: string[];
export const DECKS_KNOWN: Record<"usual" | "games", [string, number][]>;
export const BUILD: { version: string; hash: string };
