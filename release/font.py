"""Build the letters of headings and labels: `python -m release.font`, after `npm ci` in release/font.

Barlow Condensed Bold, cut down to what four languages need, as `src/fairdeck/show/styles/index.woff2`: at most 12 KB.
It is condensed so that labels in a narrow box are large. The lock file names the package, and its hash.
"""

import string
from pathlib import Path

ROOT = Path(__file__).parent
SOURCE = ROOT / "font/node_modules/@fontsource/barlow-condensed/files/barlow-condensed-latin-700-normal.woff2"
BUILT = ROOT.parent / "src/fairdeck/show/styles/index.woff2"
SIGNS = " \u00a0\u00ad.,:;!?¿¡'\"()–—-’‘“”„«»…×·/%+=#°²−"
ACCENTED = "äöüßÄÖÜéèêëàâçîïôùûœÉÈÀÇñáíóúÑÁÍÓÚ"
LETTERS = string.ascii_letters + string.digits + SIGNS + ACCENTED
MOST = 12 * 1024  # bytes
FINENESS = 250  # units in the height of a line: a fifth of a pixel in the largest label, and a sixth of the bytes less


def main() -> None:
    """Write the font; fail if it is larger than the pages can bear."""
    from fontTools import subset  # type: ignore[import-not-found]  # only here: no other part needs it
    from fontTools.ttLib.scaleUpem import scale_upem  # type: ignore[import-not-found]

    options = subset.Options(
        flavor="woff2",
        hinting=False,
        layout_features=[],
        name_IDs=[0, 13, 14],
        drop_tables=["GDEF", "GPOS", "GSUB", "gasp"],
    )
    font = subset.load_font(SOURCE, options)
    cut = subset.Subsetter(options)
    cut.populate(text=LETTERS)
    cut.subset(font)
    scale_upem(font, FINENESS)
    subset.save_font(font, BUILT, options)
    if BUILT.stat().st_size > MOST:
        raise SystemExit(f"{BUILT.name}: {BUILT.stat().st_size:,} bytes; at most {MOST:,}")


if __name__ == "__main__":
    main()
