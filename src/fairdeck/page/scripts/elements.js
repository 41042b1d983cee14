// Short names for the page's elements.

const $ = (id) => document.getElementById(id);
const chosen = (name) => document.querySelector(`input[name=${name}]:checked`).value;
const element = (kind, text = "", className = "") => Object.assign(document.createElement(kind), { textContent: text, className });

function button(text, onClick, className = "") {
  const made = Object.assign(element("button", text, className), { type: "button" });
  made.addEventListener("click", onClick);
  return made;
}

// The heading takes the focus: it is read first, and nothing scrolls out of sight.
function openDialog(id) {
  $(id).showModal();
  changed();
  $(id).querySelector("h2").focus();
}

// Whole numbers only: 1e3 and 12.7 are mistakes, not numbers.
function wholeNumber(id, least, most) {
  const text = $(id).value.trim();
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  return value >= least && value <= most ? value : null;
}

// True if nothing is wrong.
function complain(id, fields, message) {
  $(id).textContent = message;
  for (const field of fields) $(field).setAttribute("aria-invalid", message ? "true" : "false");
  return !message;
}

function faultOf(id, what, least, most) {
  if (wholeNumber(id, least, most) !== null) return "";
  const typed = $(id).value.trim().slice(0, 20);
  return t("faultNumber", { what, typed, least, most });
}
