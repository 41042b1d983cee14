// A command line to copy. A line breaks only between its words: a browser would also break `--cards` after its hyphens.

import { element } from "../../page/scripts/elements.js";

/** @type {(command: string) => HTMLElement} */
export function commandLine(command) {
  const line = element("code", "", "command-line");
  line.append(...command.split(" ").flatMap((word, i) => [i ? " " : "", element("span", word)]));
  return line;
}
