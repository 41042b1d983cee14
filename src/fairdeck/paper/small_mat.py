"""A mat drawn small, with a number on each space that is used, and arrows through the piles."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product
from math import hypot

from fairdeck.dealing.mat import Mat
from fairdeck.paper.fitting import TEXT, Section
from fairdeck.paper.lettering import CAPITAL, breadth, fitting
from fairdeck.paper.marks import Mark, Rectangle, Stroke, Text, colour_of, placed

CELL, WIDEST = 18.0, 36.0  # the width of a space at scale 1; and with long labels
BESIDE, BELOW = 10.0, 15.0  # heights of a space at scale 1: with the number beside the label, and below it
NUMBER = 1.3  # of the size of a label: the size of a number
LEAST = 0.8  # of the usual type: in smaller type the number does not stand beside the label
LOW = 0.8  # of the height of a space: where arrows run
PALE, ARROW = "#cccccc", "#999999"


def small_mat(
    mat: Mat, columns: int, written: Mapping[int, str], path: Sequence[int], scale: float, width: float
) -> Section:
    """Return the used rows of a mat, `columns` wide, with what is `written` on each used space.

    Arrows lead through the piles of the `path`. The scale is that of the type; `width`, in millimetres, is the most
    that it takes.
    """
    labels = {space: mat.labels[space] for space in written}
    longest = max((_beside(labels[space], text, scale) for space, text in written.items()), default=0.0)
    across = min(max(CELL * scale, min(longest, WIDEST * scale)), width / columns)
    shrunk = min(1.0, across / longest) if longest else 1.0  # the type of all spaces alike
    below = shrunk < LEAST
    down = (BELOW if below else BESIDE) * scale
    rows = max(written, default=-1) // mat.columns + 1
    outlines: list[Mark] = []
    words: list[Mark] = []
    for row, column in product(range(rows), range(columns)):
        space = row * mat.columns + column
        x, y, used = column * across, row * down, space in written
        colour = colour_of(row) if used else PALE
        outlines.append(Rectangle(x + 0.4, y + 0.4, across - 0.8, down - 0.8, 1.0 * scale, line=colour))
        if used:
            type_scale = scale if below else scale * shrunk
            words += placed(_on_space(labels[space], written[space], type_scale, across, below=below), x, y)
    marks = (*outlines, *_arrows(mat, path, across, down, scale), *words)
    return Section(rows * down + 1.5 * scale, marks)


def _beside(label: str, number: str, scale: float) -> float:
    """Return how wide a space must be for a number beside a label."""
    return breadth(label, TEXT * scale) + breadth(number, TEXT * NUMBER * scale, bold=True) + 4.5 * scale


def _on_space(label: str, number: str, scale: float, across: float, *, below: bool) -> Iterator[Mark]:
    """Yield a label, and a number beside it or below it."""
    edge, large = 1.5 * scale, TEXT * NUMBER * scale
    first = edge + large * CAPITAL  # the baseline
    yield Text(edge, first, label, fitting(label, across - 2 * edge, TEXT * scale))
    size = fitting(number, across - 2 * edge, large, bold=True)
    yield Text(across - edge, first + (large if below else 0), number, size, "right", bold=True)


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
