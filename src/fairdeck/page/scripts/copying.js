// A text goes to the clipboard, or something into a file.

import { element } from "./elements.js";
import { t } from "./texts.js";

/** @type {(field: any, button: any) => Promise<void>} */
export async function copyFrom(field, button) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    // without https only the older way works
    if (!document.execCommand("copy")) return;
  }
  button.textContent = t("copied");
}

/** @type {(download: string, content: string | Blob) => void} */
export function saveFile(download, content) {
  const href = URL.createObjectURL(new Blob([content], { type: "application/json" }));
  element("a", "", "", { href, download }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10000);
}
