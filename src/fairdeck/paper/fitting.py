"""Sections put on pages, in the largest type with which they take the fewest pages."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from fairdeck.paper.lettering import LEADING, wrapped
from fairdeck.paper.marks import BLACK, Mark, Page, Text, placed
from fairdeck.paper.sizes import Size

MARGIN = 12.0
SMALLEST, LARGEST = 0.6, 3.0  # scales of the type
NEAR = 1.005  # a scale is found as exactly as this
TEXT, MOST_TEXT = 3.4, 1.5  # size of running text at scale 1, in millimetres; its largest scale


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a sheet that stays on one page."""

    height: float  # in millimetres, with the gap below it
    marks: tuple[Mark, ...]  # what is on it, from its upper left corner
    leads: bool = False  # whether it stays with the next section, as a heading does
    gives: float = 0.0  # how many more millimetres it may take where a page has room left
    # what stands above it where it begins a page: the name of the pass that it belongs to
    again: "Section | None" = None


Make: TypeAlias = Callable[[float], Sequence[Section]]
Head: TypeAlias = Callable[[float, int, int], Section]


def text_scale(scale: float) -> float:
    """Return the scale of running text: it grows more slowly than labels, which are read from farther away."""
    return min(MOST_TEXT, SMALLEST + (scale - SMALLEST) * 0.7)


def lines(text: str, size: float, width: float, *, bold: bool = False, colour: str = BLACK) -> Section:
    """Return a text in lines of at most `width`."""
    step = size * LEADING
    told = enumerate(wrapped(text, width, size, bold=bold), 1)
    marks = tuple(Text(0, at * step, line, size, bold=bold, colour=colour) for at, line in told)
    return Section(len(marks) * step + size * 0.45, marks)


def stacked(sections: Sequence[Section]) -> Section:
    """Return sections one below the other as one section."""
    y, marks = 0.0, list[Mark]()
    for section in sections:
        marks += placed(section.marks, 0, y)
        y += section.height
    return Section(y, tuple(marks))


def fitted(make: Make, head: Head, paper: Size) -> list[Page]:
    """Return pages of sections in the largest type with which they take the fewest pages.

    `make` returns the sections at a scale of the type; `head` the top of a page: at a scale, of this number, of so
    many. The paper's width and height are in millimetres.
    """
    room = paper[1] - 2 * MARGIN

    def split(scale: float) -> list[list[Section]]:
        return _split(make(scale), room, head(scale, 1, 1).height, head(scale, 2, 2).height)

    scale, best = SMALLEST, split(SMALLEST)
    high = LARGEST
    if len(largest := split(LARGEST)) <= len(best):
        scale, best = LARGEST, largest
    while high / scale > NEAR:
        tried = (high * scale) ** 0.5
        if len(found := split(tried)) <= len(best):
            scale, best = tried, found
        else:
            high = tried
    tops = [head(scale, number, len(best)) for number in range(1, len(best) + 1)]
    spread = min(_spread(sections, room - top.height) for top, sections in zip(tops, best, strict=True))
    return [_page(top, sections, spread, paper) for top, sections in zip(tops, best, strict=True)]


def _split(sections: Sequence[Section], room: float, first: float, other: float) -> list[list[Section]]:
    pages: list[list[Section]] = [[]]
    left = room - first
    for section, following in zip(sections, [*sections[1:], None], strict=True):
        needed = section.height + (following.height if following and section.leads else 0)
        if needed > left and pages[-1]:
            pages.append([])
            left = room - other
            if section.again:
                pages[-1].append(section.again)
                left -= section.again.height
        pages[-1].append(section)
        left -= section.height
    return pages


def _spread(sections: Sequence[Section], room: float) -> float:
    """Return which share of what its sections may take besides a page has room for, 0 to 1."""
    free, wanted = room - sum(each.height for each in sections), sum(each.gives for each in sections)
    return max(0.0, min(1.0, free / wanted)) if wanted else 1.0


def _page(top: Section, sections: Sequence[Section], spread: float, paper: Size) -> Page:
    return Page(*paper, list(_down([top, *sections], spread)))


def _down(sections: Sequence[Section], spread: float) -> Iterator[Mark]:
    y = MARGIN
    for section in sections:
        yield from placed(section.marks, MARGIN, y)
        y += section.height + spread * section.gives
