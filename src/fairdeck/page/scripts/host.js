// What differs between the whole page (app.js) and the page of one deal (one.js); each fills it in.

/** @type {any} */
const unfilled = {};
/** @type {Host} */
export const host = unfilled;
