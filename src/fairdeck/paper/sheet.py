"""The sheet of one deal: labels in groups of five to tick off, pile heights, gathering.

A sheet is for one dealer. It is set in the largest type in which it fits on one page. If the smallest type does not
fit either, the sheet has several pages.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, product
from math import hypot
from typing import TypeAlias

from fairdeck.dealing.instructions import counted, ending, finished_note, pass_note, used_spaces
from fairdeck.dealing.mat import Mat
from fairdeck.dealing.plan import Pass, Plan
from fairdeck.paper.look import colour_of
from fairdeck.paper.marks import (
    BLACK,
    GREY,
    Mark,
    Page,
    Rectangle,
    Stroke,
    Text,
    breadth,
    fitting,
    middle,
    placed,
    wrapped,
)
from fairdeck.paper.sizes import Size

MARGIN = 12.0
FIVE = 5
WIDE = 10  # columns: of a wider mat only the used columns are drawn, over the whole width of the sheet
SCALES = (1.3, 1.15, 1.0, 0.92, 0.85, 0.78, 0.72, 0.66, 0.6)  # of the type; capitals of the last are 2 mm high
LABEL, TEXT, TITLE = 4.6, 3.4, 5.0  # sizes at scale 1, in millimetres
ROW = 7.4  # from row to row
CELL: Size = (15.0, 10.0)  # of a mat drawn small
QUIET = 4  # white dots round a code
FINEST = 0.35  # millimetres: the smallest dot that phones and printers resolve
MANY = 40  # spaces: more are not listed by label
NARROW = 11.0  # millimetres: on a narrower space the number stands below the label, not beside it
LOW = 0.82  # of the height of a space: where arrows run
PALE, ARROW = "#cccccc", "#999999"
Dots: TypeAlias = Sequence[Sequence[bool]]

ONCE = "Use once, then destroy: anyone who has seen this sheet can work out where each card lies."
SCANNED = ("Scan to continue this deal on", "a phone. Anyone who scans it", "can work out the deck.")


def sheet(plan: Plan, dealer: int, paper: Size, *, name: str = "", dots: Dots = ()) -> list[Page]:
    """Return the pages of one dealer's sheet.

    Args:
        plan: what to deal.
        dealer: the dealer that the sheet is for, 0 to ``plan.dealers - 1``.
        paper: width and height of a page, in millimetres.
        name: what the title begins with, such as the number of the shuffle.
        dots: a QR code for phones, as rows of dots, true where dark, without its quiet zone; may be empty.
    """
    pages: list[Page] = []
    title = _name(plan, dealer, name)
    for scale in SCALES:
        pages = _paged(list(_sections(plan, dealer, scale, paper[0] - 2 * MARGIN, title, dots)), paper)
        if len(pages) == 1:
            break
    if len(pages) > 1:
        for number, page in enumerate(pages, 1):
            at = (paper[0] - MARGIN, paper[1] - MARGIN / 2)
            page.marks.append(
                Text(*at, f"{title}: page {number} of {len(pages)}", TEXT * SCALES[-1], "right", colour=GREY)
            )
    return pages


def _name(plan: Plan, dealer: int, name: str) -> str:
    whose = f", dealer {dealer + 1} of {plan.dealers}" if plan.dealers > 1 else ""
    return f"{name + ': ' if name else ''}{counted(plan.cards, 'card')} on a {plan.mat} mat{whose}"


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a sheet that stays on one page.

    Attributes:
        height: in millimetres, with the gap below it.
        marks: what is on it, from its upper left corner.
        leads: whether it stays with the next section, as a heading does.
        within: the pass that it belongs to, which is named again where a page begins with this section.
    """

    height: float
    marks: tuple[Mark, ...]
    leads: bool = False
    within: str = ""


def _paged(sections: Sequence[Section], paper: Size) -> list[Page]:
    """Put sections one below the other, on as many pages as they need."""
    pages, y = [Page(*paper)], MARGIN
    for section, following in zip(sections, [*sections[1:], None], strict=True):
        needed = section.height + (following.height if following and section.leads else 0)
        if y + needed > paper[1] - MARGIN and pages[-1].marks:
            pages.append(Page(*paper))
            y = MARGIN
            if section.within:
                pages[-1].marks.append(Text(MARGIN, y, f"{section.within}, continued", TEXT * SCALES[-1], bold=True))
                y += TEXT * SCALES[-1]
        pages[-1].marks.extend(placed(section.marks, MARGIN, y))
        y += section.height
    return pages


