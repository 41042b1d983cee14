// The compass: the device lies in the middle of the piles, and an arrow points to the pile.

import { deal } from "./current.js";
import { $, element, svg } from "./elements.js";
import { rowLook, shownColumn, shownGrid } from "./mat.js";

// Of an odd number of rows the middle one lies above the device.
/** @type {(space: number) => void} */
export function drawCompass(space) {
  const { columns, rows } = shownGrid(), row = Math.floor(space / deal.task.mat.columns);
  const across = shownColumn(space) - (columns - 1) / 2, down = ($("turned").checked ? rows - 1 - row : row) - Math.ceil(rows / 2) + 0.5;
  const arrow = svg(100, 100, ["M50 4L92 50H66V96H34V50H8Z"], "needle");
  // A card is 1.4 times as high as wide.
  arrow.style.transform = `rotate(${Math.atan2(across, -1.4 * down)}rad)`;
  $("lanes").replaceChildren(element("div", [arrow, element("b", deal.task.mat.labels[space])], rowLook(space)));
}
