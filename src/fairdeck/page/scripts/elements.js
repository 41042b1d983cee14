// Short names for the page's elements.

/** @type {(id: string) => any} */
export const $ = (id) => document.getElementById(id);
// The first element of a selector, or null.
/** @type {(selector: string) => any} */
export const one = (selector) => document.querySelector(selector);
/** @type {(name: string) => string} */
export const chosen = (name) => one(`input[name=${name}]:checked`).value;
// The content is a text, or a list of texts and elements; false parts are left out.
/** @type {(kind: string, content?: any, className?: string, attributes?: Record<string, any>) => any} */
export function element(kind, content = "", className = "", attributes = {}) {
  const made = Object.assign(document.createElement(kind), { className });
  made.append(...[content].flat(2).filter((part) => part || part === 0));
  return withAttributes(made, attributes);
}

/** @type {(made: any, attributes: Record<string, any>) => any} */
function withAttributes(made, attributes) {
  for (const name in attributes) made.setAttribute(name, attributes[name]);
  return made;
}

/** @type {(value: string, text: string) => HTMLElement} */
export const option = (value, text) => element("option", text, "", { value });

/** @type {(content: any, onClick: () => void, className?: string, attributes?: Record<string, any>) => any} */
export function button(content, onClick, className = "", attributes = {}) {
  const made = element("button", content, className, { type: "button", ...attributes });
  made.onclick = onClick;
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
  /** @type {(kind: string) => any} */
  const drawn = (kind) => document.createElementNS("http://www.w3.org/2000/svg", kind);
  const made = withAttributes(drawn("svg"), { viewBox: `0 0 ${width} ${height}`, class: className, "aria-hidden": true });
  made.append(...paths.map((d) => withAttributes(drawn("path"), { d })));
  return made;
}
