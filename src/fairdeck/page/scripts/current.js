// The deal on the screen, its view, and its page.

import { chosen } from "./elements.js";
import { stepAt } from "./stages.js";
import { t } from "./texts.js";

// What stands for no deal.
/** @type {any} */
export const none = null;
/** @type {OpenDeal} */
export let deal = none;

/** @type {(other: any) => void} */
export const setDeal = (other) => { deal = other; };

export const GROUP = 5;
// After a way back, the view that shows heights.
export const view = () => (deal?.counting && chosen("view") !== "group" ? "single" : chosen("view"));
/** @type {(spaces: number[]) => string[]} */
export const labelsOf = (spaces) => spaces.map((space) => deal.task.mat.labels[space]);
// Cards are turned in the first pass.
/** @type {(number: number, card: number) => boolean} */
export const isTurned = (number, card) => !number && !!deal.turn[card];
/** @type {(number: number, card: number) => string} */
export const turnLook = (number, card) => (isTurned(number, card) ? " turn" : "");
// What is said for some cards of a pass.
/** @type {(number: number, first: number, end?: number) => string[]} */
export const called = (number, first, end = first + 1) => labelsOf(deal.lists[number].slice(first, end)).map((label, i) => (isTurned(number, first + i) ? `${label} ${t("turnIt")}` : label));
/** @type {(list: number[], card: number) => boolean} */
export const isAgain = (list, card) => card > 0 && list[card] === list[card - 1];
export const isDone = () => stepAt(deal, deal.at).kind === "done";

// What differs between the whole page and that of one deal: app.js or one.js fills it in.
/** @type {any} */
const unfilled = {};
/** @type {Host} */
export const host = unfilled;
