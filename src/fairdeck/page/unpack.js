// Unpacks the page below and becomes it. The policy of this document stays in force: it names the
// only style and script that may run in the unpacked one.
"use strict";
{
  const of = (id) => document.getElementById(id);
  const letters = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).filter((letter) => !"<>&".includes(letter)).join("");
  // Two letters are 13 bits, the lowest first.
  const bytesOf = (text) => {
    const found = [];
    let value = 0, bits = 0;
    for (let i = 0; i < text.length; i += 2) {
      value |= (letters.indexOf(text[i]) + 91 * letters.indexOf(text[i + 1])) << bits;
      for (bits += 13; bits > 7; bits -= 8, value >>= 8) found.push(value & 255);
    }
    return new Uint8Array(found.slice(0, Number(of("packed").dataset.size)));
  };
  const voices = of("voices") ? of("voices").outerHTML : "";
  const become = (page) => {
    document.open();
    document.write(page.replace("<!-- voices -->", () => voices));
    document.close();
  };
  if (window.DecompressionStream) {
    new Response(new Blob([bytesOf(of("packed").textContent)]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text().then(become);
  } else {
    of("too-old").hidden = false;
  }
}
