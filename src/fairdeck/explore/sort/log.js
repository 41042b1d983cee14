// Every array of a story as text, for checks by hand; each list begins at the bottom.

import { t } from "../../page/scripts/texts.js";

/** @type {(plan: Plan, stages: import("./story.js").Stage[], name: (card: number) => number, titles: string[], heading: string) => string} */
export function logOf(plan, stages, name, titles, heading) {
  const lines = [heading, t("logOrder")];
  stages.forEach(({ pass, deck, piles }, i) => {
    if (!piles.size) return lines.push("", `${titles[i]}: ${deck.map(name).join(" ")}`);
    lines.push("", titles[i], `${t("logTold")}: ${plan.passes[pass].deal.map((space) => plan.mat.labels[space]).join(" ")}`);
    return lines.push(...[...piles].map(([space, pile]) => `${plan.mat.labels[space]}: ${pile.map(name).join(" ")}`));
  });
  return lines.join("\n");
}