def _sections(plan: Plan, dealer: int, scale: float, width: float, title: str, dots: Dots) -> Iterator[Section]:
    yield _heading(plan, scale, width, title, dots)
    for number, step in enumerate(plan.passes, 1):
        name = f"Pass {number} of {len(plan.passes)}"
        yield _title(f"{name}: {pass_note(step)}", scale, width)
        share = step.shares()[dealer]
        for row in _rows(share, plan.mat, scale, width):
            yield replace(row, within=name)
        yield replace(_after(plan, step, share, dealer, scale, width), within=name)
    yield _text([f"Done: {ending(plan)}"], scale, width, bold=True)


# --- words


def _heading(plan: Plan, scale: float, width: float, title: str, dots: Dots) -> Section:
    size, spaces = TITLE * scale, used_spaces(plan)
    labels = f" ({' '.join(plan.mat.labels[space] for space in spaces)})" if len(spaces) <= MANY else ""
    side = max(34 * scale, (len(dots) + 2 * QUIET) * FINEST) if dots else 0.0
    free = width - (side + 6 if dots else 0)
    told = (
        f"{counted(len(plan.passes), 'pass')} on {counted(len(spaces), 'space')}{labels}. Keep all cards face "
        "down. Deal one card at a time onto the space named, row by row, and tick each group of five."
    )
    marks: list[Mark] = [Text(0, size, title, fitting(title, free, size), bold=True)]
    y = size * 1.6
    for text, bold in ((told, False), (ONCE, True)):
        section = _text([text], scale, free, bold=bold)
        marks += placed(section.marks, 0, y)
        y += section.height
    if dots:
        marks += _code(dots, width - side, 0, side, scale)
        y = max(y, side + 3 * TEXT * scale + 4)
    return Section(y, tuple(marks))


def _title(text: str, scale: float, width: float) -> Section:
    lines = wrapped(text, width, TEXT * 1.15 * scale)
    step = TEXT * 1.15 * scale * 1.3
    rule = Stroke(((0, 1), (width, 1)), 0.3, GREY)
    words = (Text(0, 1.5 + (at + 1) * step, line, step / 1.3, bold=True) for at, line in enumerate(lines))
    return Section(len(lines) * step + 4 * scale + 1, (rule, *words), leads=True)


def _text(texts: Sequence[str], scale: float, width: float, *, bold: bool = False) -> Section:
    size = TEXT * scale
    lines = [line for text in texts for line in wrapped(text, width, size)]
    marks = tuple(Text(0, (at + 1) * size * 1.3, line, size, bold=bold) for at, line in enumerate(lines))
    return Section(len(lines) * size * 1.3 + 1.5 * scale, marks)


# --- labels


