"""The sheets of a packet procedure: for each player what to do, with a box to tick for each step.

The sentences are those of `fairdeck.packets.instructions`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fairdeck.packets.instructions import Procedure
from fairdeck.paper.fitting import MARGIN, TEXT, Section, fitted, lines, stacked
from fairdeck.paper.lettering import breadth, fitting, middle
from fairdeck.paper.marks import GREY, Mark, Page, Rectangle, Stroke, Text, placed
from fairdeck.paper.sizes import Size
from fairdeck.steps import Step

TITLE, HEADING = 1.5, 1.15  # of the size of the text
BOX = 1.1
MOST = 2.4  # the largest scale: in larger type a line has too few words


def sheets(procedure: Procedure, paper: Size, *, language: str = "en") -> list[Page]:
    """Return a sheet for each player, or one sheet if one person does everything; each may take several pages.

    The paper is width and height, in millimetres; `language` is one of `fairdeck.words.LANGUAGES`.
    """
    told = replace(procedure, language=language)
    return [page for who in told.everyone() for page in _sheet(told, who, paper)]


def _sheet(procedure: Procedure, who: str, paper: Size) -> list[Page]:
    width, say = paper[0] - 2 * MARGIN, procedure.words.say

    def head(scale: float, number: int, pages: int) -> Section:
        size = TEXT * min(scale, MOST)
        title = say("forPlayer", who=who, title=procedure.title()) if who else procedure.title()
        page = say("pageOf", number=number, all=pages)
        which = f"{procedure.flow.name} · {procedure.work()} · {page}"
        small = Section(size * 1.9, (Text(0, size, which, fitting(which, width, size)),))
        return stacked([lines(title, size * TITLE, width, bold=True), small])

    def make(scale: float) -> list[Section]:
        size = TEXT * min(scale, MOST)
        parts = [_part(say("begin"), procedure.opening(), size, width)]
        for numbers, sentences in procedure.alike(who):
            parts += _steps(procedure.step_title(numbers), numbers, sentences, size, width)
        return [*parts, _part(say("end"), procedure.ending(), size, width)]

    return fitted(make, head, paper)


def _part(title: str, text: str, size: float, width: float) -> Section:
    return stacked([_heading(title, size, width), lines(text, size, width), Section(size * 0.5, ())])


def _heading(title: str, size: float, width: float) -> Section:
    rule = Stroke(((0, 0), (width, 0)), 0.3, GREY)
    told = lines(title, size * HEADING, width, bold=True)
    return Section(told.height + size * 0.5, (rule, *placed(told.marks, 0, size * 0.4)), leads=True)


def _steps(
    title: str, numbers: Sequence[int], sentences: Sequence[Step], size: float, width: float
) -> Iterator[Section]:
    """Yield the steps of these numbers, which are alike: a title, boxes to tick, and a paragraph for each sentence."""
    heading = _heading(title, size, width)
    boxes = _boxes(numbers, size, width)
    marks = (*heading.marks, *placed(boxes.marks, 0, heading.height))
    yield Section(heading.height + boxes.height, marks, leads=True)
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
