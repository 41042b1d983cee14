// One question that the reader answers before the reveal. The answer is not in the address: whoever gets the link is
// to guess as well.

import { $, button } from "../../page/scripts/elements.js";

// `choices` are values with their texts, `right` the value that is true; `reveal` shows what the page knows.
/** @type {(choices: [string, string][], right: string, reveal: (chosen: string) => void, list?: any) => void} */
export function openPrediction(choices, right, reveal, list = $("answers")) {
  const chips = choices.map(([value, text]) => button(text, () => choose(value), "", { value, "aria-pressed": "false" }));
  list.replaceChildren(...chips);

  /** @type {(value: string) => void} */
  function choose(value) {
    for (const chip of chips) {
      chip.setAttribute("aria-pressed", String(chip.value === value));
      chip.toggleAttribute("data-right", chip.value === right);
    }
    reveal(value);
  }
}
