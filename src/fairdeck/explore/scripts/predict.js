// One question that the reader answers before the reveal. The answer is not in the address: people who get the link
// guess as well. Before a class each tap is a vote, and the reveal waits for the teacher (see the page `class`).

import { $, button, element, one } from "../../page/scripts/elements.js";
import { recall } from "../../page/scripts/memory.js";
import { t } from "../../page/scripts/texts.js";

export const VOTES = "fairdeck-votes"; // in the storage of this tab: a projector's, for one lesson

// `choices` are values with their texts, `right` the value that is true; `reveal` shows what the page knows.
/** @type {(choices: [string, string][], right: string, reveal: (chosen: string) => void) => void} */
export function openPrediction(choices, right, reveal) {
  const votes = choices.map(() => 0), counts = recall(VOTES, "sessionStorage") === true;
  const chips = choices.map(([value, text], at) => button([text, counts && element("small", 0)], () => (counts ? vote(at) : choose(value)), "", { value, "aria-pressed": "false" }));
  $("answers").replaceChildren(...chips);
  one(".reveal-now")?.remove();
  // What most hands were raised for is the answer of the class.
  if (counts) $("answers").after(button(t("revealNow"), () => choose(choices[votes.indexOf(Math.max(...votes))][0]), "small-primary reveal-now"));

  /** @type {(at: number) => void} */
  function vote(at) {
    chips[at].lastChild.textContent = String(++votes[at]);
  }

  /** @type {(value: string) => void} */
  function choose(value) {
    for (const chip of chips) {
      chip.setAttribute("aria-pressed", String(chip.value === value));
      chip.toggleAttribute("data-right", chip.value === right);
    }
    reveal(value);
  }
}
