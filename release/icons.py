"""Build the icons under which a device installs the dealing page: `python -m release.icons`.

The mark, an ivory card, lies on the table's green. It keeps within the circle of 80% that every mask leaves whole
(W3C, Web Application Manifest, section on maskable icons). Mark and green are those of the pages.
"""

import re
from itertools import accumulate
from pathlib import Path

from PIL import Image, ImageDraw

from fairdeck.show import look

BUILT = Path(__file__).parents[1] / "src/fairdeck/page/site"
SIZES = (192, 512)
FINER = 8  # drawn larger by this, so that slanted edges are smooth
SAFE = 0.8
COLOURS = 24


def main() -> None:
    """Write the icons."""
    for size in SIZES:
        icon(size).save(BUILT / f"icon-{size}.png", optimize=True)


def icon(size: int) -> Image.Image:
    """Return the icon of this many pixels a side.

    >>> icon(192).size
    (192, 192)
    """
    mark = look.mark()
    rect, pips = re.findall(r"<(?:rect|path) [^>]+>", mark)
    left, top, width, height, round_by = (_number(rect, name) for name in ("x", "y", "width", "height", "rx"))
    scale = size * FINER * SAFE / (width**2 + height**2) ** 0.5

    def at(x: float, y: float) -> tuple[float, float]:
        """Where a point of the mark lies on the icon: its middle is the middle."""
        return tuple(size * FINER / 2 + (each - half) * scale for each, half in zip((x, y), (16, 16), strict=True))

    image = Image.new("RGB", (size * FINER, size * FINER), table_green())
    draw = ImageDraw.Draw(image)
    box = (*at(left, top), *at(left + width, top + height))
    draw.rounded_rectangle(box, round_by * scale, fill=_attribute(rect, "fill"))
    for start, *steps in (re.findall(r"(-?[\d.]+) ?(-?[\d.]+)", pip) for pip in _attribute(pips, "d").split("M")[1:]):
        corners = accumulate(
            steps,
            lambda last, step: (last[0] + float(step[0]), last[1] + float(step[1])),
            initial=tuple(map(float, start)),
        )
        draw.polygon([at(x, y) for x, y in corners], fill=_attribute(pips, "fill"))
    smooth = image.resize((size, size), Image.Resampling.LANCZOS)
    return smooth.quantize(COLOURS, dither=Image.Dither.NONE)


def table_green() -> str:
    """Return the colour of the table by day."""
    found = re.search(r"--table: (#\w+);", look.style("tokens"))
    assert found
    return found[1]


def _attribute(part: str, name: str) -> str:
    found = re.search(rf" {name}='([^']+)'", part)
    assert found, name
    return found[1]


def _number(part: str, name: str) -> float:
    return float(_attribute(part, name))


if __name__ == "__main__":
    main()
