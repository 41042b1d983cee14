// The camera reads a code, in browsers that know how; elsewhere the phone's own camera opens the link.

const LOOK_MS = 200, LONGEST_LOOK_MS = 60000;
/** @type {any} */
const Detector = Reflect.get(window, "BarcodeDetector");

export const canScan = () => Boolean(Detector && navigator.mediaDevices);

// The text of the first code that the camera sees; empty if there is no camera, or none was seen within a minute.
/** @type {(video: HTMLVideoElement) => Promise<string>} */
export async function scanned(video) {
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
