// In place of the mat: labels that fall in their columns, or an arrow on a device in the middle of the piles.

import { beatLength, COUNT_IN, running, tempo, wantsCalm } from "./beat.js";
import { deal, turnLook, view } from "./current.js";
import { $, element, svg } from "./elements.js";
import { rowLook, shownColumn, shownGrid, shownRow } from "./mat.js";
import { stepAt } from "./stages.js";
import { clock } from "./taps.js";

const shownAhead = () => Math.max(2, Math.min(6, Math.floor($("lanes").clientHeight / 56)));

export function drawLanes() {
  const { number, kind, index } = stepAt(deal, deal.at), lanes = $("lanes"), { columns } = shownGrid();
  const list = kind === "card" ? deal.lists[number] : [], labels = deal.task.mat.labels;
  const tiles = list.slice(index, index + shownAhead() + 1).map((space, ahead) => {
    const tile = element("span", labels[space], `card ${rowLook(space)}${turnLook(number, index + ahead)}`, { "data-middle": (shownColumn(space) + 0.5) / columns, "data-ahead": ahead });
    tile.style.zIndex = -ahead;
    return tile;
  });
  lanes.replaceChildren(element("i"), ...tiles);
  placeTiles();
}

function placeTiles() {
  const beats = running() ? (tempo.zero - clock()) / beatLength() : 0;
  const most = shownAhead(), shift = wantsCalm() ? Math.min(COUNT_IN, Math.ceil(beats)) : beats, height = $("lanes").clientHeight, width = $("lanes").clientWidth;
  for (const tile of $("lanes").querySelectorAll("span")) {
    const away = Number(tile.dataset.ahead) + shift, low = height - tile.offsetHeight - 6;
    const left = Math.max(0, Math.min(width - tile.offsetWidth, tile.dataset.middle * width - tile.offsetWidth / 2));
    tile.style.transform = `translate(${left}px, ${Math.min(low, low * (1 - away / most))}px)`;
    tile.style.opacity = away > most || away < -0.5 ? 0 : 1;
  }
}

export function fall() {
  if (!running() || view() !== "stream") return;
  placeTiles();
  requestAnimationFrame(fall);
}

// Of an odd number of rows the middle one lies above the device.
/** @type {(space: number) => void} */
export function drawCompass(space) {
  const { number, index } = stepAt(deal, deal.at), { columns, rows } = shownGrid(), across = shownColumn(space) - (columns - 1) / 2, down = shownRow(space) - Math.ceil(rows / 2) + 0.5;
  const arrow = svg(100, 100, ["M50 4L92 50H66V96H34V50H8Z"], "needle");
  // A card is 1.4 times as high as wide.
  arrow.style.transform = `rotate(${Math.atan2(across, -1.4 * down)}rad)`;
  $("lanes").replaceChildren(element("div", [arrow, element("b", deal.task.mat.labels[space], turnLook(number, index))], rowLook(space)));
}
