"""A page with marks on it: the layouts make pages, and `svg` and `pdf` write them.

Everything is in millimetres, from the upper left corner of the page to the right and down. A
colour is ``#rrggbb``.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

BLACK, GREY, WHITE = "#000000", "#777777", "#ffffff"

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
