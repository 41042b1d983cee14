// The end of a deal: what has just happened.

import { deal, host } from "./current.js";
import { $, element } from "./elements.js";
import { COLOURS } from "./mat.js";
import { pieces, t } from "./texts.js";

/** @type {Record<string, string>} */
const FAIR = { deck: "fairDeck", top: "fairTop", hands: "fairHands" };

/** @type {(say: (label: string, look: Say) => void) => [string, number]} */
export function doneScreen(say) {
  if (deal.dealer) {
    say(t("partDealt"), { words: true, note: `${t("waitReady")} ${host.ending(deal)}` });
    $("mat").replaceChildren();
    $("mat").setAttribute("aria-label", t("partDealt"));
    return ["", 1];
  }
  const [kind, n] = deal.plan.goal.split(":"), minutes = Math.round(deal.spent / 60);
  const figures = pieces([t("nCards", { n: deal.task.cards }), t("nPasses", { n: deal.plan.passes.length }), minutes ? t("aboutMinutes", { n: minutes }) : t("underMinute")]);
  // The page does not vouch for an order drawn elsewhere.
  const about = deal.foreign ? (kind === "top" ? `${t("topCards")}: ${n}. ` : "") + t("foreign")
    : t(FAIR[kind], { n: Number(n) });
  say(t(kind === "hands" ? "handsDealt" : "shuffled"), { words: true, note: `${about} ${host.ending(deal)}` });
  $("mat").replaceChildren(fan(), element("p", figures, "figures"));
  $("mat").setAttribute("aria-label", figures);
  return [t("done"), 1];
}

const fan = () => element("p", Array.from({ length: 13 }, (_, card) => {
  const one = element("i", "", `row${card % COLOURS}`);
  one.style.setProperty("--turn", `${(card - 6) * 7}deg`);
  return one;
}), "fan");
