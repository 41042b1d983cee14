// What the scripts of the pages that explain hand each other, besides what page/scripts/types.d.ts has.

/** `below(n)`: a whole number from 0 to n - 1, for n up to 2^21. `real()`: a multiple of 2^-53 from 0 to 1, 1 not included. */
interface Draws { below: (bound: number) => number; real: () => number }

/** `bins` are equal parts of all orders; `places[place * cards + card]`; `sequences` is the sum of the decks' rising sequences. */
interface Counts { decks: number; bins: Int32Array; places: Float64Array; sequences: number }

/** What the tests of `evidence` find: the p-value of each, of all together, and the test of which the page speaks first. */
interface Evidence { tests: { cell: number, places: number | null, bins: number | null, sequences: number | null }; cell: number; shown: "cell" | "places" | "bins" | "sequences"; enough: boolean; p: number }

/** A card in a deck or a pile: it is there from one moment to another. */
interface Cell { card: number; arrive: number; leave: number }

/** A deck that a pass deals, or the piles that it makes; over when the pass is. */
interface Stage { pass: number; deck: number[]; piles: Map<number, number[]>; cells: Cell[]; over: number }

interface Move { pass: number; space: number; cards: number[]; index: number; stacked: boolean }

interface Story { stages: Stage[]; moves: Move[]; order: number[] }
