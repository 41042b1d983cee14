"""A sheet that says how to deal, once: labels in groups of five to tick off, pile heights, gathering.

A sheet is for one dealer. It is set in the largest type in which it fits on one page; where even the
smallest does not, it goes on over several.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, product
from math import hypot
from typing import TypeAlias

from fairdeck.instructions import counted, ending, finished_note, pass_note, used_spaces
from fairdeck.mat import Mat
from fairdeck.paper.drawing import (
    BLACK,
    GREY,
    Box,
    Drawing,
    Mark,
    Stroke,
    Words,
    breadth,
    fitting,
    middle,
    placed,
    wrapped,
)
from fairdeck.paper.look import colour_of
from fairdeck.paper.sizes import Size
from fairdeck.plan import Pass, Plan

MARGIN = 12.0
FIVE = 5
WIDE = 10  # columns: a wider mat is drawn as far as it is used, and in the whole breadth of the sheet
SCALES = (1.3, 1.15, 1.0, 0.92, 0.85, 0.78, 0.72, 0.66, 0.6)  # of the type; at the last a capital is 2 mm high
LABEL, TEXT, TITLE = 4.6, 3.4, 5.0  # sizes at scale 1, in millimetres
ROW = 7.4  # from row to row
CELL: Size = (15.0, 10.0)  # of a mat drawn small
QUIET = 4  # dots round a code
PALE, ARROW = "#cccccc", "#999999"
Dots: TypeAlias = Sequence[Sequence[bool]]

ONCE = "Use once, then destroy: whoever has seen this sheet can work out where each card lies."
SCANNED = ("Scan to go on with this deal on", "a phone. Whoever scans it can", "work out the deck.")


def sheet(plan: Plan, dealer: int, paper: Size, *, name: str = "", dots: Dots = ()) -> list[Drawing]:
    """Return the pages of one dealer's sheet.

    Args:
        plan: what to deal.
        dealer: whose sheet, 0 to ``plan.dealers - 1``.
        paper: width and height of a page, in millimetres.
        name: what is written over it, such as the number of the shuffle.
        dots: what a phone may scan: rows of dots, true where it is dark, with no quiet zone; none if empty.
    """
    pages: list[Drawing] = []
    for scale in SCALES:
        pages = _paged(list(_blocks(plan, dealer, scale, paper[0] - 2 * MARGIN, name, dots)), paper)
        if len(pages) == 1:
            break
    if len(pages) > 1:
        for number, page in enumerate(pages, 1):
            at = (paper[0] - MARGIN, paper[1] - MARGIN / 2)
            page.add(Words(*at, f"page {number} of {len(pages)}", TEXT * SCALES[-1], "right", colour=GREY))
    return pages


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a sheet that is not torn apart.

    Attributes:
        height: what it takes, with the space below it.
        marks: what is on it, from its upper left corner.
        leads: whether it stays with the next block, as a heading does.
    """

    height: float
    marks: tuple[Mark, ...]
    leads: bool = False


def _paged(blocks: Sequence[Block], paper: Size) -> list[Drawing]:
    """Put blocks one below the other, over as many pages as it takes."""
    pages, y = [Drawing(*paper)], MARGIN
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        needed = block.height + (following.height if following and block.leads else 0)
        if y + needed > paper[1] - MARGIN and pages[-1].marks:
            pages.append(Drawing(*paper))
            y = MARGIN
        pages[-1].extend(placed(block.marks, MARGIN, y))
        y += block.height
    return pages


def _blocks(plan: Plan, dealer: int, scale: float, width: float, name: str, dots: Dots) -> Iterator[Block]:
    yield _heading(plan, dealer, scale, width, name, dots)
    for number, step in enumerate(plan.passes, 1):
        yield _title(f"Pass {number} of {len(plan.passes)}: {pass_note(step)}", scale, width)
        share = step.shares()[dealer]
        yield from _rows(share, plan.mat, scale, width)
        yield _after(plan, step, share, dealer, scale, width)
    yield _text([f"Done: {ending(plan)}"], scale, width, bold=True)


# --- words


