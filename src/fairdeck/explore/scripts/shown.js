// Numbers as people read them.

import { grouped } from "../../page/scripts/texts.js";

const SELDOM = 1e-12, RARE = 0.001;

// As an exponent.
/** @type {(number: number | string) => string} */
export const raised = (number) => String(number).replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]);

/** @type {(p: number) => string} */
function seldom(p) {
  const [digits, power] = p.toExponential(1).split("e-");
  return `= ${grouped(Number(digits))} · 10⁻${raised(power)}`;
}

/** @type {(p: number) => string} */
export const shownChance = (p) => (p < SELDOM ? "< 10⁻¹²" : p < RARE ? seldom(p) : `= ${grouped(Number(p.toFixed(3)))}`);

// To two places.
/** @type {(value: number) => string} */
export const shownPart = (value) => grouped(Math.round(value * 100) / 100);
