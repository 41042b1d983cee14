// Messages that people send from phone to phone: shown as a picture to scan and as a text to copy; taken from the camera,
// from a link, or typed. The elements are in exchange.html and drawing.html.

import { leaveFragment } from "../../page/scripts/address.js";
import { copyFrom } from "../../page/scripts/copying.js";
import { $ } from "../../page/scripts/elements.js";
import { pictureOf, reachable } from "../../page/scripts/pictured.js";
import { t } from "../../page/scripts/texts.js";

/** @type {(text: string, wrong?: boolean) => void} */
export function say(text, wrong = false) {
  $("said").textContent = text;
  $("said").classList.toggle("wrong", wrong);
}

// Empty: there is nothing to send.
/** @type {(text: string) => void} */
export function showMessage(text) {
  $("out").hidden = !text;
  if (!text || $("sent").value === text) return;
  const picture = pictureOf(text.replace(/-/g, ""));
  $("code").replaceChildren(...(picture ? [picture] : []));
  $("sent").value = text;
  $("copy").textContent = t("copy");
  $("send").hidden = !navigator.share;
}

// `receive` is called with each text that comes; it says what is wrong with it.
/** @type {(mark: string, receive: (text: string) => void) => void} */
export function openExchange(mark, receive) {
  // A link brings a message. It leaves the address at once: it may hold a secret.
  const takeFragment = () => {
    const fragment = location.hash.slice(1);
    if (fragment.slice(0, mark.length).toUpperCase() !== mark) return;
    leaveFragment();
    receive(fragment);
  };
  const takeTyped = () => {
    const text = $("received").value;
    receive(text);
    if (!$("said").classList.contains("wrong")) $("received").value = "";
  };
  $("scan").hidden = !canScan();
  $("take").addEventListener("click", takeTyped);
  $("copy").addEventListener("click", () => copyFrom($("sent"), $("copy")));
  $("send").addEventListener("click", () => navigator.share({ text: sentLink() }).catch(() => undefined));
  $("scan").addEventListener("click", async () => {
    const text = await scanned($("camera"));
    if (text) receive(text);
    else say(t("noCamera"), true);
  });
  addEventListener("hashchange", takeFragment);
  takeFragment();
}

const sentLink = () => (reachable() ? `${location.origin}${location.pathname}#${$("sent").value.replace(/-/g, "")}` : $("sent").value);

// --- the camera: in browsers that know how to read a code; elsewhere the phone's own camera opens the link

const LOOK_MS = 200, LONGEST_LOOK_MS = 60000;
/** @type {any} */
const Detector = Reflect.get(window, "BarcodeDetector");

const canScan = () => Boolean(Detector && navigator.mediaDevices);

// The text of the first code that the camera sees; empty if there is no camera, or none was seen within a minute.
/** @type {(video: HTMLVideoElement) => Promise<string>} */
async function scanned(video) {
  let stream = null;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
    video.srcObject = stream;
    video.hidden = false;
    await video.play();
    const detector = new Detector({ formats: ["qr_code"] });
    for (let waited = 0; waited < LONGEST_LOOK_MS && !video.hidden; waited += LOOK_MS) {
      const [found] = await detector.detect(video);
      if (found) return found.rawValue;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  } catch {
    // no camera, or the visitor does not allow it
  } finally {
    for (const track of stream ? stream.getTracks() : []) track.stop();
    video.hidden = true;
  }
  return "";
}
