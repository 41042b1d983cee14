// A deal handed to another device, as a text or a picture of a link.

import { ask, begin } from "./beginning.js";
import { LARGEST_CODED, writeCode } from "./code.js";
import { readCode } from "./code_reader.js";
import { deal, isDone } from "./current.js";
import { dealOf } from "./dealing.js";
import { openDialog } from "./dialogs.js";
import { $, button, complain } from "./elements.js";
import { recalled } from "./kept.js";
import { pictureOf } from "./pictured.js";
import { unlockSound } from "./sound.js";
import { startOf, stepAt } from "./stages.js";
import { pauseTempo } from "./tempo.js";
import { t } from "./texts.js";

export function openCode() {
  pauseTempo();
  const { dealers } = deal.task;
  $("code-dealers").hidden = dealers === 1;
  $("seats").replaceChildren(...Array.from({ length: dealers }, (_, seat) => {
    const name = t("dealer", { n: seat + 1 });
    return button(seat === deal.dealer ? `${name} (${t("here")})` : name, () => showCode(seat), "", { value: seat });
  }));
  showCode(dealers === 1 ? 0 : (deal.dealer + 1) % dealers);
  openDialog("code-dialog");
}

/** @type {(seat: number) => void} */
function showCode(seat) {
  for (const made of $("seats").children) made.setAttribute("aria-pressed", String(made.value === String(seat)));
  const text = deal.task.cards <= LARGEST_CODED ? writeCode({ ...deal, dealer: seat, at: placeFor(seat) }) : "", known = !!text;
  const picture = known && pictureOf(text);
  $("qr").replaceChildren(...(picture ? [picture] : []));
  $("code-text").value = text;
  $("code-note").textContent = known ? `${picture ? t("codeScan") : ""} ${t("codeCopy")}` : t("codeTooLarge", { n: LARGEST_CODED });
  $("code-copy").textContent = t("copy");
  for (const id of ["code-copy", "code-text", "secret"]) $(id).hidden = !known;
}

// Another dealer begins at the start of this pass.
/** @type {(seat: number) => number} */
const placeFor = (seat) => (seat === deal.dealer ? deal.at : startOf(dealOf(deal.task, deal.order, seat), stepAt(deal, deal.at).number));

/** @type {(text?: string) => void} */
export function openEnter(text = "") {
  $("enter-text").value = text;
  complain("enter-error", ["enter-text"], text && t("badCode"));
  openDialog("enter-dialog");
}

export function enterCode() {
  /** @type {any} */
  const found = readCode($("enter-text").value);
  if (!complain("enter-error", ["enter-text"], found ? "" : t("badCode"))) return $("enter-text").focus();
  $("enter-dialog").close();
  takeUp(found);
}

/** @type {(found: any) => void} */
export function takeUp(found) {
  unlockSound();
  found.foreign = true;
  if ((deal && !isDone()) || recalled) return ask("anew", () => begin(found));
  begin(found);
}
