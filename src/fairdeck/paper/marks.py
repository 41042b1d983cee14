"""A page with marks on it: the layouts make pages, and `svg` and `pdf` write them.

Everything is in millimetres, from the upper left corner of the page to the right and down. A
colour is ``#rrggbb``.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

BLACK, GREY, WHITE = "#000000", "#777777", "#ffffff"
CAPITAL = 0.72  # of the size of a letter: how high a capital is, in Helvetica and its like
# The widths of the characters from space to tilde, in thousandths of the size: the larger of bold and plain Helvetica,
# from Adobe's metrics of the fonts (1997). Any other character counts as wide as its size.
BREADTHS = (
    *(278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556),
    *(556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611, 1015, 722, 722, 722, 722, 667, 611, 778),
    *(722, 278, 556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333),
    *(278, 333, 584, 556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611),
    *(611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584),
)

Align = Literal["left", "centre", "right"]
Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Stroke:
    """Straight lines through `points`."""

    points: tuple[Point, ...]
    width: float = 0.2
    colour: str = BLACK
    dash: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A rectangle, its corners rounded with `radius`; `fill` and `line` are colours, or none."""

    x: float
    y: float
    width: float
    height: float
    radius: float = 0.0
    fill: str | None = None
    line: str | None = BLACK
    line_width: float = 0.3


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; `y` is its baseline, `size` the size of its font."""

    x: float
    y: float
    text: str
    size: float
    align: Align = "left"
    bold: bool = False
    colour: str = BLACK


Mark: TypeAlias = Stroke | Rectangle | Text


@dataclass(slots=True)
class Page:
    """A page: its `width` and `height`, and the `marks` on it, the lowest first."""

    width: float
    height: float
    marks: list[Mark] = field(default_factory=list)


def middle(y: float, size: float) -> float:
    """Return the baseline of capitals and digits whose middle is at `y`."""
    return y + CAPITAL * size / 2


def breadth(text: str, size: float) -> float:
    """Return the largest width that a line of text takes, in Helvetica and fonts like it.

    >>> breadth("A1", 10) < 15
    True
    """
    return size * sum(map(_breadth, text))


def _breadth(letter: str) -> float:
    at = ord(letter) - ord(" ")
    return BREADTHS[at] / 1000 if 0 <= at < len(BREADTHS) else 1.0


def fitting(text: str, width: float, most: float) -> float:
    """Return the largest size, up to `most`, at which a line of text is at most as wide as `width`."""
    return min(most, width / breadth(text, 1.0))


def wrapped(text: str, width: float, size: float) -> list[str]:
    """Return a text cut into lines of at most `width`; a longer word has a line of its own.

    >>> wrapped("deal the deck", 18, 3)
    ['deal the', 'deck']
    """
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and breadth(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def placed(marks: Iterable[Mark], x: float, y: float) -> Iterator[Mark]:
    """Yield marks moved to the right by `x` and down by `y`."""
    for mark in marks:
        match mark:
            case Stroke():
                yield replace(mark, points=tuple((right + x, down + y) for right, down in mark.points))
            case Rectangle() | Text():
                yield replace(mark, x=mark.x + x, y=mark.y + y)
