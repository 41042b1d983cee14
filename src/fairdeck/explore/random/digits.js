// An order, its factorial digits and its rank, each from the others.

import { $, button, complain, element } from "../../page/scripts/elements.js";
import { language, t } from "../../page/scripts/texts.js";
import { keep, setting, slid } from "../scripts/chapters.js";
import { commandLine } from "../scripts/command.js";
import { fromLehmerCode, lehmerCode, rankOf, unrank } from "../scripts/ranks.js";
import { factorial } from "../scripts/whole_numbers.js";
import { readOrder } from "./arrangements.js";
import { drawnOrder, MOST_CARDS, written } from "./maps.js";

const MOST_WHEELS = 10;
/** @type {{ order: number[] }} */
const ranked = { order: [3, 1, 4, 0, 2] };

/** @type {(order: number[]) => void} */
function setOrder(order) {
  keep({ size: String(order.length), order: order.join(".") });
  readNumber();
}

/** @type {(by: bigint) => void} */
function stepRank(by) {
  const { order } = ranked, every = factorial(order.length);
  setOrder(unrank((rankOf(order) + by + every) % every, order.length));
}

export function openNumber() {
  $("before").addEventListener("click", () => stepRank(-1n));
  $("after").addEventListener("click", () => stepRank(1n));
  $("anyOrder").addEventListener("click", () => setOrder(drawnOrder(ranked.order.length)));
  $("order").addEventListener("change", () => {
    const order = readOrder($("order").value, MOST_CARDS);
    if (order) return setOrder(order);
    complain("orderFault", ["order"], t("orderFault"));
  });
  $("rank").addEventListener("change", () => {
    const digits = $("rank").value.replace(/[\s.,’']/g, ""), n = ranked.order.length;
    if (/^\d{1,68}$/.test(digits) && BigInt(digits) < factorial(n)) return setOrder(unrank(BigInt(digits), n));
    complain("rankFault", ["rank"], t("rankFault", { n }));
  });
}

export function readNumber() {
  const n = slid("size"), told = readOrder(setting("order"), MOST_CARDS);
  if (told?.length === n) ranked.order = told;
  else if (ranked.order.length !== n) ranked.order = drawnOrder(n);
  if (setting("order") && told?.length !== n) keep({ order: ranked.order.join(".") });
  const { order } = ranked, code = lehmerCode(order), rank = rankOf(order), every = factorial(n);
  complain("orderFault", ["order"], "");
  complain("rankFault", ["rank"], "");
  $("order").value = written(order);
  $("rank").value = rank.toLocaleString(language);
  $("rankName").textContent = t("rankName", { orders: every.toLocaleString(language) });
  $("mark").style.left = `${Number((rank * 10000n) / (every > 1n ? every - 1n : 1n)) / 100}%`;
  showWheels(code);
  $("formula").textContent = n > MOST_WHEELS ? "" : `${code.map((digit, place) => `${digit}·${n - 1 - place}!`).join(" + ")} = ${rank.toLocaleString(language)}`;
  $("command").replaceChildren(commandLine(`fairdeck rank ${written(order)}`));
}

// Each digit can be turned where there are few; the order follows.
/** @type {(code: number[]) => void} */
function showWheels(code) {
  const n = code.length, turns = n <= MOST_WHEELS, focused = [...$("digits").querySelectorAll("button")].indexOf(document.activeElement);
  const order = fromLehmerCode(code);
  $("digits").replaceChildren(...code.map((digit, place) => {
    const radix = n - place, shown = element("b", digit);
    /** @type {(by: number, sign: string, key: string) => any} */
    const turn = (by, sign, key) => {
      const next = () => setOrder(fromLehmerCode(code.map((each, i) => (i === place ? (each + by + radix) % radix : each))));
      return Object.assign(button(sign, next, "", { "aria-label": t(key, { place }) }), { disabled: radix === 1 });
    };
    if (!turns) return element("div", [shown], "wheel");
    return element("div", [turn(1, "▲", "digitUp"), shown, turn(-1, "▼", "digitDown"), element("small", `×${radix - 1}!`), element("span", t("wheelCard", { card: order[place] }))], "wheel");
  }));
  $("digits").classList.toggle("packed", !turns);
  if (focused >= 0) $("digits").querySelectorAll("button")[focused]?.focus();
}
