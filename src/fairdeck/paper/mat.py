"""A mat to print: a space for each pile, true to size, over as many sheets as it takes.

A space is the outline of a card with its label above, so that it can be read while a pile lies
there. Sheets are cut between spaces; a sheet with another one to its right, or below, has a tab there
to glue it on, and that one is cut along its edge.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from fairdeck.dealing.mat import Mat
from fairdeck.errors import FairdeckError
from fairdeck.paper.lettering import LEADING, block, breadth, fitting, middle, wrapped
from fairdeck.paper.marks import GREY, Mark, Page, Point, Rectangle, Stroke, Text, colour_of, pattern, placed
from fairdeck.paper.sizes import Size
from fairdeck.words import Words

MARGIN = 5.0  # most printers cannot print nearer to the edge
TAB = 10.0
GAP = 3.0  # between spaces
STRIP = 8.0  # for the label, above a space
CORNER = 3.0  # the radius of a card's corners
PALE, TABS = "#d4d4d4", "#eeeeee"
NOTE = 2.6  # the size of small print
CUT = (2.0, 1.0)  # dashes
LEFT_FREE = 10.0  # for "50 mm", which stands to the left of what stands in the corner
NARROWEST = 8.0  # what the words of a bar may take in the narrowest space
FIFTY, TWO_INCHES = 50.0, 50.8  # millimetres: the lengths on the scale bar
TICK = 1.6
SHRUNK = 0.95  # to the next smaller size that is tried
HOW_TO = ("matDeal", "matCheck", "matGather", "matRandom")


@dataclass(frozen=True, slots=True)
class Layout:
    """How a mat lies on sheets of paper."""

    paper: Size  # width and height of a sheet, as it is turned
    card: Size  # width and height of a space
    columns: tuple[int, ...]  # how many columns of the mat each column of sheets has
    rows: tuple[int, ...]  # how many rows of the mat each row of sheets has

    @property
    def pitch(self) -> Size:
        """From space to space, to the right and down."""
        return self.card[0] + GAP, self.card[1] + STRIP + GAP

    def __len__(self) -> int:
        return len(self.columns) * len(self.rows)


def layout(mat: Mat, card: Size, paper: Size) -> Layout:
    """Return how a mat lies on the fewest sheets, upright or on their side; among equals, as the mat is shaped.

    Card and paper are width and height, in millimetres.
    """
    upright, lying = _on(mat, card, paper), _on(mat, card, (paper[1], paper[0]))
    wide = mat.columns * card[0] > mat.rows * card[1]
    found = [each for each in ((lying, upright) if wide else (upright, lying)) if each]
    if not found:
        raise FairdeckError(
            f"a card of {card[0]:g} x {card[1]:g} mm does not fit on a sheet of {paper[0]:g} x {paper[1]:g} mm: "
            "choose a larger paper"
        )
    return min(found, key=len)


def _on(mat: Mat, card: Size, paper: Size) -> Layout | None:
    pitch = Layout(paper, card, (), ()).pitch
    columns, rows = _shared(mat.columns, pitch[0], paper[0]), _shared(mat.rows, pitch[1], paper[1])
    return Layout(paper, card, columns, rows) if columns and rows else None


def _shared(spaces: int, pitch: float, length: float) -> tuple[int, ...]:
    """Return how many spaces each sheet in a row of them has, as evenly as possible; empty if none fits."""
    printable = length - 2 * MARGIN
    if spaces * pitch - GAP <= printable:
        return (spaces,)
    most = int((printable - TAB) / pitch)
    count = ceil(spaces / most) if most else 0
    return tuple(spaces * (at + 1) // count - spaces * at // count for at in range(count))


@dataclass(frozen=True, slots=True)
class Window:
    """What a sheet shows of the mat, along one axis."""

    start: float  # where it begins on the mat: at its edge, or in the middle of a gap
    end: float  # where it ends
    first: int  # the first column, or row, of the mat in it
    cut: bool  # whether it is glued onto the sheet before
    tab: bool  # whether the next sheet is glued onto it
    shift: float  # what to add to a place on the mat for the place on the sheet


def _window(shares: tuple[int, ...], at: int, pitch: float, length: float) -> Window:
    first, cut, tab = sum(shares[:at]), at > 0, at < len(shares) - 1
    start = first * pitch - (GAP / 2 if cut else 0)
    end = (first + shares[at]) * pitch - (GAP / 2 if tab else GAP)
    used = end - start + (TAB if tab else 0)
    return Window(start, end, first, cut, tab, (length - used) / 2 - start)


def pages_of(mat: Mat, on: Layout, *, language: str = "en") -> list[Page]:
    """Return the sheets as pages, row by row; `language` is one of `fairdeck.words.LANGUAGES`."""
    places = [(row, column) for row in range(len(on.rows)) for column in range(len(on.columns))]
    return [_page(mat, on, row, column, Words(language)) for row, column in places]


def _page(mat: Mat, on: Layout, row: int, column: int, words: Words) -> Page:
    page = Page(*on.paper)
    across = _window(on.columns, column, on.pitch[0], on.paper[0])
    down = _window(on.rows, row, on.pitch[1], on.paper[1])
    for space_row in range(down.first, down.first + on.rows[row]):
        for space_column in range(across.first, across.first + on.columns[column]):
            space = space_row * mat.columns + space_column
            x = space_column * on.pitch[0] + across.shift
            y = space_row * on.pitch[1] + down.shift
            page.marks.extend(_space(mat, space, x, y, on.card))
            if space == mat.spaces - 1:
                page.marks.extend(_how_to(words, x, y + STRIP, on.card))
    first_x, first_y = across.first * on.pitch[0] + across.shift, down.first * on.pitch[1] + down.shift + STRIP
    page.marks.extend(placed(_scale_bar(on.card, words), first_x, first_y))
    if len(on) > 1:
        number = row * len(on.columns) + column + 1
        page.marks.extend(_joints(across, down, number, len(on.columns), words))
        told = [words.say("sheetOf", number=number, all=len(on))]
        told += [words.say("cutOff")] * (across.cut or down.cut)
        page.marks.extend(placed(_corner(told, on.card[0]), first_x, first_y))
    return page


def _corner(told: list[str], width: float) -> Iterator[Mark]:
    """Yield lines in the upper right corner of a space, from the upper left corner of it.

    Printers reach it, unlike the waste at the edges of a sheet.
    """
    for at, line in enumerate(told):
        size = fitting(line, width - 5 - LEFT_FREE * (at > 0), NOTE)
        yield Text(width - 2, NOTE + 1.0 + at * LEADING * NOTE, line, size, "right", colour=GREY)


def _space(mat: Mat, space: int, x: float, y: float, card: Size) -> Iterator[Mark]:
    """Yield the strip with the label, its upper left corner at (x, y), and the outline of the card below."""
    row, label, (width, height) = space // mat.columns, mat.labels[space], card
    colour, top = colour_of(row), y + STRIP
    size = fitting(label, width * 0.9, STRIP * 0.9, bold=True)
    written = breadth(label, size, bold=True) + 2
    yield Text(x + 1, middle(y + STRIP / 2, size), label, size, bold=True)
    if written < width:
        yield from pattern(row, x + written, y + 1.5, width - written, STRIP - 3)
    yield Rectangle(x, top, width, height, CORNER, line=colour)
    size = fitting(label, width * 0.8, height * 0.3, bold=True)
    yield Text(x + width / 2, middle(top + height / 2, size), label, size, "centre", bold=True, colour=PALE)


def _scale_bar(card: Size, words: Words) -> Iterator[Mark]:
    """Yield a bar of 50 mm and one of 2 inches, from the upper left corner of a space.

    It lies within the space, if that is long enough one way; else it lies across the next spaces.
    """
    upright = card[0] < TWO_INCHES + 6 <= card[1]
    start, beside = 3.0, 4.5 if upright else 10.0

    def at(along: float, aside: float) -> Point:
        return (beside + aside, start + along) if upright else (start + along, beside + aside)

    for length, parts, way in ((FIFTY, 5, -TICK), (TWO_INCHES, 4, TICK)):
        side = way / 4  # the two lines lie beside each other
        yield Stroke((at(0, side), at(length, side)), 0.2)
        for part in range(parts + 1):
            yield Stroke((at(length * part / parts, side), at(length * part / parts, side + way)), 0.2)
    if upright:
        x = beside + TICK + 1.5
        size, told = block(f"50 mm, {words.say('measure')}", max(card[0] - x - 1, NARROWEST), NOTE)
        for line, text in enumerate(told):
            yield Text(x, start + 8.5 + line * size * LEADING, text, size)
    else:
        text = words.say("measure")
        yield Text(start, beside - TICK - 1.2, "50 mm", NOTE)
        yield Text(start, beside + TICK + 1.0 + NOTE, text, fitting(text, TWO_INCHES, NOTE))


def _how_to(words: Words, x: float, y: float, card: Size) -> Iterator[Mark]:
    """Yield how to use a mat: in the lower third of a space, whose upper left corner is at (x, y)."""
    texts, width = [words.say(key) for key in HOW_TO], card[0] - 4
    size, _ = block(" ".join(texts), width, NOTE)

    def told() -> list[str]:
        return [line for text in texts for line in wrapped(text, width, size)]

    while len(told()) * LEADING * size > card[1] * 0.3:
        size *= SHRUNK
    lines = told()
    last = y + card[1] - 2
    for at, line in enumerate(lines, 1):
        yield Text(x + 2, last - (len(lines) - at) * LEADING * size, line, size, colour=GREY)


def _joints(across: Window, down: Window, number: int, columns: int, words: Words) -> Iterator[Mark]:
    """Yield where to cut a sheet, and where to glue on the next ones."""
    left, right = across.start + across.shift, across.end + across.shift
    top, bottom = down.start + down.shift, down.end + down.shift
    if across.cut:
        yield Stroke(((left, top), (left, bottom)), dash=CUT)
    if down.cut:
        yield Stroke(((left, top), (right, top)), dash=CUT)
    if across.tab:
        yield Rectangle(right, top, TAB, bottom - top, fill=TABS, line=GREY, line_width=0.2)
        size, told = block(words.say("glue", number=number + 1), TAB - 1, NOTE)
        for at, line in enumerate(told):
            yield Text(right + TAB / 2, (top + bottom) / 2 + at * LEADING * size, line, size, "centre", colour=GREY)
    if down.tab:
        yield Rectangle(left, bottom, right - left, TAB, fill=TABS, line=GREY, line_width=0.2)
        text = words.say("glue", number=number + columns)
        size = fitting(text, right - left - 1, NOTE)
        yield Text((left + right) / 2, middle(bottom + TAB / 2, size), text, size, "centre", colour=GREY)
