"""The sheets of a packet procedure: for each player what to do, with a box to tick for each step.

The sentences are those of `fairdeck.packets.instructions`, in English.
"""

from collections.abc import Iterator, Sequence

from fairdeck.packets.instructions import Procedure, Sentence, step_title
from fairdeck.paper.fitting import MARGIN, TEXT, Section, fitted, lines, stacked
from fairdeck.paper.lettering import breadth, fitting, middle
from fairdeck.paper.marks import GREY, Mark, Page, Rectangle, Stroke, Text, placed
from fairdeck.paper.sizes import Size

TITLE, HEADING = 1.5, 1.15  # of the size of the text
BOX = 1.1
MOST = 1.7  # the largest scale: paragraphs in larger type are not easier to read at a table


def sheets(procedure: Procedure, paper: Size) -> list[Page]:
    """Return a sheet for each player, or one sheet if one person does everything; each may take several pages."""
    return [page for who in procedure.everyone() for page in _sheet(procedure, who, paper)]


def _sheet(procedure: Procedure, who: str, paper: Size) -> list[Page]:
    width = paper[0] - 2 * MARGIN

    def head(scale: float, number: int, pages: int) -> Section:
        size = TEXT * min(scale, MOST)
        flow = procedure.flow
        title = f"{who}: {flow.title or flow.name}" if who else flow.title or flow.name
        which = f"{flow.name} · {procedure.work()} · page {number} of {pages}"
        small = Section(size * 1.9, (Text(0, size, which, fitting(which, width, size)),))
        return stacked([lines(title, size * TITLE, width, bold=True), small])

    def make(scale: float) -> list[Section]:
        size = TEXT * min(scale, MOST)
        parts = [_part("Begin", procedure.opening(), size, width)]
        for numbers, sentences in procedure.alike(who):
            parts += _steps(numbers, sentences or [Sentence(who, "Wait: the others work.")], size, width)
        return [*parts, _part("End", procedure.ending(), size, width)]

    return fitted(make, head, paper)


def _part(title: str, text: str, size: float, width: float) -> Section:
    return stacked([_heading(title, size, width), lines(text, size, width), Section(size * 0.5, ())])


def _heading(title: str, size: float, width: float) -> Section:
    rule = Stroke(((0, 0), (width, 0)), 0.3, GREY)
    told = lines(title, size * HEADING, width, bold=True)
    return Section(told.height + size * 0.5, (rule, *placed(told.marks, 0, size * 0.4)), leads=True)


def _steps(numbers: Sequence[int], sentences: Sequence[Sentence], size: float, width: float) -> Iterator[Section]:
    """Yield the steps of these numbers, which are alike: a title, boxes to tick, and a paragraph for each sentence."""
    title = _heading(step_title(numbers), size, width)
    boxes = _boxes(numbers, size, width)
    yield Section(title.height + boxes.height, (*title.marks, *placed(boxes.marks, 0, title.height)), leads=True)
    for sentence in sentences:
        told = lines(sentence.says, size, width)
        yield Section(told.height + size * 0.3, told.marks, gives=size * 0.8)
    yield Section(size * 0.3, (), gives=size)


def _boxes(numbers: Sequence[int], size: float, width: float) -> Section:
    """Return a box to tick for each step, with its number."""
    side = BOX * size
    pitch = side + breadth(str(numbers[-1]), size) + size
    across = max(1, int(width / pitch))
    marks: list[Mark] = []
    for at, number in enumerate(numbers):
        x, y = at % across * pitch, at // across * side * 1.5
        marks.append(Rectangle(x, y, side, side, line_width=0.25))
        marks.append(Text(x + side + size * 0.3, middle(y + side / 2, size), str(number), size, colour=GREY))
    return Section((len(numbers) - 1) // across * side * 1.5 + side * 1.5, tuple(marks))