def _heading(plan: Plan, dealer: int, scale: float, width: float, name: str, dots: Dots) -> Block:
    size, whose = TITLE * scale, f", dealer {dealer + 1} of {plan.dealers}" if plan.dealers > 1 else ""
    labels = " ".join(plan.mat.labels[space] for space in used_spaces(plan))
    title = f"{name + ': ' if name else ''}{counted(plan.cards, 'card')} on a {plan.mat} mat{whose}"
    side = 34 * scale if dots else 0.0
    room = width - (side + 6 if dots else 0)
    told = (
        f"{counted(len(plan.passes), 'pass')} on {counted(len(used_spaces(plan)), 'space')} ({labels}). Hold the deck "
        "face down. Deal one card at a time onto the space named, row by row, and tick each five."
    )
    marks: list[Mark] = [Words(0, size, title, fitting(title, room, size), bold=True)]
    y = size * 1.6
    for text, bold in ((told, False), (ONCE, True)):
        block = _text([text], scale, room, bold=bold)
        marks += placed(block.marks, 0, y)
        y += block.height
    if dots:
        marks += _code(dots, width - side, 0, side, scale)
        y = max(y, side + 3 * TEXT * scale + 4)
    return Block(y, tuple(marks))


def _title(text: str, scale: float, width: float) -> Block:
    lines = wrapped(text, width, TEXT * 1.15 * scale)
    step = TEXT * 1.15 * scale * 1.3
    rule = Stroke(((0, 1), (width, 1)), 0.3, GREY)
    words = (Words(0, 1.5 + (at + 1) * step, line, step / 1.3, bold=True) for at, line in enumerate(lines))
    return Block(len(lines) * step + 4 * scale + 1, (rule, *words), leads=True)


def _text(texts: Sequence[str], scale: float, width: float, *, bold: bool = False) -> Block:
    size = TEXT * scale
    lines = [line for text in texts for line in wrapped(text, width, size)]
    marks = tuple(Words(0, (at + 1) * size * 1.3, line, size, bold=bold) for at, line in enumerate(lines))
    return Block(len(lines) * size * 1.3 + 1.5 * scale, marks)


# --- labels


