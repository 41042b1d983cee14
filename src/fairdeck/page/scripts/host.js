// What differs between the whole page and that of one deal: app.js or one.js fills it in.

/** @type {any} */
const unfilled = {};
/** @type {Host} */
export const host = unfilled;
