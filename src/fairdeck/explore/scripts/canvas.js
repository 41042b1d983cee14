// A canvas that is as sharp as the screen, and stays up to date.

import { one } from "../../page/scripts/elements.js";

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

// Draws once, and again when an element's size changes; where nothing observes sizes, when the window's does.
/** @type {(node: Element, draw: () => void) => void} */
export function watchSize(node, draw) {
  if (window.ResizeObserver) return new ResizeObserver(draw).observe(node);
  addEventListener("resize", draw);
  requestAnimationFrame(draw);
}

// Draws again when the size or the colours change.
/** @type {(draw: () => void) => void} */
export function keepDrawn(draw) {
  watchSize(one("main"), draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
}
