// A text goes to the clipboard.

import { element } from "./elements.js";
import { t } from "./texts.js";

// At a tap on a button, which then says so.
/** @type {(button: any, text: string) => Promise<void>} */
export async function copyText(button, text) {
  let done = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without https only the older way works: from a field beside the button, for nothing outside an open dialog is selected.
    const field = Object.assign(element("textarea", text, "unseen"), { readOnly: true });
    button.after(field);
    field.select();
    done = document.execCommand("copy");
    field.remove();
    button.focus();
  }
  if (done) button.textContent = t("copied");
}
