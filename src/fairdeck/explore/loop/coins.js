// One of n from bits: patterns that name no number are thrown away; beside it, what the remainder does instead.

import { $, element } from "../../page/scripts/elements.js";
import { sum } from "../../page/scripts/planner.js";
import { t, twoPlaces } from "../../page/scripts/texts.js";
import { slid } from "../scripts/chapters.js";
import { drawing } from "../scripts/device.js";
import { fairLine, hill } from "./arithmetic.js";
import { bitsFor } from "./paths.js";

const MANY = 1000, HIGHEST = 2.1;
// The patterns drawn, how many of them were thrown away, the counts of both ways, and the patterns of the last draw.
const coins = { sides: 0, drawn: 0, thrown: 0, kept: /** @type {number[]} */ ([]), folded: /** @type {number[]} */ ([]), last: /** @type {number[]} */ ([]) };

export function openCoins() {
  $("one").addEventListener("click", () => flip(1));
  $("many").addEventListener("click", () => flip(MANY));
  $("none").addEventListener("click", () => clearCoins(coins.sides));
}

/** @type {(sides: number) => void} */
function clearCoins(sides) {
  Object.assign(coins, { sides, drawn: 0, thrown: 0, kept: Array(sides).fill(0), folded: Array(sides).fill(0), last: [] });
  showCoins();
}

/** @type {(times: number) => void} */
function flip(times) {
  const { sides, kept, folded } = coins, bits = bitsFor(sides);
  drawing((_, words) => {
    for (let time = 0; time < times; time++) {
      coins.last = [];
      for (let pattern = sides; pattern >= sides;) {
        pattern = words() >>> (32 - bits);
        coins.last.push(pattern);
        coins.drawn++;
        folded[pattern % sides]++;
        pattern < sides ? kept[pattern]++ : coins.thrown++;
      }
    }
  });
  showCoins();
}

export function readBits() {
  const sides = slid("sides"), bits = bitsFor(sides), patterns = 2 ** bits, n = patterns - sides;
  $("needed").textContent = t(n ? "bitsSome" : "bitsNone", { n, bits, patterns, sides, share: twoPlaces((100 * n) / patterns) });
  $("patterns").replaceChildren(...Array.from({ length: patterns }, (_, pattern) => {
    const isKept = pattern < sides;
    return element("div", [element("code", pattern.toString(2).padStart(bits, "0")), element("b", isKept ? pattern : "✗")], isKept ? "" : "thrown");
  }));
  $("patterns").classList.toggle("dense", bits > 4);
  $("foldedTitle").textContent = n ? t("foldedTitle", { n, sides, last: n - 1 }) : t("foldedFair", { sides });
  if (sides !== coins.sides) clearCoins(sides);
  else showCoins();
}

function showCoins() {
  const { sides, drawn, thrown, kept, folded, last } = coins, bits = bitsFor(sides);
  [...$("patterns").children].forEach((cell, pattern) => cell.classList.toggle("now", last.includes(pattern)));
  /** @type {(pattern: number) => string} */
  const written = (pattern) => pattern.toString(2).padStart(bits, "0") + (pattern < sides ? "" : " ✗");
  $("drawn").textContent = last.length ? t("coinsDrew", { patterns: last.map(written).join(", "), number: last[last.length - 1] }) : t("coinsStart");
  for (const [id, counts] of /** @type {[string, number[]][]} */ ([["kept", kept], ["folded", folded]])) {
    const all = sum(counts) || 1;
    $(id).replaceChildren(fairLine(1 / HIGHEST), ...counts.map((count, number) => hill(element("div"), (count * sides) / all / HIGHEST, String(number), sides > 12 ? "" : String(count))));
    $(id).classList.toggle("many", sides > 12);
  }
  const share = twoPlaces(drawn ? (100 * thrown) / drawn : 0), expected = twoPlaces(100 - (100 * sides) / 2 ** bits);
  $("counted").textContent = t("coinsCounted", { numbers: drawn - thrown, drawn, thrown, share, expected });
}
