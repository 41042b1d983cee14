// Misplaced a card? The heights that are there, the slips that explain them, and the way back to a card.

import { deal, host, labelsOf } from "./current.js";
import { $, button, complain, element, wholeNumber } from "./elements.js";
import { faultOf, openDialog } from "./dialogs.js";
import { shownGrid } from "./mat.js";
import { countsOf } from "./planner.js";
import { show } from "./screen.js";
import { explanations, wayBack } from "./slips.js";
import { startOf, stepAt } from "./stages.js";
import { goTo } from "./steps.js";
import { pieces, t } from "./texts.js";

const MOST_SLIPS = 3, HAND = "counted-hand";

// The list of this pass, and how many of its cards lie on the mat.
function here() {
  const { kind, number, index } = stepAt(deal, deal.at), list = deal.lists[number];
  return { number, list, pass: deal.plan.passes[number], dealt: kind === "card" ? index : kind === "open" ? 0 : list.length, stacked: kind !== "card" && kind !== "check" };
}

export function openMending() {
  const { list, dealt, stacked } = here(), { columns, rows } = shownGrid(), { labels, columns: all } = deal.task.mat;
  const counts = countsOf(list.slice(0, dealt), labels.length);
  /** @type {(id: string, label: string, count: number) => HTMLElement} */
  const field = (id, label, count) => element("label", [label, element("input", "", "", { id, type: "text", inputmode: "numeric", autocomplete: "off", value: count })]);
  const cells = labels.slice(0, rows * all).flatMap((label, space) => (space % all < columns ? [field(`counted-${space}`, label, counts[space])] : []));
  $("counted").replaceChildren(...($("turned").checked ? cells.reverse() : cells));
  $("counted").style.gridTemplateColumns = `repeat(${columns}, minmax(2rem, 1fr))`;
  $("in-hand").replaceChildren(field(HAND, t("inHand"), list.length - dealt));
  $("counting").hidden = stacked;
  $("slips").replaceChildren();
  complain("counted-error", [], "");
  $("wrong-card").value = Math.max(1, Math.min(dealt + 1, list.length));
  if (host.cost) {
    $("deal-anew").textContent = pieces([t("dealAnew"), host.cost(deal.task)]);
    $("deal-anew").hidden = deal.dealer > 0;
  }
  showWay();
  openDialog("wrong-dialog");
}

export function showSlips() {
  const { list, dealt } = here(), fields = [...$("counting").querySelectorAll("input")];
  const wrong = fields.find(({ id }) => wholeNumber(id, 0, deal.task.cards) === null);
  $("slips").replaceChildren();
  for (const each of fields) each.setAttribute("aria-invalid", String(each === wrong));
  if (!complain("counted-error", [], wrong ? faultOf(wrong.id, 0, deal.task.cards) : "")) return;
  const heights = deal.task.mat.labels.map((_, space) => ($(`counted-${space}`) ? wholeNumber(`counted-${space}`, 0, deal.task.cards) : 0));
  const slips = explanations(list, dealt, heights, deal.task.mat.columns, wholeNumber(HAND, 0, deal.task.cards));
  const changed = fields.filter((each) => each.value.trim() !== each.defaultValue);
  const title = slips.length > 1 ? t("slipGuess", { n: slips.length }) : slips[0]?.kind === "ahead" ? "" : t(slips.length ? "slipCertain" : "slipNone", { n: dealt });
  if (slips.length || changed.length > 1) $("slips").append(element("p", title), ...slips.slice(0, MOST_SLIPS).map(told));
}

/** @type {(slip: Slip) => HTMLElement} */
function told(slip) {
  const { list, dealt } = here(), { kind, card, space } = slip, text = element("p"), made = element("div", [text], "banner");
  if (kind === "ahead") {
    text.textContent = t("lastDealt", { label: labelsOf([list[dealt]])[0], n: dealt + 1 });
    made.append(button(`${t("goTo")} ${dealt + 2}`, () => goBack(dealt + 2, "")));
  } else if (card < 0) text.textContent = t(kind);
  else {
    const later = list.slice(card + 1, dealt), [where, own] = labelsOf([space, list[card]]);
    // From the top of its pile.
    const depth = (/** @type {number} */ at) => later.filter((each) => each === at).length + 1;
    text.textContent = t(kind, { n: card + 1, where, own, from: depth(space), to: depth(list[card]) });
    if (kind !== "misplaced") {
      const { take, next } = wayBack(list, dealt, slip);
      const way = takeBack(take);
      text.textContent += ` ${way}`;
      made.append(button(`${t("goTo")} ${next + 1}`, () => goBack(next + 1, way)));
    }
  }
  return made;
}

/** @type {(spaces: number[]) => string} */
function takeBack(spaces) {
  const where = t(here().pass.from === "bottom" ? "backUnder" : "backOnTop");
  return spaces.length ? `${t("takeBack", { n: spaces.length, from: pieces(labelsOf(spaces)) })} ${where}` : "";
}

// What to take back for the card typed.
export function showWay() {
  const { list, dealt, stacked } = here(), card = !stacked && wholeNumber("wrong-card", 1, list.length);
  complain("wrong-error", ["wrong-card"], "");
  $("way").textContent = card ? takeBack(list.slice(card - 1, dealt).reverse()) : "";
}

// The screen shows the way and the heights until the next step.
/** @type {(card: number, way: string) => void} */
function goBack(card, way) {
  $("wrong-dialog").close();
  goTo(startOf(deal, here().number) + card);
  deal.counting = way || " ";
  show();
}

/** @type {() => any} */
export function goToCard() {
  const { list } = here();
  if (!complain("wrong-error", ["wrong-card"], faultOf("wrong-card", 1, list.length))) return $("wrong-card").focus();
  goBack(wholeNumber("wrong-card", 1, list.length), $("way").textContent);
}
