// A field to choose a shuffle, and how many times hands do it.

import { element, option } from "../../page/scripts/elements.js";
import { t } from "../../page/scripts/texts.js";
import { BY_HAND, recipeOf, SHUFFLES } from "./shuffles.js";

const MOST_TIMES = 99;
export const NONE = "none";

// `others` are choices besides the shuffles, first or last; `recipe()` is one of them, or a recipe such as riffle*7.
/** @type {(label: string, others: { first?: [string, string], last?: [string, string] }, changed: () => void) => { nodes: HTMLElement[], recipe: () => string, choose: (given: string, usual: string) => void }} */
export function makeChooser(label, { first, last }, changed) {
  const shuffles = Object.entries(SHUFFLES).map(([name, { says }]) => option(name, t(says)));
  const chosen = element("select", [first && option(...first), shuffles, last && option(...last)], "", { "aria-label": label });
  const times = element("input", "", "", { type: "text", inputmode: "numeric", autocomplete: "off", value: 1 }), many = element("label", [t("times"), times], "own");
  const adapt = () => { many.hidden = !BY_HAND.includes(chosen.value); };
  chosen.addEventListener("change", () => {
    adapt();
    changed();
  });
  times.addEventListener("change", () => {
    times.value = String(timesIn(times.value));
    changed();
  });
  return {
    nodes: [chosen, many],
    recipe: () => (many.hidden || times.value === "1" ? chosen.value : `${chosen.value}*${times.value}`),
    choose(given, usual) {
      const known = recipeOf(given);
      chosen.value = known ? known.name : given;
      if (!chosen.value) chosen.value = usual;
      times.value = String(known ? timesIn(String(known.times)) : 1);
      adapt();
    },
  };
}

/** @type {(typed: string) => number} */
const timesIn = (typed) => (/^\d{1,3}$/.test(typed) ? Math.min(MOST_TIMES, Math.max(1, Number(typed))) : 1);
