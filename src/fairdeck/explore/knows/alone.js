// One device: it knows how it moves every card, but not where the cards lay before.

import { RIFFLED } from "../../page/scripts/built.js";
import { $, button, element, svg } from "../../page/scripts/elements.js";
import { grouped, t } from "../../page/scripts/texts.js";
import { keep, setting, slid } from "../scripts/chapters.js";
import { anyBelow } from "./chance.js";
import { allOrders, movedBy, nameOf, possibleResults, riggedMove } from "./knowing.js";

const FEW = 4, ALL = allOrders(FEW), FIRST_MOVE = 10, COLUMN = 100, HIGH = 50;
const sole = { move: FIRST_MOVE, known: [true, false, false, false], rigged: false };

export function openAlone() {
  $("start").append(...sole.known.map((_, place) => button("", () => know(sole.known.map((knows, other) => knows !== (other === place))))));
  $("knowsAll").addEventListener("click", () => know(sole.known.map(() => true)));
  $("knowsNone").addEventListener("click", () => know(sole.known.map(() => false)));
  $("rigged").addEventListener("click", () => again({ rigged: sole.rigged ? "" : "1" }));
  $("other").addEventListener("click", () => again({ move: String((sole.move + 1 + anyBelow(ALL.length - 1)) % ALL.length) }));
  $("possible").append(...ALL.map((order) => element("span", nameOf(order))));
}

/** @type {(known: boolean[]) => void} */
const know = (known) => again({ known: known.map(Number).join("") });

/** @type {(values: Record<string, string>) => void} */
function again(values) {
  keep(values);
  readAlone();
}

export function readAlone() {
  const move = setting("move"), known = setting("known");
  sole.move = /^\d{1,2}$/.test(move) && Number(move) < ALL.length ? Number(move) : FIRST_MOVE;
  sole.known = /^[01]{4}$/.test(known) ? [...known].map((digit) => digit === "1") : [true, false, false, false];
  sole.rigged = setting("rigged") === "1";
  showDevice();
  const points = 100 * RIFFLED[slid("riffled")];
  $("edge").value = points;
  $("edgeSaid").textContent = t("edge", { points: grouped(Number(points.toPrecision(2))) });
}

function showDevice() {
  const { known, rigged } = sole, move = rigged ? riggedMove(ALL[sole.move], known) : ALL[sole.move];
  const seen = known.map((knows, place) => (knows ? place : null)), results = possibleResults(move, known), names = results.map(nameOf);
  [...$("start").children].forEach((card, place) => {
    card.textContent = nameOf([seen[place]]);
    card.className = known[place] ? "card sure" : "card";
    card.setAttribute("aria-pressed", String(known[place]));
    card.setAttribute("aria-label", `${place + 1}: ${nameOf([place])}`);
  });
  const after = movedBy(seen, move);
  $("end").replaceChildren(...after.map((card) => element("span", nameOf([card]), card === null ? "card" : "card sure")));
  $("end").setAttribute("aria-label", `${t("after")}: ${nameOf(after)}`);
  const paths = move.map((from, to) => `M${COLUMN * (from + 0.5)} 0C${COLUMN * (from + 0.5)} ${HIGH / 2} ${COLUMN * (to + 0.5)} ${HIGH / 2} ${COLUMN * (to + 0.5)} ${HIGH}`);
  const drawn = svg(COLUMN * FEW, HIGH, paths, "");
  drawn.setAttribute("preserveAspectRatio", "none");
  [...drawn.children].forEach((path, to) => path.setAttribute("class", after[to] === null ? "" : "sure"));
  $("lines").replaceChildren(drawn);
  $("rigged").setAttribute("aria-pressed", String(rigged));
  [...$("possible").children].forEach((order) => order.classList.toggle("lit", names.includes(order.textContent || "")));
  $("aloneSaid").textContent = t(results.length === ALL.length ? "knowsNothing" : rigged ? "riggedSome" : "honestSome", { n: results.length, all: ALL.length });
}
