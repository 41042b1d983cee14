// How many hits fair decks give, and where a player stands.

import { colour, opened } from "../scripts/canvas.js";

// Bars for the law; `found` are shares of decks that somebody else has played, null if nobody has. A mark stands over your hits.
/** @type {(canvas: HTMLCanvasElement, law: number[], found: number[] | null, hits: number, guessed: number) => void} */
export function drawHits(canvas, law, found, hits, guessed) {
  const { pen, width, height } = opened(canvas), unit = parseFloat(getComputedStyle(canvas).fontSize) / 16;
  const most = Math.min(law.length - 1, Math.max(12, hits + 1, ...(found || []).map((share, value) => (share > 0.001 ? value : 0))));
  const values = most + 1, wide = width / values, under = 20 * unit, over = 18 * unit, tall = Math.max(...law, ...(found || []));
  /** @type {(shares: number[], ink: string, from: number, part: number) => void} */
  const bars = (shares, ink, from, part) => {
    pen.fillStyle = colour(ink);
    for (let value = 0; value < values; value++) {
      const up = ((shares[value] || 0) / tall) * (height - under - over);
      pen.fillRect((value + from) * wide, height - under - up, wide * part, up);
    }
  };
  const x = (hits + 0.5) * wide, shown = guessed > 0 && hits <= most;
  if (shown) {
    pen.fillStyle = colour("gold");
    pen.globalAlpha = 0.4;
    pen.fillRect(x - wide / 2, over, wide, height - under - over);
    pen.globalAlpha = 1;
  }
  bars(law, "row1", 0.1, found ? 0.4 : 0.8);
  if (found) bars(found, "row2", 0.5, 0.4);
  pen.fillStyle = colour("line");
  pen.fillRect(0, height - under, width, 1);
  pen.font = `${12 * unit}px system-ui, sans-serif`;
  pen.textAlign = "center";
  pen.fillStyle = colour("soft");
  const each = Math.ceil((22 * unit) / wide);
  for (let value = 0; value < values; value += each) pen.fillText(String(value), (value + 0.5) * wide, height - 5 * unit);
  if (!shown) return;
  pen.fillStyle = colour("gold");
  pen.strokeStyle = colour("ink");
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.moveTo(x - 8 * unit, 2);
  pen.lineTo(x + 8 * unit, 2);
  pen.lineTo(x, 15 * unit);
  pen.closePath();
  pen.fill();
  pen.stroke();
}
