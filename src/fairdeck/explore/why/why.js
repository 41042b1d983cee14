// The door to the pages: what each of them shows.

import { ABOUT, PAGES, PICTURES } from "../../page/scripts/built.js";
import { $, element } from "../../page/scripts/elements.js";
import { language } from "../../page/scripts/texts.js";
import { isAlone, openFrame } from "../scripts/frame.js";

openFrame();
$("ideas").append(...Object.entries(PAGES[language]).map(([name, title]) => {
  const card = element("a", "", "idea");
  if (!isAlone) card.href = `${name}.html`;
  card.innerHTML = PICTURES[name] || "";
  card.append(element("h2", title), element("p", ABOUT[language][name]));
  return card;
}));
