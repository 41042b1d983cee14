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
from fairdeck.paper.lettering import LEADING, breadth, fitting, middle
from fairdeck.paper.look import colour_of, pattern
from fairdeck.paper.marks import GREY, Mark, Page, Point, Rectangle, Stroke, Text, placed
from fairdeck.paper.sizes import Size

MARGIN = 5.0  # most printers cannot print nearer to the edge
TAB = 10.0
GAP = 3.0  # between spaces
STRIP = 8.0  # for the label, above a space
CORNER = 3.0  # the radius of a card's corners
PALE, TABS = "#d4d4d4", "#eeeeee"
NOTE = 2.6  # the size of small print
CUT = (2.0, 1.0)  # dashes
FIFTY, TWO_INCHES = 50.0, 50.8  # millimetres: the lengths on the scale bar
TICK = 1.6
HOW_TO = (
    "Deal the deck onto the spaces as",
    "the page, the sheet or the voice says.",
    "Check how high the piles are.",
    "Gather as it says, and deal again.",
    "The deck is random: every order",
    "is equally likely.",
)


@dataclass(frozen=True, slots=True)
class Layout:
    """How a mat lies on sheets of paper.

    Attributes:
        paper: width and height of a sheet, as it is turned.
        card: width and height of a space.
        columns: how many columns of the mat each column of sheets has.
        rows: how many rows of the mat each row of sheets has.
    """

    paper: Size
    card: Size
    columns: tuple[int, ...]
    rows: tuple[int, ...]

    @property
    def pitch(self) -> Size:
        """From space to space, to the right and down."""
        return self.card[0] + GAP, self.card[1] + STRIP + GAP

    def __len__(self) -> int:
        return len(self.columns) * len(self.rows)