def _rows(share: Sequence[int], mat: Mat, scale: float, width: float) -> Iterator[Section]:
    """Yield rows of groups of five labels; each row begins with the number of its first card, each group with a box."""
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
            Text(numbers - 2, middle(ROW * scale / 2, TEXT * scale), str(start + 1), TEXT * scale, "right", colour=GREY)
        ]
        for at, space in enumerate(share[start : start + FIVE * groups]):
            x = numbers + at // FIVE * group
            if at % FIVE == 0:
                marks.append(Rectangle(x, ROW * scale / 2 - box / 2, box, box, line_width=0.25))
            x += box + size * 0.3 + at % FIVE * cell
            y = middle(ROW * scale / 2, size)
            marks.append(Text(x, y, mat.labels[space], size, bold=True, colour=colour_of(space // mat.columns)))
        yield Section(ROW * scale, tuple(marks))


# --- what comes after a pass


def _after(plan: Plan, step: Pass, share: Sequence[int], dealer: int, scale: float, width: float) -> Section:
    """Return the heights of the piles, and beside or below them how to gather the piles."""
    columns = _columns(plan)
    beside = columns <= WIDE
    half = width / 2 - 4 if beside else width
    drawn: list[tuple[str, dict[int, str], list[int]]] = [("Check how high the piles are:", _heights(share), [])]
    if dealer == 0 and plan.dealers > 1:
        drawn.append(("Joined, they are:", _heights(step.deal), []))
    if dealer == 0 and step.stack:
        path = list(reversed(step.stack))
        drawn.append(("Gather in this order, face down:", {s: str(at) for at, s in enumerate(path, 1)}, path))
    marks: list[Mark] = []
    height, row_height = 0.0, 0.0
    for number, (title, written, path) in enumerate(drawn):
        if number and (not beside or number % 2 == 0):
            height, row_height = height + row_height, 0.0
        section = _titled(title, _small_mat(plan.mat, columns, written, scale, half, path), scale, half)
        marks += placed(section.marks, width - half if beside and number % 2 else 0, height)
        row_height = max(row_height, section.height)
    said = _text(list(_notes(plan, step, dealer)), scale, width)
    marks += placed(said.marks, 0, height + row_height)
    return Section(height + row_height + said.height + 2 * scale, tuple(marks))


def _heights(deal: Sequence[int]) -> dict[int, str]:
    return {space: str(count) for space, count in sorted(Counter(deal).items())}


def _titled(title: str, section: Section, scale: float, width: float) -> Section:
    above = _text([title], scale, width, bold=True)
    top = above.height + 0.5 * scale
    return Section(top + section.height, (*above.marks, *placed(section.marks, 0, top)))


def _notes(plan: Plan, step: Pass, dealer: int) -> Iterator[str]:
    labels = plan.mat.labels
    yield "If a pile does not match, a card is misplaced: stop, destroy this sheet, and make a new one." + (
        "" if plan.dealers == 1 else " Tell the other dealers before any piles are joined."
    )
    if plan.dealers > 1:
        yield "On every space of dealer 1's mat join the piles: dealer 1's at the bottom, the last dealer's on top."
    if dealer:
        return
    if note := finished_note(plan, step):
        yield note
    if len(step.stack) > MANY:
        yield "Gather: put the first pile on the second, both on the third, and so on."
    elif len(step.stack) > 1:
        moves = [f"{labels[pile]} on {labels[onto]}" for pile, onto in step.moves()]
        yield f"Gather, each time the whole pile: {', then '.join(moves)}."
    elif step.stack:
        yield f"Gather: take up {labels[step.stack[0]]}."


def _columns(plan: Plan) -> int:
    """Return how many columns of the mat are drawn: of a wide mat only those that are used."""
    used = max(space % plan.mat.columns for space in used_spaces(plan)) + 1
    return plan.mat.columns if plan.mat.columns <= WIDE else max(WIDE, used)


def _cell(columns: int, scale: float, width: float) -> Size:
    across = min(CELL[0] * scale, width / columns)
    return across, CELL[1] * scale * (1.0 if across > NARROW * scale else 1.5)


def _small_mat(
    mat: Mat, columns: int, written: dict[int, str], scale: float, width: float, path: Sequence[int] = ()
) -> Section:
    """Return a small mat, down to the last used row, with texts on some spaces and arrows along a path."""
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


def _on_space(label: str, text: str, colour: str, scale: float, across: float) -> Iterator[Mark]:
    """Yield a label and a number beside each other; on a narrow space, one below the other."""
    narrow, free = across <= NARROW * scale, across - 2.6
    share = free if narrow else free * 0.48
    size = fitting(label, share, TEXT * 0.8 * scale)
    yield Text(1.2, 0.9 + size, label, size, colour=colour)
    top = 1.1 + (TEXT * 0.8 * scale * 1.1 if narrow else 0)
    size = fitting(text, share, TEXT * 1.2 * scale)
    yield Text(across - 1.4, top + size, text, size, "right", bold=True)


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


def _code(dots: Dots, x: float, y: float, side: float, scale: float) -> Iterator[Mark]:
    """Yield the dots, in runs, with a quiet zone of four around them, and a warning below."""
    dot = side / (len(dots) + 2 * QUIET)
    for row, line in enumerate(dots):
        for dark, run in groupby(range(len(line)), line.__getitem__):
            if dark:
                first, *others = run
                at = x + (first + QUIET) * dot, y + (row + QUIET) * dot
                yield Rectangle(*at, (1 + len(others)) * dot, dot, fill=BLACK, line=None)
    size = TEXT * 0.75 * scale
    for number, text in enumerate(SCANNED):
        yield Text(x + side / 2, y + side + (number + 0.5) * size * 1.25, text, size, "centre", colour=GREY)
