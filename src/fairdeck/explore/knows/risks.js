// Who else: one line for each way in which an order gets known or chosen.

import { $, element } from "../../page/scripts/elements.js";
import { t } from "../../page/scripts/texts.js";
import { isAlone } from "../scripts/frame.js";

const RISKS = [
  ["played", "nobody", "nobody", "sortedHelp"],
  ["sorted", "theDevice", "theDevice", "sortedHelp"],
  ["drawn", "drawnKnow", "drawnChoose", "drawnHelp"],
  ["twice", "nobody", "nobody", "keysOwn"],
  ["watched", "watcher", "nobody", "watchedHelp"],
  ["seeded", "seededKnow", "seededChoose", "seededHelp"],
  ["photo", "watcher", "nobody", "photoHelp"],
  ["falsePage", "itsMaker", "itsMaker", "falsePageHelp"],
];

export function openRisks() {
  const heads = [t("canKnow"), t("canChoose"), t("helps")];
  $("risks").append(...RISKS.map(([name, ...answers]) => element("tr", [
    element("th", t(name), "", { scope: "row" }), ...answers.map((key, i) => element("td", [element("small", heads[i]), element("span", t(key))])),
  ])));
  for (const link of document.querySelectorAll(".site")) /** @type {any} */ (link).hidden = isAlone;
}