def layout(mat: Mat, card: Size, paper: Size) -> Layout:
    """Return how a mat lies on the fewest sheets, upright or on their side; among equals, as the mat is shaped.

    Args:
        mat: the mat.
        card: width and height of a card, in millimetres.
        paper: width and height of a sheet, in millimetres.
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
    """What a sheet shows of the mat, along one axis.

    Attributes:
        start: where it begins on the mat: at its edge, or in the middle of a gap.
        end: where it ends.
        first: the first column, or row, of the mat in it.
        cut: whether it is glued onto the sheet before.
        tab: whether the next sheet is glued onto it.
        shift: what to add to a place on the mat for the place on the sheet.
    """

    start: float
    end: float
    first: int
    cut: bool
    tab: bool
    shift: float


def _window(shares: tuple[int, ...], at: int, pitch: float, length: float) -> Window:
    first, cut, tab = sum(shares[:at]), at > 0, at < len(shares) - 1
    start = first * pitch - (GAP / 2 if cut else 0)
    end = (first + shares[at]) * pitch - (GAP / 2 if tab else GAP)
    used = end - start + (TAB if tab else 0)
    return Window(start, end, first, cut, tab, (length - used) / 2 - start)


def pages_of(mat: Mat, on: Layout) -> list[Page]:
    """Return the sheets as pages, row by row."""
    return [_page(mat, on, row, column) for row in range(len(on.rows)) for column in range(len(on.columns))]


def _page(mat: Mat, on: Layout, row: int, column: int) -> Page:
    page = Page(*on.paper)
    across = _window(on.columns, column, on.pitch[0], on.paper[0])
    down = _window(on.rows, row, on.pitch[1], on.paper[1])
    for space_row in range(down.first, down.first + on.rows[row]):
        for space_column in range(across.first, across.first + on.columns[column]):
            x = space_column * on.pitch[0] + across.shift
            y = space_row * on.pitch[1] + down.shift
            page.marks.extend(_space(mat, space_row * mat.columns + space_column, x, y, on.card))
    first_x, first_y = across.first * on.pitch[0] + across.shift, down.first * on.pitch[1] + down.shift + STRIP
    page.marks.extend(placed(_scale_bar(upright=on.card[0] < TWO_INCHES + 6 <= on.card[1]), first_x, first_y))
    if len(on) > 1:
        number = row * len(on.columns) + column + 1
        page.marks.extend(_joints(across, down, number, len(on.columns)))
        page.marks.append(
            Text(
                first_x + on.card[0] - 2,
                first_y + NOTE + 1.5,
                f"sheet {number} of {len(on)}",
                NOTE,
                "right",
                colour=GREY,
            )
        )
    return page


def _space(mat: Mat, space: int, x: float, y: float, card: Size) -> Iterator[Mark]:
    """Yield the strip with the label, its upper left corner at (x, y), and the outline of the card below."""
    row, label, (width, height) = space // mat.columns, mat.labels[space], card
    colour, top = colour_of(row), y + STRIP
    size = fitting(label, width * 0.9, STRIP * 0.9, bold=True)
    written = breadth(label, size, bold=True) + 2
    yield Text(x + 1, middle(y + STRIP / 2, size), label, size, bold=True, colour=colour)
    if written < width:
        yield from pattern(row, x + written, y + 1.5, width - written, STRIP - 3)
    yield Rectangle(x, top, width, height, CORNER, line=colour)
    size = fitting(label, width * 0.8, height * 0.3, bold=True)
    yield Text(x + width / 2, middle(top + height / 2, size), label, size, "centre", bold=True, colour=PALE)
    if space == mat.spaces - 1:
        yield from _how_to(x + 2, top + height - 2, width - 4, height * 0.3)


def _scale_bar(*, upright: bool) -> Iterator[Mark]:
    """Yield a bar of 50 mm and one of 2 inches, from the upper left corner of a space.

    It lies within the space, if that is long enough one way; else it lies across the next spaces.
    """
    start, beside = 3.0, 4.5 if upright else 10.0

    def at(along: float, aside: float) -> Point:
        return (beside + aside, start + along) if upright else (start + along, beside + aside)

    for length, parts, way in ((FIFTY, 5, -TICK), (TWO_INCHES, 4, TICK)):
        side = way / 4  # the two lines lie beside each other
        yield Stroke((at(0, side), at(length, side)), 0.2)
        for part in range(parts + 1):
            yield Stroke((at(length * part / parts, side), at(length * part / parts, side + way)), 0.2)
    if upright:
        for line, words in enumerate(("50 mm,", "2 in:", "measure")):
            yield Text(beside + TICK + 1.5, start + 5.5 + line * NOTE * LEADING, words, NOTE)
    else:
        yield Text(start, beside - TICK - 1.2, "50 mm", NOTE)
        yield Text(start, beside + TICK + 1.0 + NOTE, "2 in: measure both after printing", NOTE)


def _how_to(x: float, bottom: float, width: float, height: float) -> Iterator[Mark]:
    """Yield how to use a mat, up from a lower left corner."""
    size = min(NOTE, *(fitting(line, width, NOTE) for line in HOW_TO), height / len(HOW_TO) / LEADING)
    for at, line in enumerate(reversed(HOW_TO)):
        yield Text(x, bottom - at * LEADING * size, line, size, colour=GREY)


def _joints(across: Window, down: Window, number: int, columns: int) -> Iterator[Mark]:
    """Yield where to cut a sheet, and where to glue on the next ones."""
    left, right = across.start + across.shift, across.end + across.shift
    top, bottom = down.start + down.shift, down.end + down.shift
    if across.cut:
        yield Stroke(((left, top), (left, bottom)), dash=CUT)
        yield Text(left - 0.6, top + 10, "cut", NOTE, "right", colour=GREY)
    if down.cut:
        yield Stroke(((left, top), (right, top)), dash=CUT)
        yield Text(left + 10, top - 0.8, "cut", NOTE, colour=GREY)
    if across.tab:
        yield Rectangle(right, top, TAB, bottom - top, fill=TABS, line=GREY, line_width=0.2)
        yield Text(right + TAB / 2, (top + bottom) / 2, f"glue {number + 1}", NOTE, "centre", colour=GREY)
    if down.tab:
        yield Rectangle(left, bottom, right - left, TAB, fill=TABS, line=GREY, line_width=0.2)
        at = middle(bottom + TAB / 2, NOTE)
        yield Text((left + right) / 2, at, f"glue sheet {number + columns} here", NOTE, "centre", colour=GREY)