def _rows(share: Sequence[int], mat: Mat, scale: float, width: float) -> Iterator[Block]:
    """Yield rows of groups of five labels, a box to tick before each, and the number of the first card."""
    size = LABEL * scale
    numbers = breadth(str(len(share)), TEXT * scale) + 2
    box, gap = size * 0.75, size * 0.8
    longest = max(breadth(mat.labels[space], size) for space in set(share)) if share else size
    size = min(size, size * (width - numbers - box - gap) / (FIVE * (longest + size * 0.35)))
    cell = max(breadth(mat.labels[space], size) for space in set(share)) + size * 0.35 if share else size
    group = box + size * 0.3 + FIVE * cell + gap
    groups = max(1, int((width - numbers + gap) / group))
    for start in range(0, len(share), FIVE * groups):
        marks: list[Mark] = [
            Words(
                numbers - 2, middle(ROW * scale / 2, TEXT * scale), str(start + 1), TEXT * scale, "right", colour=GREY
            )
        ]
        for at, space in enumerate(share[start : start + FIVE * groups]):
            x = numbers + at // FIVE * group
            if at % FIVE == 0:
                marks.append(Box(x, ROW * scale / 2 - box / 2, box, box, line_width=0.25))
            x += box + size * 0.3 + at % FIVE * cell
            y = middle(ROW * scale / 2, size)
            marks.append(Words(x, y, mat.labels[space], size, bold=True, colour=colour_of(space // mat.columns)))
        yield Block(ROW * scale, tuple(marks))


# --- what comes after a pass


def _after(plan: Plan, step: Pass, share: Sequence[int], dealer: int, scale: float, width: float) -> Block:
    """Return the heights of the piles, and beside them how they are gathered."""
    counts = Pass(tuple(share), ()).counts(plan.mat.spaces)
    notes = list(_notes(plan, step, dealer))
    path = list(reversed(step.stack)) if dealer == 0 else []
    columns = _columns(plan)
    beside = columns <= WIDE
    half = width / 2 - 4 if beside else width
    heights = _small_mat(plan.mat, columns, {s: str(count) for s, count in enumerate(counts) if count}, scale, half)
    order = {space: str(at) for at, space in enumerate(path, 1)}
    gather = _small_mat(plan.mat, columns, order, scale, half, path)
    marks: list[Mark] = list(_text(["Check how high the piles are:"], scale, half, bold=True).marks)
    top = TEXT * scale * 1.3 + 2 * scale
    marks += placed(heights.marks, 0, top)
    height = top + heights.height
    if path:
        at = (width - half, 0.0) if beside else (0.0, height + 2 * scale)
        marks += placed(_text(["Gather along the arrow:"], scale, half, bold=True).marks, *at)
        marks += placed(gather.marks, at[0], at[1] + top)
        height = max(height, at[1] + top + gather.height)
    said = _text(notes, scale, width)
    marks += placed(said.marks, 0, height)
    return Block(height + said.height + 2 * scale, tuple(marks))


def _notes(plan: Plan, step: Pass, dealer: int) -> Iterator[str]:
    labels = plan.mat.labels
    if plan.dealers == 1:
        yield "If a height differs, a card went astray: deal anew."
    else:
        yield "If a height differs, a card of yours went astray: tell the others before anything is joined."
        yield "On every space join the dealers' piles: dealer 1's undermost, the last dealer's on top." + (
            "" if dealer == 0 else " Dealer 1 gathers them."
        )
    if note := finished_note(plan, step):
        yield note
    if dealer == 0 and len(step.stack) > 1:
        moves = [f"{labels[pile]} on {labels[onto]}" for pile, onto in step.moves()]
        yield f"Gather, each time all that lies there: {', then '.join(moves)}."
    elif dealer == 0 and step.stack:
        yield f"Gather: take up {labels[step.stack[0]]}."


def _columns(plan: Plan) -> int:
    """Return how many columns of the mat are drawn: of a wide one no more than are used."""
    used = max(space % plan.mat.columns for space in used_spaces(plan)) + 1
    return plan.mat.columns if plan.mat.columns <= WIDE else max(WIDE, used)


def _cell(columns: int, scale: float, width: float) -> Size:
    return min(CELL[0] * scale, width / columns), CELL[1] * scale


def _small_mat(
    mat: Mat, columns: int, written: dict[int, str], scale: float, width: float, path: Sequence[int] = ()
) -> Block:
    """Return the mat drawn small, as far as its rows are used: something written on some spaces, a path below it."""
    across, down = _cell(columns, scale, width)
    rows = max(written, default=-1) // mat.columns + 1
    outlines: list[Mark] = []
    words: list[Mark] = []
    for row, column in product(range(rows), range(columns)):
        space = row * mat.columns + column
        x, y, used = column * across, row * down, space in written
        colour = colour_of(row) if used else PALE
        outlines.append(Box(x + 0.4, y + 0.4, across - 0.8, down - 0.8, 1.0 * scale, line=colour))
        if used:
            size = fitting(mat.labels[space], across * 0.45, TEXT * 0.8 * scale)
            words.append(Words(x + 1.2, y + 0.9 + size, mat.labels[space], size, colour=colour))
            size = fitting(written[space], across * 0.5, TEXT * 1.2 * scale)
            words.append(Words(x + across - 1.4, y + 1.1 + size, written[space], size, "right", bold=True))
    marks = (*outlines, *_arrows(mat, columns, path, scale, width), *words)
    return Block(rows * down + 1.5 * scale, marks)


def _arrows(mat: Mat, columns: int, path: Sequence[int], scale: float, width: float) -> Iterator[Mark]:
    """Yield an arrow from each pile to the one that it is put on."""
    across, down = _cell(columns, scale, width)
    # Below what is written on the spaces, which stays to be read.
    places = [((space % mat.columns + 0.5) * across, (space // mat.columns + 0.78) * down) for space in path]
    for (x, y), (to_x, to_y) in pairwise(places):
        length = hypot(to_x - x, to_y - y)
        right, below = (to_x - x) / length, (to_y - y) / length
        tip = (to_x - right * 1.5 * scale, to_y - below * 1.5 * scale)
        back = (tip[0] - right * 2.2 * scale, tip[1] - below * 2.2 * scale)
        wing = (-below * 1.1 * scale, right * 1.1 * scale)
        yield Stroke(((x, y), tip), 0.5, ARROW)
        yield Stroke(((back[0] + wing[0], back[1] + wing[1]), tip, (back[0] - wing[0], back[1] - wing[1])), 0.5, ARROW)


def _code(dots: Dots, x: float, y: float, side: float, scale: float) -> Iterator[Mark]:
    """Yield the dots, in runs, with a quiet zone of four round them; and below what they reveal."""
    dot = side / (len(dots) + 2 * QUIET)
    for row, line in enumerate(dots):
        for dark, run in groupby(range(len(line)), line.__getitem__):
            if dark:
                first, *others = run
                at = x + (first + QUIET) * dot, y + (row + QUIET) * dot
                yield Box(*at, (1 + len(others)) * dot, dot, fill=BLACK, line=None)
    size = TEXT * 0.75 * scale
    for number, text in enumerate(SCANNED):
        yield Words(x + side / 2, y + side + (number + 0.5) * size * 1.25, text, size, "centre", colour=GREY)
