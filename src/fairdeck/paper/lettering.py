"""How much room text takes: the widths of the font's letters, and lines cut to a width.

The font is Bitstream Vera Sans, which may be embedded in any document and is part of reportlab. Its widths are written
down here, because an SVG is laid out without reportlab; a test compares them with the font.
"""

from functools import cache
from unicodedata import normalize

CAPITAL = 0.73  # of the size of a letter: how high a capital is
LEADING = 1.3  # of the size: from line to line
# The widths of the characters from space to tilde, in thousandths of the size.
PLAIN = (
    *(318, 401, 460, 838, 637, 951, 780, 275, 391, 391, 500, 838, 318, 361, 318, 337, 637, 637, 637, 637),
    *(637, 637, 637, 637, 637, 637, 337, 337, 838, 838, 838, 531, 1000, 685, 687, 699, 771, 632, 576, 775),
    *(752, 295, 295, 656, 558, 863, 749, 788, 604, 788, 695, 635, 611, 732, 685, 989, 686, 611, 686, 391),
    *(337, 391, 838, 500, 500, 613, 635, 550, 635, 616, 353, 635, 634, 278, 278, 580, 278, 975, 634, 612),
    *(635, 635, 412, 521, 393, 634, 592, 818, 592, 592, 525, 637, 337, 637, 838),
)
BOLD = (
    *(349, 457, 521, 838, 696, 1002, 873, 307, 458, 458, 523, 838, 380, 416, 380, 366, 696, 696, 696, 696),
    *(696, 696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 581, 1000, 774, 763, 734, 831, 684, 684, 821),
    *(837, 373, 373, 775, 638, 996, 837, 851, 733, 851, 771, 721, 683, 813, 774, 1104, 771, 725, 726, 458),
    *(366, 458, 838, 500, 500, 675, 716, 593, 716, 679, 436, 716, 712, 343, 343, 666, 343, 1042, 712, 688),
    *(716, 716, 494, 596, 479, 712, 652, 924, 646, 652, 583, 712, 366, 712, 838),
)
SIGNS = {"×": 0.838, "·": 0.381, "’": 0.381, "…": 1.0, "–": 0.5, "¿": 0.581, "¡": 0.457, "ß": 0.72, "\u00a0": 0.349}
WIDEST = 1.45  # of the size: no character of the font is wider


def middle(y: float, size: float) -> float:
    """Return the baseline of capitals and digits whose middle is at `y`."""
    return y + CAPITAL * size / 2


def breadth(text: str, size: float, *, bold: bool = False) -> float:
    """Return the largest width that a line of text takes.

    >>> breadth("A1", 10) < breadth("A1", 10, bold=True) < 15
    True
    """
    return size * sum([_breadth(letter, bold) for letter in text])


@cache
def _breadth(letter: str, bold: bool) -> float:
    if letter in SIGNS:
        return SIGNS[letter]
    widths = BOLD if bold else PLAIN
    base = normalize("NFD", letter)  # an accent makes no letter wider
    at = ord(base[0]) - ord(" ")
    if len(base) <= 2 and 0 <= at < len(widths):
        return widths[at] / 1000
    return WIDEST


def fitting(text: str, width: float, most: float, *, bold: bool = False) -> float:
    """Return the largest size, up to `most`, at which a line of text is at most as wide as `width`."""
    return min(most, width / breadth(text, 1.0, bold=bold)) if text else most


def wrapped(text: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """Return a text cut into lines of at most `width`; a longer word has a line of its own.

    >>> wrapped("deal the deck", 20, 3)
    ['deal the', 'deck']
    """
    lines, space, used = list[list[str]](), breadth(" ", size, bold=bold), 0.0
    for word in text.split(" "):
        length = breadth(word, size, bold=bold)
        if lines and used + space + length <= width:
            lines[-1].append(word)
            used += space + length
        else:
            lines.append([word])
            used = length
    return [" ".join(line) for line in lines]


def block(text: str, width: float, most: float) -> tuple[float, list[str]]:
    """Return the largest size, up to `most`, at which no word is wider than `width`, and the lines in that size."""
    size = min(fitting(word, width, most) for word in text.split(" "))
    return size, wrapped(text, width, size)
