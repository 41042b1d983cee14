"""QR codes: as dots, and as text that a phone scans from a terminal."""

from collections.abc import Sequence
from itertools import zip_longest

from fairdeck.extras import missing

MARGIN = 4  # dots of light around a code, as ISO/IEC 18004 asks for
# Letters of a code with error correction M, which can be read with 15 % of it damaged: 89 x 89 dots, which need no more
# room than any code takes. Longer ones have L, 7 %.
LONGEST_SAFER = 560
HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
# Black on white, of the 216 colours that no theme changes: terminals are dark or light, a code must be dark on light.
COLOURED, PLAIN = "\x1b[38;5;16;48;5;231m", "\x1b[0m"


def dots(text: str) -> list[list[bool]]:
    """Return the code for the text: rows of dots, true where a dot is dark; MissingTool if segno is not installed.

    Errors are corrected at level M while the dots of a longer code would not be too small, then at level L.
    """
    try:
        import segno
    except ImportError:
        raise missing("a code to scan needs segno", "paper") from None
    code = segno.make_qr(text, error="m" if len(text) <= LONGEST_SAFER else "l", boost_error=False)
    return [[bool(dot) for dot in row] for row in code.matrix]


def terminal_lines(rows: Sequence[Sequence[bool]]) -> list[str]:
    """Return a code as lines of a terminal with a margin: each character is one dot wide and two dots high."""
    light = [False] * (len(rows) + 2 * MARGIN)
    side = [False] * MARGIN
    framed = [light] * MARGIN + [[*side, *row, *side] for row in rows] + [light] * MARGIN
    pairs = zip_longest(framed[::2], framed[1::2], fillvalue=light)
    return [COLOURED + "".join(HALVES[pair] for pair in zip(*two, strict=True)) + PLAIN for two in pairs]
