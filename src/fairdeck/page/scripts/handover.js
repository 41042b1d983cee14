// A deal handed to another device, as a picture to scan or a text. The picture is a link, made only where others can
// open this page: a phone's camera would search the web for any other text, and so for the order. A link stays in the
// history of the browser that opens it; a bare code does not.

const QUIET = 4;

const reachable = () => location.protocol.startsWith("http") && !/^(localhost|127\.|\[::1\])/.test(location.hostname);
const linkTo = (code) => `${location.origin}${location.pathname}#${code}`;

function openCode() {
  pauseTempo();
  const { dealers } = deal.task;
  $("code-dealers").hidden = dealers === 1;
  $("seats").replaceChildren(...Array.from({ length: dealers }, (_, seat) => {
    const name = t("dealer", { n: seat + 1 }), made = button(seat === deal.dealer ? `${name} (${t("here")})` : name, () => showCode(seat));
    made.value = seat;
    return made;
  }));
  showCode(dealers === 1 ? 0 : (deal.dealer + 1) % dealers);
  openDialog("code-dialog");
}

function showCode(seat) {
  for (const made of $("seats").children) made.setAttribute("aria-pressed", String(made.value === String(seat)));
  const text = deal.task.cards <= LARGEST_CODED ? writeCode({ ...deal, dealer: seat, at: placeFor(seat) }) : "", known = Boolean(text);
  const dots = known && reachable() && qrCode(linkTo(text));
  $("qr").replaceChildren(...(dots ? [picture(dots)] : []));
  $("code-text").value = text;
  const note = !known ? "codeTooLarge" : dots ? "codeScan" : reachable() ? "codeTooLong" : "codeLocal";
  $("code-note").textContent = t(note, { n: LARGEST_CODED }) + (known ? ` ${t("codeCopy")}` : "");
  $("code-copy").textContent = t("copy");
  for (const id of ["code-copy", "code-text", "secret"]) $(id).hidden = !known;
}

// Another dealer begins at this pass: their part of it is their own.
const placeFor = (seat) => (seat === deal.dealer ? deal.at : startOf(dealOf(deal.task, deal.order, seat), stepAt(deal, deal.at).number));

function picture(dots) {
  const path = dots.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : []))).join("");
  return drawing(dots.length + 2 * QUIET, dots.length + 2 * QUIET, [path], "dots");
}

async function copyCode() {
  $("code-text").select();
  try {
    await navigator.clipboard.writeText($("code-text").value);
  } catch {
    // no clipboard without https: the older way copies what is selected
    document.execCommand("copy");
  }
  $("code-copy").textContent = t("copied");
}

function clearCodes() {
  for (const id of ["code-text", "enter-text"]) $(id).value = "";
  $("qr").replaceChildren();
}

function openEnter(text = "") {
  $("enter-text").value = text;
  complain("enter-error", ["enter-text"], text && t("badCode"));
  openDialog("enter-dialog");
}

function enterCode() {
  const found = readCode($("enter-text").value);
  if (!complain("enter-error", ["enter-text"], found ? "" : t("badCode"))) return $("enter-text").focus();
  $("enter-dialog").close();
  takeUp(found);
}

function takeUp(found) {
  unlockSound();
  found.foreign = true;
  if ((deal && !isDone()) || recalled) return ask("anew", () => begin(found));
  begin(found);
}
