// A command line to copy. A line breaks only between its words: a browser would also break `--cards` after its hyphens.

import { element } from "../../page/scripts/elements.js";

/** @type {(command: string) => HTMLElement} */
export const commandLine = (command) => element("code", command.split(" ").map((word, i) => [i ? " " : "", element("span", word)]), "command-line");
