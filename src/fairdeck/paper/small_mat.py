"""A mat drawn small, with a number on each space that is used, and arrows through the piles."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product
from math import hypot

from fairdeck.dealing.mat import Mat
from fairdeck.paper.fitting import TEXT, Section
from fairdeck.paper.lettering import CAPITAL, fitting
from fairdeck.paper.look import colour_of
from fairdeck.paper.marks import Mark, Rectangle, Stroke, Text, placed
from fairdeck.paper.sizes import Size

CELL: Size = (18.0, 10.0)  # at scale 1
NARROW = 12.0  # millimetres at scale 1: on a narrower space the number stands below the label, not beside it
LOW = 0.8  # of the height of a space: where arrows run
PALE, ARROW = "#cccccc", "#999999"


def small_mat(
    mat: Mat, columns: int, written: Mapping[int, str], path: Sequence[int], scale: float, width: float
) -> Section:
    """Return the used rows of a mat.

    Args:
        mat: the mat.
        columns: how many of its columns are drawn.
        written: what stands on each used space.
        path: the piles in the order in which arrows lead through them.
        scale: of the type.
        width: the most that it may take, in millimetres.
    """
    across, down = _cell(columns, scale, width)
    rows = max(written, default=-1) // mat.columns + 1
    outlines: list[Mark] = []
    words: list[Mark] = []
    for row, column in product(range(rows), range(columns)):
        space = row * mat.columns + column
        x, y, used = column * across, row * down, space in written
        colour = colour_of(row) if used else PALE
        outlines.append(Rectangle(x + 0.4, y + 0.4, across - 0.8, down - 0.8, 1.0 * scale, line=colour))
        if used:
            words += placed(_on_space(mat.labels[space], written[space], colour, scale, across), x, y)
    marks = (*outlines, *_arrows(mat, path, across, down, scale), *words)
    return Section(rows * down + 1.5 * scale, marks)


def _cell(columns: int, scale: float, width: float) -> Size:
    across = min(CELL[0] * scale, width / columns)
    return across, CELL[1] * scale * (1.0 if across > NARROW * scale else 1.6)


def _on_space(label: str, text: str, colour: str, scale: float, across: float) -> Iterator[Mark]:
    """Yield a label and a number beside each other; on a narrow space, one below the other."""
    narrow, free = across <= NARROW * scale, across - 3.0
    share = free if narrow else free * 0.48
    size = fitting(label, share, TEXT * scale)
    first = 1.6 * scale + TEXT * 1.3 * scale * CAPITAL  # the baseline
    yield Text(1.5, first, label, size, colour=colour)
    size = fitting(text, share, TEXT * 1.3 * scale, bold=True)
    yield Text(across - 1.5, first + (TEXT * 1.3 * scale if narrow else 0), text, size, "right", bold=True)


def _arrows(mat: Mat, path: Sequence[int], across: float, down: float, scale: float) -> Iterator[Mark]:
    """Yield an arrow from each pile to the pile under it, if they are neighbours; longer arrows would cross."""
    for pile, onto in pairwise(path):
        (row, column), (to_row, to_column) = divmod(pile, mat.columns), divmod(onto, mat.columns)
        if max(abs(to_row - row), abs(to_column - column)) > 1:
            continue
        # Below the texts, which must stay readable.
        x, y, to_x, to_y = (
            (column + 0.5) * across,
            (row + LOW) * down,
            (to_column + 0.5) * across,
            (to_row + LOW) * down,
        )
        length = hypot(to_x - x, to_y - y)
        right, below = (to_x - x) / length, (to_y - y) / length
        start, tip = (x + right * scale, y + below * scale), (to_x - right * scale, to_y - below * scale)
        back, wing = (tip[0] - right * 1.8 * scale, tip[1] - below * 1.8 * scale), (-below * scale, right * scale)
        yield Stroke((start, tip), 0.5, ARROW)
        yield Stroke(((back[0] + wing[0], back[1] + wing[1]), tip, (back[0] - wing[0], back[1] - wing[1])), 0.5, ARROW)
