// Drawn together: seals, numbers, and what dishonest people can do about the sum.

import { $, button, element } from "../../page/scripts/elements.js";
import { language, t } from "../../page/scripts/texts.js";
import { keep, setting, slid } from "../scripts/chapters.js";
import { anyBelow } from "./chance.js";
import { allOrders, decideAlone, nameOf, PEOPLE, sharesOf, SUMS } from "./knowing.js";

const RANKED = allOrders(3).map(nameOf);
const common = { liars: [false, false, true], sealed: true, wanted: [0], voids: 0 };
// One draw before the reader's eyes. `shown` is what stands beside each name; `half`: not all numbers are shown yet.
const attempt = { numbers: /** @type {number[]} */ ([]), shown: PEOPLE.map(() => "–"), half: false, gone: 0, isVoid: false, said: "" };

export function openCommon() {
  $("people").append(...PEOPLE.map((name, person) => element("div", [
    element("b", name), button("", () => change({ liars: common.liars.map((lies, other) => Number(lies !== (other === person))).join("") })), element("span", "", "number"),
  ], "person")));
  $("sealing").addEventListener("click", () => change({ seals: common.sealed ? "no" : "" }));
  $("step").addEventListener("click", stepOn);
  $("shares").append(...RANKED.map((name, rank) => button([element("small"), element("i"), element("span", rank), element("b", name)], () => {
    const wanted = common.wanted.includes(rank) ? common.wanted.filter((other) => other !== rank) : [...common.wanted, rank];
    change({ wanted: wanted.sort().join("") || "0" });
  })));
}

/** @type {(values: Record<string, string>) => void} */
function change(values) {
  keep(values);
  readCommon();
}

export function readCommon() {
  const liars = setting("liars"), wanted = setting("wanted"), before = JSON.stringify(common);
  common.liars = (/^[01]{3}$/.test(liars) ? [...liars] : [..."001"]).map((digit) => digit === "1");
  common.wanted = /^(?!.*(.).*\1)[0-5]{1,6}$/.test(wanted) ? [...wanted].map(Number) : [0];
  common.sealed = setting("seals") !== "no";
  common.voids = slid("voided");
  if (JSON.stringify(common) !== before) Object.assign(attempt, { shown: PEOPLE.map(() => "–"), half: false, gone: 0, isVoid: false, said: "" });
  showCommon();
}

// --- one draw

function stepOn() {
  const { liars, sealed } = common, last = liars.lastIndexOf(true), alone = decideAlone(liars.filter(Boolean).length, sealed);
  if (attempt.half) showNumbers(last, alone);
  else {
    const numbers = PEOPLE.map(() => anyBelow(SUMS)), shown = numbers.map((number, person) => (sealed ? "●" : liars[person] ? "?" : String(number)));
    // Who sees all other numbers first, or agrees with all others, makes the sum.
    if (alone) numbers[last] = makesSum(numbers, last, common.wanted[anyBelow(common.wanted.length)]);
    Object.assign(attempt, { numbers, shown, half: true, gone: attempt.isVoid ? attempt.gone : 0, isVoid: false, said: t(sealed ? "saidSealed" : "saidOpen") });
    if (!sealed && last < 0) showNumbers(last, alone);
  }
  showCommon();
}

/** @type {(numbers: number[], person: number, rank: number) => number} */
const makesSum = (numbers, person, rank) => (rank + SUMS * PEOPLE.length - numbers.reduce((all, number, other) => all + (other === person ? 0 : number), 0)) % SUMS;

/** @type {(last: number, alone: boolean) => void} */
function showNumbers(last, alone) {
  const { wanted, voids } = common, { numbers, gone } = attempt, sum = numbers.reduce((all, number) => all + number, 0), rank = sum % SUMS, order = RANKED[rank];
  attempt.half = false;
  attempt.isVoid = last >= 0 && !alone && gone < voids && !wanted.includes(rank);
  attempt.shown = numbers.map((number, person) => (attempt.isVoid && person === last ? "●" : String(number)));
  if (attempt.isVoid) attempt.gone++;
  attempt.said = attempt.isVoid ? t("saidVoid", { gone: attempt.gone, order, name: PEOPLE[last] }) : `${numbers.join(" + ")} = ${sum}. ${t("saidSum", { rank, order })}`;
}

// --- what one sees

function showCommon() {
  const { liars, sealed, wanted, voids } = common, count = liars.filter(Boolean).length, alone = decideAlone(count, sealed);
  [...$("people").children].forEach((box, person) => {
    const [, toggle, number] = /** @type {any} */ (box.children);
    toggle.textContent = t(liars[person] ? "dishonest" : "honest");
    toggle.setAttribute("aria-label", `${PEOPLE[person]}: ${toggle.textContent}`);
    box.className = liars[person] ? "person liar" : "person";
    number.textContent = attempt.shown[person];
  });
  $("sealing").setAttribute("aria-pressed", String(sealed));
  $("step").textContent = t(attempt.half ? "showNumbers" : "drawOnce");
  $("drawnSaid").textContent = attempt.said;
  const shares = sharesOf(count, sealed, wanted, voids);
  [...$("shares").children].forEach((bar, rank) => {
    const [share, height] = /** @type {any} */ (bar.children);
    share.textContent = percent(shares[rank]);
    height.style.height = `${100 * shares[rank]}%`;
    bar.setAttribute("aria-pressed", String(wanted.includes(rank)));
  });
  const hopes = !alone && count > 0, share = wanted.length / SUMS, had = 1 - (1 - share) ** (voids + 1);
  $("shareSaid").textContent = alone ? t("unequal") : hopes && voids ? "" : t("allEqual");
  $("leaving").hidden = !hopes;
  $("voidSaid").textContent = t("voidChance", { wanted: wanted.length, p: percent(share), formula: `1\u00a0−\u00a0(1\u00a0−\u00a0${wanted.length}/${SUMS})${"⁰¹²³⁴⁵⁶"[voids + 1]}`, share: percent(had) });
}

/** @type {(share: number) => string} */
const percent = (share) => share.toLocaleString(language, { style: "percent", maximumFractionDigits: 1 });
