// The words of the page: the builder sets WORDS, {key: [its text in each of LANGUAGES]}.
let language = "en";

// The text `key`, with {names} filled in; of "one|many" the form that fits the number n.
function t(key, values = {}) {
  const forms = WORDS[key][LANGUAGES.indexOf(language)].split("|");
  const one = language === "fr" ? values.n < 2 : values.n === 1;
  return forms[forms.length > 1 && !one ? 1 : 0].replace(/\{(\w+)\}/g, (_, name) => grouped(values[name]));
}

const grouped = (value) => (typeof value === "number" ? value.toLocaleString(language) : value);
const twoPlaces = (value) => value.toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

function languageFor(chosen) {
  const wishes = [chosen, ...(navigator.languages || [navigator.language])];
  return wishes.map((wish) => String(wish).slice(0, 2)).find((wish) => LANGUAGES.includes(wish)) || "en";
}

function translate(chosen) {
  language = chosen;
  document.documentElement.lang = language;
  document.title = `fairdeck: ${t("title")}`;
  for (const node of document.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  for (const node of document.querySelectorAll("[data-t-aria]")) node.setAttribute("aria-label", t(node.dataset.tAria));
  for (const node of document.querySelectorAll("[data-t-placeholder]")) node.placeholder = t(node.dataset.tPlaceholder);
}
