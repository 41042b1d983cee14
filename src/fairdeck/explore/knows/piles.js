// What everybody sees of a deal: how high the piles are, and how they are gathered.

import { $, button, element } from "../../page/scripts/elements.js";
import { t, twoPlaces } from "../../page/scripts/texts.js";
import { keep, picked, setting, slid } from "../scripts/chapters.js";
import { anyBelow } from "./chance.js";
import { bitsTold, nameOf, viewsOf } from "./knowing.js";

const LISTED = 12;
/** @type {ReturnType<typeof viewsOf>} */
let views = [];
let counted = "", dealtNow = 0;

export function openPiles() {
  $("next").addEventListener("click", () => show((dealtNow + 1 + anyBelow(views.length - 1)) % views.length));
}

/** @type {(at: number) => void} */
function show(at) {
  keep({ dealt: nameOf(views[at].order) });
  readPiles();
}

export function readPiles() {
  const n = slid("size"), keys = picked("keys"), asked = `${n} ${keys}`;
  if (asked !== counted) {
    counted = asked;
    views = viewsOf(n, keys === "classic");
    showGroups();
  }
  // Whatever was shown of another number of cards, an order from the middle is as good as any.
  dealtNow = views.findIndex(({ order }) => nameOf(order) === setting("dealt"));
  if (dealtNow < 0) dealtNow = Math.floor(views.length * 0.45);
  const { order, passes, seen } = views[dealtNow], like = views.filter((view) => view.seen === seen).map((view) => nameOf(view.order));
  $("dealt").textContent = t("dealtNow", { order: nameOf(order) });
  $("passes").replaceChildren(...passes.map((pass, i) => passShown(pass, i + 1, passes.length)));
  const named = like.length > LISTED ? "" : ` ${like.join(" ")}`;
  $("alike").textContent = t("group", { number: like.length, all: views.length }) + named;
  for (const group of $("groups").children) group.setAttribute("aria-pressed", String(group.dataset.seen === seen));
}

/** @type {(pass: Pass, number: number, passes: number) => HTMLElement} */
function passShown({ counts, stack, from }, number, passes) {
  const piles = counts.map((height, space) => element("div", [Array.from({ length: height }, () => element("i")), element("small", `A${space + 1}`)]));
  return element("div", [
    element("h3", t("passOf", { number, passes })), element("div", piles, "piles", { role: "img", "aria-label": counts.map((height, space) => `A${space + 1}: ${height}`).join(", ") }),
    element("p", t("gathered", { piles: stack.map((space) => `A${space + 1}`).reverse().join(", ") })), element("p", from ? t("fromBottom") : ""),
  ], "pass");
}

function showGroups() {
  const groups = new Map();
  views.forEach(({ seen }, at) => groups.set(seen, [...(groups.get(seen) || []), at]));
  $("groups").replaceChildren(...[...groups].sort((a, b) => b[1].length - a[1].length).map(([seen, members]) => (
    button(members.map(() => element("i")), () => show(members[0]), "", { "data-seen": seen, "aria-label": t("group", { number: members.length, all: views.length }) })
  )));
  const bits = bitsTold(views.map(({ seen }) => seen)), piles = bitsTold(views.map((view) => view.piles));
  $("told").textContent = t("toldMuch", { bits: twoPlaces(bits), total: twoPlaces(Math.log2(views.length)) });
  $("more").textContent = bits ? t("toldBit", { piles: twoPlaces(piles) }) : "";
}
