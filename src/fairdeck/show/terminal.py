"""A document as lines for a terminal: the headline, and what stands under it."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import groupby
from shutil import get_terminal_size
from textwrap import wrap
from typing import NamedTuple

from fairdeck import document as doc

LABEL = 10  # columns of a label, if none is longer
WIDEST, NARROWEST = 110, 20  # columns of a text that is broken
PAGE_ONLY = doc.Note | doc.Details | doc.Code | doc.Sheet | doc.Blanks | doc.Chart
BOLD, DIM, RED, PLAIN = "1", "2", "1;31", "\x1b[0m"


class Line(NamedTuple):
    """A line; its first `letters`, or all of them, have a style."""

    text: str
    style: str = ""
    letters: int | None = None


def lines(document: doc.Document, width: int | None = None) -> Iterator[str]:
    """Yield the lines; with a `width` all but the headline are broken there."""
    yield document.headline
    yield from (line.text for line in _lines(document, width))


def fitted(document: doc.Document, width: int, clean: Callable[[str], str], *, colours: bool) -> Iterator[str]:
    """Yield the lines for a window: none is longer, but for a word that is; `clean` leaves only what prints.

    With `colours` headings are bold, labels dim, and the headline has a rule under it.
    """
    headline = [Line(text, RED if document.outcome == "fail" else BOLD) for text in _broken(document.headline, width)]
    yield from _dressed(headline, _lines(document, width), width, clean, colours)


def fitted_text(
    text: str, width: int, clean: Callable[[str], str], *, colours: bool, rows_only: bool = False
) -> Iterator[str]:
    r"""Yield a text for a window: its paragraphs anew, its indented rows, or all rows, as they are where they fit.

    The first line is the headline; a paragraph that begins with a word in capitals is bold.

    >>> print(*fitted_text("A plan.\nHold the deck;\nthen deal.\n\n  1  A1", 19, str, colours=False), sep="\n")
    A plan.
    Hold the deck; then
    deal.
    <BLANKLINE>
      1  A1
    """
    headline, *rest = text.split("\n")
    rows: list[Line] = []
    for prose, run in groupby(rest, lambda line: bool(line.strip()) and line[0] != " "):
        for line in [" ".join(run)] if prose and not rows_only else run:
            style = BOLD if prose and not rows_only and line.split()[0].isupper() else ""
            shown = [line] if len(line) <= width else _broken(line.strip(), width)
            rows += [Line(each, style) for each in shown]
    yield from _dressed([Line(each, BOLD) for each in _broken(headline, width)], rows, width, clean, colours)


def _dressed(
    headline: Sequence[Line], under: Iterable[Line], width: int, clean: Callable[[str], str], colours: bool
) -> Iterator[str]:
    rule = [Line("─" * min(width, WIDEST), DIM)] if colours else []
    for line in (*headline, *rule, *under):
        text = clean(line.text)
        end = len(text) if line.letters is None else line.letters
        dressed = colours and line.style and text
        yield f"\x1b[{line.style}m{text[:end]}{PLAIN}{text[end:]}" if dressed else text


def _lines(document: doc.Document, width: int | None) -> Iterator[Line]:
    """Yield what stands under the headline."""
    heading, before = "", "sentences"
    for kind, run in groupby(filter(_is_shown, document.parts), _kind):
        parts = list(run)
        if isinstance(parts[-1], doc.Heading):
            heading = parts[-1].text
            continue
        if heading or ((kind, before) != ("sentences", "sentences") and before != "announcement"):
            yield Line("")
        if heading:
            yield from (Line(text, BOLD) for text in _broken(heading, width))
        if kind == "facts":
            yield from _facts(parts, width)
        else:
            for part in parts:
                yield from _lines_of(part, width)
        # What a sentence announces stands right under it.
        announced = isinstance(parts[-1], doc.Sentence) and parts[-1].text.endswith(":")
        heading, before = "", "announcement" if announced else str(kind)
    if document.command:
        yield Line("")
        yield from _labelled("again", LABEL, document.command, width)


def _is_shown(part: doc.Element) -> bool:
    return bool(part.lines) if isinstance(part, doc.Charts) else not isinstance(part, PAGE_ONLY)


def _kind(part: doc.Element) -> Hashable:
    """Return what is equal for successive parts without an empty line between them."""
    if isinstance(part, doc.Heading):
        return "headings"
    if isinstance(part, doc.Facts) or (isinstance(part, doc.Sentence) and part.label):
        return "facts"
    return "sentences" if isinstance(part, doc.Sentence) else id(part)


def _lines_of(part: doc.Element, width: int | None) -> Iterator[Line]:
    match part:
        case doc.Sentence():
            yield from map(Line, _broken(part.text, width))
        case doc.Items():
            yield from map(Line, _items(part, width))
        case doc.Steps():
            yield from map(Line, _steps(part, width))
        case doc.Table():
            yield from _table(part, width)
        case doc.Charts():
            for line in part.lines:
                yield from map(Line, [line] if "  " in line else _broken(line, width))  # a row of bars is not broken


def _facts(run: Sequence[doc.Element], width: int | None) -> Iterator[Line]:
    """Yield labels with what they say, all beginning at the same column."""
    facts: list[doc.Fact] = []
    for part in run:
        facts += [doc.Fact(part.label, part.text)] if isinstance(part, doc.Sentence) else []
        facts += part.facts if isinstance(part, doc.Facts) else []
    column = max(LABEL, *(len(fact.label) + 2 for fact in facts))
    for fact in facts:
        yield from _labelled(fact.label, column, f"{fact.text}{fact.rest}", width)


def _labelled(label: str, column: int, text: str, width: int | None) -> Iterator[Line]:
    """Yield a label and a text from a column on; in a narrow window the text stands under the label."""
    if width is not None and column > width // 2:
        yield from (Line(line, DIM) for line in _broken(label, width))
        yield from map(Line, _broken(f"  {text}", width, "  "))
        return
    first, *others = _broken(f"{label:<{column}}{text}", width, " " * column)
    yield Line(first, DIM, len(label))
    yield from map(Line, others)


def _items(part: doc.Items, width: int | None) -> Iterator[str]:
    mark = max((len(item.mark) for item in part.items), default=0)
    indent = _within(width, " " * (mark + 4 if mark else 2))
    for item in part.items:
        yield from _broken(f"  {item.mark:>{mark}}  {item.text}" if mark else f"  {item.text}", width, indent)
        for line in [*item.more, *([f"to repair it: {item.repair}"] if item.repair else [])]:
            yield from _broken(f"{indent}  {line}", width, f"{indent}    ")


def _within(width: int | None, indent: str) -> str:
    """Return an indent, or a short one where it would take more than a third of the window."""
    return "  " if width is not None and len(indent) > width // 3 else indent


def _steps(part: doc.Steps, width: int | None) -> Iterator[str]:
    for number, step in enumerate(part.steps, 1):
        first, *others = step.split("\n")
        yield from _broken(first if part.titled else f"{number:>3}. {first}", width, " " * 5)
        indent = " " * (2 if part.titled else 7)
        for line in others:
            yield from _broken(f"{indent}{line}", width, f"{indent}  ")


def _table(table: doc.Table, width: int | None) -> Iterator[Line]:
    """Yield the heads and the rows, their columns as wide as what stands in them, and the caption.

    In a window that is too narrow for that, each row is a list: its first cell, then the others with their heads.
    """
    heads, numbers = list(table.columns), list(table.columns.values())
    rows = [heads, *map(list, table.rows[: table.most])]
    if table.names_last:
        rows, numbers = [[*cells, name] for name, *cells in rows], [*numbers[1:], numbers[0]]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    # A name that is too long for the window stands on a line of its own.
    under = table.names_last and width is not None and sum(widths) + 2 * len(widths) > width
    indent = _within(width, " " * (widths[0] + 2 if under else 4))
    marks = max((len(mark) + 5 for mark in table.marked.values() if mark), default=0)
    needs = sum(widths[: len(widths) - under]) + 2 * (len(widths) - under - 1) + marks
    listed = width is not None and needs > width
    for at, row in enumerate(rows, -1):
        mark = f"  <- {table.marked[at]}" if table.marked.get(at) else ""
        if listed and at >= 0:
            first, *others = table.rows[at]
            yield from map(Line, _broken(f"{first}{mark}", width, indent))
            said = "; ".join(f"{head} {cell}" for head, cell in zip(heads[1:], others, strict=True) if cell)
            yield from map(Line, _broken(f"{indent}{said}", width, indent))
        elif not listed:
            name = row.pop() if under else ""
            cells = zip(row, widths, numbers, strict=False)
            line = "  ".join(f"{cell:>{wide}}" if number else f"{cell:<{wide}}" for cell, wide, number in cells)
            yield Line(line.rstrip() + mark, "" if at >= 0 else DIM)
            if under and at >= 0:
                yield from map(Line, _broken(f"{indent}{name}", width, indent))
        if table.most is None:
            for note in table.notes.get(at, ()):
                yield from map(Line, _broken(f"{indent}{note}", width, indent))
    if rest := len(table.rows) - len(table.rows[: table.most]):
        yield from map(Line, _broken(f"and {rest:,} {table.more}", width))
    if table.caption:
        yield from map(Line, _broken(table.caption, width))


def columns() -> int:
    """Return at which column sentences are broken: where the terminal ends, but not far out."""
    return min(WIDEST, max(NARROWEST, get_terminal_size().columns))


def labelled(label: str, text: str, column: int) -> list[str]:
    """Return a label and a text that begins at a column, in lines as wide as the terminal."""
    return [line.text for line in _labelled(label, column, text, columns())]


def _broken(text: str, width: int | None, indent: str = "") -> list[str]:
    """Return a text in lines of this width, the second and later ones indented; in one if there is no width."""
    if width is None:
        return [text]
    first = text[: len(text) - len(text.lstrip())]
    return wrap(
        text.lstrip(),
        min(width, WIDEST),
        initial_indent=first,
        subsequent_indent=indent,
        break_on_hyphens=False,
        break_long_words=False,  # an address stays whole
    ) or [text]
