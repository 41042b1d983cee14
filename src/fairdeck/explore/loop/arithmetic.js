// n^n is no multiple of n!; and how uneven the shares of few cards are.

import { $, button, element } from "../../page/scripts/elements.js";
import { language, t, twoPlaces } from "../../page/scripts/texts.js";
import { unrank } from "../scripts/ranks.js";
import { slid } from "../scripts/settings.js";
import { raised } from "../scripts/shown.js";
import { factorial } from "../scripts/whole_numbers.js";
import { division, obviousCounts, primesTo } from "./paths.js";
import { namesOf } from "./walk.js";

const NAMED = 3;
/** @type {(n: number) => string} */
const power = (n) => n + raised(n);

export function readSum() {
  const n = slid("n"), { paths, orders, each, over } = division(n);
  /** @type {[string, bigint, string][]} */
  const rows = [[t("sumPaths", { power: power(n) }), paths, ""], [t("sumOrders", { n }), orders, ""], [t("sumEach"), each, ""], [t("sumOver"), over, over ? "over" : ""]];
  $("division").replaceChildren(...rows.map(([name, value, look]) => element("div", [element("dt", name), element("dd", value.toLocaleString(language))], look)));
  $("verdict").textContent = t(over ? "sumUnfair" : "sumFair");
  $("primesOf").textContent = t("primesOf", { n, power: power(n) });
  $("primes").replaceChildren(...primesTo(n).map((prime) => (
    element("li", [prime, n % prime > 0 && element("span", t("missing", { power: power(n) }), "unseen")], n % prime ? "" : "full")
  )));
  const prime = primesTo(n - 1).find((p) => (n - 1) % p === 0);
  $("reason").textContent = prime ? t("sumReason", { prime, less: n - 1, n, power: power(n) }) : t("sumTwo");
}

/** @type {{ few: number, bar: number }} */
const hills = { few: 0, bar: -1 };

export function readFour() {
  const few = slid("few");
  if (few === hills.few) return;
  Object.assign(hills, { few, bar: -1 });
  const counts = obviousCounts(few), paths = few ** few, fair = paths / counts.length, most = Math.max(...counts), least = Math.min(...counts);
  const orders = counts.map((_, rank) => namesOf(unrank(BigInt(rank), few)));
  $("fourLead").textContent = t("fourLead", { cards: few, paths, orders: Number(factorial(few)) });
  const bars = counts.map((count, rank) => {
    const name = t("hill", { order: orders[rank], n: count, paths, share: twoPlaces((100 * count) / paths), fair: twoPlaces(100 / counts.length) });
    const look = count === most ? "most" : count === least ? "least" : "", tabindex = counts.length > 24 ? -1 : 0;
    const bar = button("", () => { $("hill").textContent = name; }, look, { "aria-label": name, title: name, tabindex });
    const fill = element("i", [element("small", count)]);
    fill.style.height = `${(100 * count) / most}%`;
    bar.append(fill, element("span", counts.length > 24 ? "" : orders[rank]));
    return bar;
  });
  const line = element("s");
  line.style.bottom = `${(100 * fair) / most}%`;
  $("hills").replaceChildren(element("u", [line], "fair"), ...bars);
  $("hills").classList.toggle("many", counts.length > 24);
  $("hill").textContent = counts.length > 24 ? "" : t("hillTap");
  /** @type {(wanted: number) => string} */
  const listed = (wanted) => {
    const found = orders.filter((_, rank) => counts[rank] === wanted);
    return found.slice(0, NAMED).join(", ") + (found.length > NAMED ? ", …" : "");
  };
  $("extremes").textContent = t("extremes", { most, mostOrders: listed(most), least, leastOrders: listed(least), ratio: twoPlaces(most / least), fair: twoPlaces(fair) });
}
