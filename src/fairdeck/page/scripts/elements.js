// Short names for the page's elements.

/** @type {(id: string) => any} */
export const $ = (id) => document.getElementById(id);
// The first element of a selector, or null.
/** @type {(selector: string) => any} */
export const one = (selector) => document.querySelector(selector);
/** @type {(name: string) => string} */
export const chosen = (name) => one(`input[name=${name}]:checked`).value;
/** @type {(kind: string, text?: any, className?: string) => any} */
export const element = (kind, text = "", className = "") => Object.assign(document.createElement(kind), { textContent: text, className });

/** @type {(value: string, text: string) => HTMLElement} */
export const option = (value, text) => Object.assign(element("option", text), { value });

/** @type {(text: string, onClick: () => void, className?: string) => any} */
export function button(text, onClick, className = "") {
  const made = Object.assign(element("button", text, className), { type: "button" });
  made.addEventListener("click", onClick);
  return made;
}

// A whole number or null: 1e3 and 12.7 are mistakes, not numbers.
/** @type {(id: string, least: number, most: number) => any} */
export function wholeNumber(id, least, most) {
  const text = $(id).value.trim();
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  return value >= least && value <= most ? value : null;
}

// True if nothing is wrong.
/** @type {(id: string, fields: string[], message: string) => boolean} */
export function complain(id, fields, message) {
  $(id).textContent = message;
  for (const field of fields) $(field).setAttribute("aria-invalid", message ? "true" : "false");
  return !message;
}

/** @type {(width: number, height: number, paths: string[], className: string) => SVGElement} */
export function svg(width, height, paths, className) {
  const space = "http://www.w3.org/2000/svg", made = document.createElementNS(space, "svg");
  made.setAttribute("viewBox", `0 0 ${width} ${height}`);
  made.setAttribute("class", className);
  made.setAttribute("aria-hidden", "true");
  for (const data of paths) {
    const path = document.createElementNS(space, "path");
    path.setAttribute("d", data);
    made.append(path);
  }
  return made;
}
