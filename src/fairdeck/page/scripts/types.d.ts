// What the scripts hand each other. Position 0 is the bottom of a deck, the last the top; spaces count from 0, row by row.

interface Mat { columns: number; rows: number; labels: string[] }

/** `piles` are the sizes of the hands, and of a rest; the `loose` lowest cards of what is gathered need no order. `parts` are
 * sizes from the top: each part has one special card. */
interface Goal { text: string; piles: number[]; loose: number; parts?: number[] }

interface Task { cards: number; mat: Mat; goal: Goal; dealers: number; leastPasses: number; classic: boolean; bottom: string; turn?: boolean }

/** A task of which only the size of the mat matters. */
type TaskOnGrid = Omit<Task, "mat"> & { mat: Grid };
interface Grid { columns: number; rows: number }

interface Pass { deal: number[]; stack: number[]; counts: number[]; from?: string; packets?: number[]; turn?: number[] }

interface Plan { format: string; cards: number; mat: Mat; dealers: number; goal: string; passes: Pass[] }

/** How many piles each pass makes, and whether the first one deals from the bottom. */
interface Shape { radices: number[]; fromBottom: boolean }

interface LikelyShape extends Shape { key: string; chance: number }

interface Advice { passes: number; spaces: number; tallest: number; minutes: number; chanceOfOneMorePass: number }

interface Suggestion extends Grid { passes: number; spaces: number }

/** Uniform 32-bit words, one a call. */
type Words = () => number;

/** An integer from 0 to below the bound, each equally likely. */
type Below = (bound: number) => number;

/** A deal; `at` counts the steps done. The lists and heights are those of one dealer. */
interface Deal { task: Task; order: number[]; turn: number[]; plan: Plan; dealer: number; at: number; lists: number[][]; heights: number[][] }

/** A deal on the screen. `taken` gives the slot that it is kept in, null where nothing can be kept; times are seconds.
 * `kept` and `gone` (its order is deleted from the device) are undefined until that is known. */
interface OpenDeal extends Deal {
  begun: number; spent: number; last: number; slot: string; taken: Promise<Slot | null>; taker?: number; count?: number;
  owned: boolean; kept?: boolean; foreign?: boolean; linked?: boolean; stopped?: boolean; older?: boolean; resumed?: boolean; counting?: string; lesson?: { picture: string; way: (order: number[]) => number[][] }; gone?: boolean;
}

/** What people agree on before they draw together; `written` is what every hash holds, `beacon` as it is written there. */
interface Agreement {
  way: string; deals: Task[]; people: string[]; session: Uint8Array; decks: number; names: string[]; start: string; called: string[]; attempt: number;
  before: Uint8Array; deadline: string; beacon: Uint8Array; note: string; written: Uint8Array; digest: Uint8Array;
}

/** What one device knows of a draw: -1 for `me` until somebody said who they are; null for what has not come yet. `voids`: as a transcript has them. */
interface CommonDraw {
  agreement: Agreement; me: number; collects: boolean; own: Uint8Array | null; state: string;
  commitments: (Uint8Array | null)[]; owns: (Uint8Array | null)[]; voids: any[];
}

type Kind = "open" | "card" | "check" | "join" | "hands" | "gather" | "done";

/** The index counts the steps of one kind in a pass. */
interface Step { kind: Kind; number: number; index: number }
interface ShownStep extends Step { pass: Pass }

/** `card` is its place in the list, -1 if no card is to blame; the space where it lies, or should. */
interface Slip { kind: string; card: number; space: number }

/** What is kept of a deal besides its code. */
interface KeptStep {
  begun?: number; at: number; spent: number; count?: number; foreign?: boolean; linked?: boolean; stopped?: boolean; older?: boolean;
}
interface Slot { taker: number; step: KeptStep | null; code?: Blob | string }

interface Fields { texts: string[]; checks: string[]; choices: string[] }

interface Host {
  screens: Record<string, () => void>;
  fields: Fields;
  slotNow: () => string;
  lookAgain: (ownerLives?: boolean) => Promise<any>;
  rememberStep: (mine: OpenDeal, stopped: boolean) => void;
  endDeal: (over: OpenDeal) => any;
  ending: (over: OpenDeal) => string;
  finish: () => any;
  openPage: (fragment?: string) => any;
  rememberSettings: () => void;
  hint?: (step: Step) => void;
  cost?: (task: Task) => string;
  given?: boolean;
}

interface OwnDeck { name: string; settings: Record<string, any> }


interface MatLook {
  now?: number[]; then?: number | null; gone?: number[]; piles?: number[]; heights?: number[] | null; add?: number[]; sums?: boolean; turns?: number[];
  dealt?: number;
}

/** What `say` shows beside the label. */
interface Say {
  words?: boolean; coming?: HTMLElement[]; look?: string; note?: string; space?: number | null; again?: any; mat?: boolean; aloud?: string | null;
}

/** A version of QR codes: the modules drawn, the places of the codewords, and how many of them are checks. */
interface Layout { version: number; grid: number[][]; places: number[][]; checks: number; blocks: number; room: number }

/** Newer than the checker's own list of what browsers offer. */
interface Navigator { wakeLock?: any; userActivation?: any }
