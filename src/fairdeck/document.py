"""What a result has to say, as data: written once, and dressed by `fairdeck.output` for a terminal and for a page.

All texts are plain: who draws a page escapes them, who writes to a terminal aligns and wraps them. Labels and the heads
of columns begin with a small letter; a page writes them with a large one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading. A terminal leaves it out if it shows nothing of what stands under it."""

    text: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence or several; a label says what they are, such as ``note``."""

    text: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """An explanation for readers who have the room of a page; a terminal leaves it out. It may be in small print."""

    text: str
    small: bool = True
    label: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """A label, what there is to know, and the rest of that sentence, which a page shows smaller.

    >>> Fact("counted", "2,000 decks", " of 52 cards").rest
    ' of 52 cards'
    """

    label: str
    text: str
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """Some facts, which a page shows as tiles."""

    facts: Sequence[Fact]


@dataclass(frozen=True, slots=True)
class Details:
    """A list of technical values, of interest to those who repeat something; a terminal leaves it out."""

    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a list: what it says, more lines under it, and what is to be seen before it, such as a p-value."""

    text: str
    more: Sequence[str] = ()
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Items:
    """A list, which is `ranked` if the first is the most important one."""

    items: Sequence[Item]
    ranked: bool = False


@dataclass(frozen=True, slots=True)
class Steps:
    """What to do, one step after the other; a step of several lines is one for each person or thing."""

    steps: Sequence[str]


@dataclass(frozen=True, slots=True)
class Sheet:
    """What one person needs, to be printed on a page of its own; a terminal leaves it out."""

    who: str
    parts: "Sequence[Element]"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; those that hold numbers stand to the right.

    Attributes:
        columns: their heads, and whether they hold numbers.
        rows: the cells, one or more; the first names its row.
        caption: what the columns mean.
        notes: what is to be said under a row, by the number of that row.
        marked: the rows that stand out, and why in a word or two.
        most: the rows that a terminal shows, then without their notes; None if all.
        more: how a terminal says that there are more, such as "smaller ones: --all".
        open: the rows that a page shows; those after them can be opened.
        names_last: whether a terminal puts the first cell last, because it is long.
    """

    columns: Mapping[str, bool]
    rows: Sequence[Sequence[str]]
    caption: str = ""
    notes: Mapping[int, Sequence[str]] = field(default_factory=dict)
    marked: Mapping[int, str] = field(default_factory=dict)
    most: int | None = None
    more: str = ""
    open: int | None = None
    names_last: bool = False


Element: TypeAlias = Heading | Sentence | Note | Facts | Details | Items | Steps | Sheet | Table


@dataclass(frozen=True, slots=True)
class Document:
    """What a result has to say.

    Attributes:
        headline: enough for a reader who reads no further.
        parts: all else, in the order of reading.
        title: of a page, if that is not the headline.
        command: repeats it, if there is one.
        repeating: what there is to know about repeating it, for a page.
        outcome: of a test, ``fail``, ``pass`` or ``insufficient``; empty if nothing was judged.
    """

    headline: str
    parts: Sequence[Element]
    title: str = ""
    command: str = ""
    repeating: Sequence[Element] = ()
    outcome: str = ""
