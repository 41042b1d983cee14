// The law of a number, and where a visitor's own number stands.

import { colour, opened } from "../../page/scripts/canvas.js";

// Bars for the chances of `first`, `first` + 1, ...; `found` are shares that somebody else has met, null if nobody has.
// A mark stands over `own`, if it is not null.
/** @type {(canvas: HTMLCanvasElement, law: number[], found: number[] | null, own: number | null, first?: number) => void} */
export function drawLawOf(canvas, law, found, own, first = 0) {
  const { pen, width, height } = opened(canvas), unit = parseFloat(getComputedStyle(canvas).fontSize) / 16;
  const values = law.length, wide = width / values, under = 20 * unit, over = 18 * unit, tall = Math.max(...law, ...(found || []));
  /** @type {(shares: number[], ink: string, from: number, part: number) => void} */
  const bars = (shares, ink, from, part) => {
    pen.fillStyle = colour(ink);
    for (let value = 0; value < values; value++) {
      const up = ((shares[value] || 0) / tall) * (height - under - over);
      pen.fillRect((value + from) * wide, height - under - up, wide * part, up);
    }
  };
  const x = ((own ?? 0) - first + 0.5) * wide, shown = own !== null && x > 0 && x < width;
  if (shown) {
    pen.fillStyle = colour("hair");
    pen.fillRect(x - wide / 2, over, wide, height - under - over);
  }
  bars(law, "ink", 0.1, found ? 0.4 : 0.8);
  if (found) bars(found, "red", 0.5, 0.4);
  pen.fillStyle = colour("line");
  pen.fillRect(0, height - under, width, 1);
  pen.font = `${12 * unit}px system-ui, sans-serif`;
  pen.textAlign = "center";
  pen.fillStyle = colour("soft");
  const each = Math.ceil((22 * unit) / wide);
  for (let value = 0; value < values; value += each) pen.fillText(String(first + value), (value + 0.5) * wide, height - 5 * unit);
  if (!shown) return;
  pen.fillStyle = colour("ink");
  pen.beginPath();
  pen.moveTo(x - 8 * unit, 2);
  pen.lineTo(x + 8 * unit, 2);
  pen.lineTo(x, 15 * unit);
  pen.closePath();
  pen.fill();
}
