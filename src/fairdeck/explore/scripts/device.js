// The randomness of this device, for pages that draw. A generator that is not sound is told in the element "error".

import { complain } from "../../page/scripts/elements.js";
import { GeneratorError, integersFrom, systemWords } from "../../page/scripts/randomness.js";
import { t } from "../../page/scripts/texts.js";

/** @type {Words | null} */
let deviceWords = null;

// Runs what draws; true if the generator is sound.
/** @type {(act: (below: Below, words: Words) => void) => boolean} */
export function drawing(act) {
  try {
    deviceWords ||= systemWords();
    act(integersFrom(deviceWords), deviceWords);
    return complain("error", [], "");
  } catch (error) {
    if (!(error instanceof GeneratorError)) throw error;
    return complain("error", [], t("faultGenerator"));
  }
}
