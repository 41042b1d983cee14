// A text as a picture of a link; none where others cannot open this page: a camera would search the web for a bare text.

import { svg } from "./elements.js";
import { qrCode } from "./qr.js";

const QUIET = 4;

export const reachable = () => location.protocol.startsWith("http") && !/^(localhost|127\.|\[::1\])/.test(location.hostname);

/** @type {(fragment: string) => SVGElement | null} */
export function pictureOf(fragment) {
  const dots = reachable() && qrCode(`${location.origin}${location.pathname}#${fragment}`);
  if (!dots) return null;
  const path = dots.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : []))).join("");
  return svg(dots.length + 2 * QUIET, dots.length + 2 * QUIET, [path], "dots");
}
