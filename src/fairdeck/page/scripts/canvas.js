// A canvas that is as sharp as the screen, and stays up to date.

import { one } from "./elements.js";

/** @type {(name: string) => string} */
export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

// `fine` is the number of the screen's pixels in a pixel of the page.
/** @type {(canvas: HTMLCanvasElement) => { pen: CanvasRenderingContext2D, width: number, height: number, fine: number }} */
export function opened(canvas) {
  const { clientWidth: width, clientHeight: height } = canvas, fine = Math.min(3, window.devicePixelRatio || 1);
  const across = Math.round(width * fine), down = Math.round(height * fine);
  if (canvas.width !== across || canvas.height !== down) Object.assign(canvas, { width: across, height: down });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.setTransform(fine, 0, 0, fine, 0, 0);
  pen.clearRect(0, 0, width, height);
  return { pen, width, height, fine };
}

export const RECOLOURED = "recoloured"; // the event after a reader chose light or dark

// Draws once, and again when the size or the colours change.
/** @type {(draw: () => void) => void} */
export function keepDrawn(draw) {
  // In the next frame: WebKit counts it as an error if a picture changes what is observed.
  new ResizeObserver(() => requestAnimationFrame(draw)).observe(one("main:not([hidden])") || document.body);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  addEventListener(RECOLOURED, draw);
}
