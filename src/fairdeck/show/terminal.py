"""A document as lines for a terminal: the headline, and what stands under it."""

from collections.abc import Hashable, Iterator, Sequence
from itertools import groupby
from shutil import get_terminal_size
from textwrap import wrap

from fairdeck.document import (
    Blanks,
    Chart,
    Charts,
    Code,
    Details,
    Document,
    Element,
    Fact,
    Facts,
    Heading,
    Items,
    Note,
    Sentence,
    Sheet,
    Steps,
    Table,
)

LABEL = 10  # columns of a label, if none is longer
WIDEST, NARROWEST = 110, 60  # columns of a text that is broken
PAGE_ONLY = Note | Details | Code | Sheet | Blanks | Chart


def lines(document: Document, width: int | None = None) -> Iterator[str]:
    """Yield the lines; with a `width` whatever is a sentence is broken there."""
    yield document.headline
    heading, before = "", "sentences"
    for kind, run in groupby(filter(_is_shown, document.parts), _kind):
        parts = list(run)
        if isinstance(parts[-1], Heading):
            heading = parts[-1].text
            continue
        if heading or ((kind, before) != ("sentences", "sentences") and before != "announcement"):
            yield ""
        if heading:
            yield from _broken(heading, width)
        if kind == "facts":
            yield from _facts(parts, width)
        else:
            for part in parts:
                yield from _lines_of(part, width)
        # What a sentence announces stands right under it.
        announced = isinstance(parts[-1], Sentence) and parts[-1].text.endswith(":")
        heading, before = "", "announcement" if announced else str(kind)
    if document.command:
        yield ""
        yield f"{'again':<{LABEL}}{document.command}"


def _is_shown(part: Element) -> bool:
    return bool(part.lines) if isinstance(part, Charts) else not isinstance(part, PAGE_ONLY)


def _kind(part: Element) -> Hashable:
    """Return what is equal for successive parts without an empty line between them."""
    if isinstance(part, Heading):
        return "headings"
    if isinstance(part, Facts) or (isinstance(part, Sentence) and part.label):
        return "facts"
    return "sentences" if isinstance(part, Sentence) else id(part)


def _lines_of(part: Element, width: int | None) -> Iterator[str]:
    match part:
        case Sentence():
            yield from _broken(part.text, width)
        case Items():
            yield from _items(part, width)
        case Steps():
            yield from _steps(part, width)
        case Table():
            yield from _table(part, width)
        case Charts():
            yield from part.lines


def _facts(run: Sequence[Element], width: int | None) -> Iterator[str]:
    """Yield labels with what they say, all beginning at the same column."""
    facts: list[Fact] = []
    for part in run:
        facts += [Fact(part.label, part.text)] if isinstance(part, Sentence) else []
        facts += part.facts if isinstance(part, Facts) else []
    label = max(LABEL, *(len(fact.label) + 2 for fact in facts))
    for fact in facts:
        yield from _broken(f"{fact.label:<{label}}{fact.text}{fact.rest}", width, " " * label)


def _items(part: Items, width: int | None) -> Iterator[str]:
    mark = max((len(item.mark) for item in part.items), default=0)
    indent = " " * (mark + 4 if mark else 2)
    for item in part.items:
        yield from _broken(f"  {item.mark:>{mark}}  {item.text}" if mark else f"  {item.text}", width, indent)
        for line in [*item.more, *([f"to repair it: {item.repair}"] if item.repair else [])]:
            yield from _broken(f"{indent}  {line}", width, f"{indent}    ")


def _steps(part: Steps, width: int | None) -> Iterator[str]:
    for number, step in enumerate(part.steps, 1):
        first, *others = step.split("\n")
        yield from _broken(first if part.titled else f"{number:>3}. {first}", width, " " * 5)
        indent = " " * (2 if part.titled else 7)
        for line in others:
            yield from _broken(f"{indent}{line}", width, f"{indent}  ")


def _table(table: Table, width: int | None) -> Iterator[str]:
    """Yield the heads and the rows, their columns as wide as what stands in them, and the caption."""
    rows = [list(table.columns), *map(list, table.rows[: table.most])]
    numbers = list(table.columns.values())
    if table.names_last:
        rows, numbers = [[*cells, name] for name, *cells in rows], [*numbers[1:], numbers[0]]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    # A name that is too long for the window stands on a line of its own.
    under = table.names_last and width is not None and sum(widths) + 2 * len(widths) > width
    indent = " " * (widths[0] + 2 if under else 4)
    for at, row in enumerate(rows, -1):
        name = row.pop() if under else ""
        cells = zip(row, widths, numbers, strict=False)
        line = "  ".join(f"{cell:>{wide}}" if number else f"{cell:<{wide}}" for cell, wide, number in cells)
        yield line.rstrip() + (f"  <- {table.marked[at]}" if table.marked.get(at) else "")
        if under and at >= 0:
            yield f"{indent}{name}"
        if table.most is None:
            yield from (f"{indent}{note}" for note in table.notes.get(at, ()))
    rest = len(table.rows) - len(table.rows[: table.most])
    if rest:
        yield f"and {rest:,} {table.more}"
    if table.caption:
        yield from _broken(table.caption, width)


def columns() -> int:
    """Return at which column sentences are broken: where the terminal ends, but not far out."""
    return min(WIDEST, max(NARROWEST, get_terminal_size().columns))


def labelled(label: str, text: str, column: int) -> list[str]:
    """Return a label and a text that begins at a column, in lines as wide as the terminal."""
    return _broken(f"{label:<{column}}{text}", columns(), " " * column)


def _broken(text: str, width: int | None, indent: str = "") -> list[str]:
    """Return a text in lines of this width, the second and later ones indented; in one if there is no width."""
    if width is None:
        return [text]
    first = text[: len(text) - len(text.lstrip())]
    return wrap(
        text.lstrip(),
        width,
        initial_indent=first,
        subsequent_indent=indent,
        break_on_hyphens=False,
        break_long_words=False,  # an address stays whole
    )
