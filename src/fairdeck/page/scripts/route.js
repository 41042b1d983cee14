// The route of the gathering: under each label a numbered stop, and a line from stop to stop beside the labels.

import { deal } from "./current.js";
import { $, element, svg } from "./elements.js";
import { shownColumn, shownRow } from "./mat.js";

// Pixels: how far beside the mat the line goes, and the least height of a space with room under its label.
const BESIDE = 9, TALL = 76;

// The first `done` stops are behind.
/** @type {(route: number[], done: number) => void} */
export function addStops(route, done) {
  const { labels } = deal.task.mat, items = route.map((space, i) => {
    const item = element("li", element("button", i + 1, "", { type: "button", "aria-pressed": i < done, "aria-label": `${i + 1}: ${labels[space]}` }));
    if (i === done) item.firstChild.setAttribute("aria-current", "step");
    Object.assign(item.style, { gridColumn: shownColumn(space) + 1, gridRow: shownRow(space) + 1 });
    return item;
  });
  for (const cell of $("mat").children) cell.setAttribute("aria-hidden", "true");
  $("mat").append(element("ol", items, "stops", { role: "list" }));
}

// Again whenever the mat changes its size.
export function drawRoute() {
  const mat = $("mat"), list = mat.querySelector(".stops"), { offsetWidth, offsetHeight } = mat.firstChild || mat, low = offsetHeight < Math.min(TALL, offsetWidth);
  mat.querySelector(".route")?.remove();
  mat.classList.toggle("low", low);
  if (!list) return;
  const { left, top, width, height } = list.getBoundingClientRect(), gap = parseFloat(getComputedStyle(mat).rowGap);
  const points = [...list.children].map((item) => {
    const space = item.getBoundingClientRect(), stop = item.firstChild.getBoundingClientRect(), y = stop.top + stop.height / 2 - top, end = space.bottom - top;
    return { x: stop.left + stop.width / 2 - left, y, lane: low ? end + gap * 0.3 : y, start: space.top - top, end };
  });
  /** @type {string[]} */
  const parts = ["", ""];
  points.slice(1).forEach(({ x, y, lane, start }, i) => {
    const from = points[i], up = start < from.start;
    // To another row: around the end of this one, along the gutter, around the other end of that one.
    const around = up ? [-BESIDE, from.start - gap * (low ? 0.3 : 0.5), width + BESIDE] : [width + BESIDE, from.end + gap * (low ? 0.7 : 0.5), -BESIDE];
    const way = start === from.start ? "" : `H${around[0]}V${around[1]}H${around[2]}V${lane}`;
    parts[Number(list.children[i].firstChild.getAttribute("aria-pressed") === "false")] += `M${from.x} ${from.y}V${from.lane}${way}H${x}V${y}`;
  });
  list.before(svg(width, height, parts, "route"));
}
