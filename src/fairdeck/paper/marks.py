"""A page with marks on it: the layouts make pages, and `svg` and `pdf` write them.

Everything is in millimetres, from the upper left corner of the page to the right and down. A colour is ``#rrggbb``.

The rows of a mat differ by letter, colour and pattern. Patterns and hues are those of the dealing page. The page's
colours are equally dark; these differ in lightness, too, so that rows also differ in a grey print. Rows next to each
other differ most.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

BLACK, GREY = "#000000", "#777777"
COLOURS = ("#9b6d00", "#05463d", "#af3e13", "#2f2062", "#325a0c", "#081d2f")  # of the rows of a mat
STEP, THIN = 2.4, 0.35  # of hatching
PATTERNS = 7

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


def placed(marks: Iterable[Mark], x: float, y: float) -> Iterator[Mark]:
    """Yield marks moved to the right by `x` and down by `y`."""
    for mark in marks:
        match mark:
            case Stroke():
                yield replace(mark, points=tuple((right + x, down + y) for right, down in mark.points))
            case Rectangle() | Text():
                yield replace(mark, x=mark.x + x, y=mark.y + y)


def colour_of(row: int) -> str:
    """Return the colour of a row of the mat."""
    return COLOURS[row % len(COLOURS)]


def pattern(row: int, x: float, y: float, width: float, height: float) -> Iterator[Mark]:
    """Yield the hatching of a row within a rectangle; the first of every seven rows has no hatching."""
    colour, box = colour_of(row), (x, y, width, height)
    match row % PATTERNS:
        case 1:
            yield from _slanted(box, colour, rising=False)
        case 2:
            yield from _dots(box, colour)
        case 3:
            yield from _across(box, colour)
        case 4:
            yield from _slanted(box, colour, rising=True)
        case 5:
            yield from _upright(box, colour)
        case 6:
            yield from _across(box, colour)
            yield from _upright(box, colour)


Area = tuple[float, float, float, float]


def _across(box: Area, colour: str) -> Iterator[Mark]:
    x, y, width, height = box
    for at in _steps(height):
        yield Stroke(((x, y + at), (x + width, y + at)), THIN, colour)


def _upright(box: Area, colour: str) -> Iterator[Mark]:
    x, y, width, height = box
    for at in _steps(width):
        yield Stroke(((x + at, y), (x + at, y + height)), THIN, colour)


def _slanted(box: Area, colour: str, *, rising: bool) -> Iterator[Mark]:
    x, y, width, height = box
    for at in _steps(width + height, STEP * 2**0.5):
        # The part inside the rectangle of the line on which left plus up (or left plus down) is `at`.
        start, end = max(0.0, at - height), min(width, at)
        if end > start:
            ends = ((start, at - start), (end, at - end))
            yield Stroke(tuple((x + a, y + (b if rising else height - b)) for a, b in ends), THIN, colour)


def _dots(box: Area, colour: str) -> Iterator[Mark]:
    x, y, width, height = box
    for right in _steps(width):
        for down in _steps(height):
            yield Rectangle(x + right - 0.5, y + down - 0.5, 1.0, 1.0, radius=0.5, fill=colour, line=None)


def _steps(length: float, step: float = STEP) -> Iterator[float]:
    """Yield even distances, at least half a step from either end."""
    count = max(1, int(length / step))
    for number in range(count):
        yield (number + 0.5) * length / count
