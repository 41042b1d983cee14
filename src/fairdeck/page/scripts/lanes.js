// The stream: labels fall in their columns, and meet the line when called.

import { beatLength, COUNT_IN, running, tempo, wantsCalm } from "./beat.js";
import { deal, view } from "./current.js";
import { $, element } from "./elements.js";
import { rowLook, shownColumn, shownGrid } from "./mat.js";
import { stepAt } from "./stages.js";
import { clock } from "./taps.js";

const shownAhead = () => Math.max(2, Math.min(6, Math.floor($("lanes").clientHeight / 56)));

export function drawLanes() {
  const { number, kind, index } = stepAt(deal, deal.at), lanes = $("lanes"), { columns } = shownGrid();
  const list = kind === "card" ? deal.lists[number] : [], labels = deal.task.mat.labels;
  const tiles = list.slice(index, index + shownAhead() + 1).map((space, ahead) => {
    const tile = element("span", labels[space], rowLook(space));
    tile.dataset.middle = (shownColumn(space) + 0.5) / columns;
    tile.style.zIndex = -ahead;
    tile.dataset.ahead = ahead;
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
