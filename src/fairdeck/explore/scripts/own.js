// What is a person's own where all secrets together make the decks: a secret alone. The page `two` has a module of this
// name, for draws in which everybody deals by an order of their own.

/** @type {(agreement: Agreement) => number} */
export const ownSize = () => 32;
/** @type {(agreement: Agreement, person: number, secret: Uint8Array, below: Below) => Uint8Array} */
export const ownDrawn = (_, __, secret) => secret;
/** @type {(agreement: Agreement, person: number, own: Uint8Array) => boolean} */
export const isOwn = () => true;
/** @type {(agreed: Omit<Agreement, "written" | "digest">) => boolean} */
export const isOfWay = ({ way, deals, start }) => way === "seed" && deals.length === 1 && start === "same";
