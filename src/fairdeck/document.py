"""What a result has to say, as data: written once, and dressed by `fairdeck.show` for a terminal and for a page.

All texts are plain: who draws a page escapes them, who writes to a terminal aligns and wraps them. Labels and the heads
of columns begin with a small letter; a page writes them with a large one.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

# --- pictures: numbers, which `fairdeck.show.charts` draws


class Bars(NamedTuple):
    """Bars that count decks, side by side.

    Attributes:
        counts: of each bar.
        fair: what a fair shuffle gives on average; a bar is as wide as its share of that.
        low: with `high` the ends of the band that holds 99 of 100 bars of a fair shuffle.
        high: see `low`.
        ends: labels under the axis, evenly spaced.
        top: the axis reaches at least that count, so that charts can be compared.
    """

    counts: Sequence[int]
    fair: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]
    ends: Sequence[str]
    top: float = 0.0


class Matrix(NamedTuple):
    """A square of cells: filled where something came too often, hollow where it came too rarely.

    Attributes:
        off: the deviation of each cell in standard deviations, rows downwards; NaN is left empty.
        counts: what was counted in each cell.
        names: of the rows and of the columns.
        starts: the first number of each row and each column.
        axes: the name of the rows, and of the columns.
        says: of a cell, a template with ``{row}``, ``{column}`` and ``{seen}``; the deviation follows.
    """

    off: Sequence[Sequence[float]]
    counts: Sequence[Sequence[int]]
    names: Sequence[str]
    starts: Sequence[int]
    axes: tuple[str, str]
    says: str


class Squares(NamedTuple):
    """A `Matrix` at a glance, without its numbers: its deviations, and the row and column of a cell with a ring."""

    off: Sequence[Sequence[float]]
    ring: tuple[int, int] | None = None


class LawBars(NamedTuple):
    """Counts of a whole number as bars, and the counts expected by its exact law as a line.

    Attributes:
        starts: the first number of each bar.
        last: the largest number.
        counts: of each bar.
        expected: of each bar.
    """

    starts: Sequence[int]
    last: int
    counts: Sequence[int]
    expected: Sequence[float]


class Dot(NamedTuple):
    """A p-value among others, its label, if it has one, and the test that it is of."""

    p_value: float
    test: str
    label: str = ""


class Dots(NamedTuple):
    """All p-values against those of as many fair and independent tests.

    Attributes:
        dots: the smallest p-value first.
        band: some ranks, from 0, with the ends of what contains the p-value of that rank in 99 of 100 fair trials.
    """

    dots: Sequence[Dot]
    band: Sequence[tuple[int, float, float]]


class Timeline(NamedTuple):
    """A line of all decks: between which two something began, and where it was found."""

    end: int
    low: int
    high: int
    found: int


class Falling(NamedTuple):
    """Lines of distances, 0 to 1, against rounds.

    Attributes:
        series: by name, one distance for each round; None where it is unknown.
        errors: by name, the standard errors; whiskers show two on either side.
        mark: the number of the round to mark with a vertical line, if any.
    """

    series: Mapping[str, Sequence[float | None]]
    errors: Mapping[str, Sequence[float | None]] = {}
    mark: int | None = None


class LowerBounds(NamedTuple):
    """Lower bounds, 0 to 1, as bars one under the other, each with the counted distance as a line.

    Attributes:
        rows: the name, the bound, the distance as counted, and its standard error.
        most: an upper bound on all of them, if one is known.
    """

    rows: Sequence[tuple[str, float, float, float]]
    most: float | None = None


class Way(NamedTuple):
    """A way to shuffle among others.

    Attributes:
        minutes: how long it takes.
        distance: from random, a total variation; None if nobody knows it.
        name: one to three words.
        enough: whether it is good enough.
        exact: whether the distance is exact, or an estimate.
    """

    minutes: float
    distance: float | None
    name: str
    enough: bool
    exact: bool


class Ways(NamedTuple):
    """Minutes against distance from random, each way with its number in the list, from 1.

    Attributes:
        ways: the best first.
        distance: the largest that is good enough.
        minutes: the most that are good enough; None if any number is.
    """

    ways: Sequence[Way]
    distance: float
    minutes: float | None


class PacketPart(NamedTuple):
    """A part of a packet: of which packet before the step, from where to where in it, and its share of the new one."""

    packet: str
    start: float
    end: float
    share: float


class NewPacket(NamedTuple):
    """A packet after a step: its name, what was done with its parts, its share of the pack, the parts from the top."""

    name: str
    done: str
    size: float
    parts: Sequence[PacketPart]


class PacketStep(NamedTuple):
    """A step of a packet procedure: the packets before it with their shares of the pack, and those after it."""

    before: Mapping[str, float]
    after: Sequence[NewPacket]


class Spread(NamedTuple):
    """After 0, 1, 2, ... steps: for each packet the shares of the pack that came into it from each old packet."""

    steps: Sequence[Sequence[Sequence[float]]]


Picture: TypeAlias = (
    Bars | Matrix | Squares | LawBars | Dots | Timeline | Falling | LowerBounds | Ways | PacketStep | Spread
)


# --- elements


class Heading(NamedTuple):
    """A heading. A terminal leaves it out if it shows nothing of what stands under it.

    Attributes:
        text: the heading.
        aside: what a page shows beside it.
        annex: whether it is printed only if a reader has opened it.
    """

    text: str
    aside: str = ""
    annex: bool = False


class Sentence(NamedTuple):
    """A sentence or several; a label says what they are, such as ``note``."""

    text: str
    label: str = ""


class Note(NamedTuple):
    """An explanation for readers who have the room of a page; a terminal leaves it out. It may be in small print."""

    text: str
    small: bool = True
    label: str = ""


class Fact(NamedTuple):
    """A label, what there is to know, and the rest of that sentence, which a page shows smaller.

    >>> Fact("counted", "2,000 decks", " of 52 cards").rest
    ' of 52 cards'
    """

    label: str
    text: str
    rest: str = ""


class Facts(NamedTuple):
    """Some facts, which a page shows as tiles."""

    facts: Sequence[Fact]


class Details(NamedTuple):
    """A list of technical values, of interest to those who repeat something; a terminal leaves it out."""

    values: Mapping[str, str]


class Item(NamedTuple):
    """An item of a list: what it says, and more lines under it.

    Attributes:
        text: what it says.
        more: lines under it.
        mark: what a terminal shows before it, such as a p-value.
        small: what a page shows under it in place of the mark.
        repair: what to do about it, if that is known.
    """

    text: str
    more: Sequence[str] = ()
    mark: str = ""
    small: str = ""
    repair: str = ""


class Items(NamedTuple):
    """A list, which is `ranked` if the first is the most important one."""

    items: Sequence[Item]
    ranked: bool = False


class Steps(NamedTuple):
    """What to do, one step after the other; a step of several lines is one for each person or thing.

    Attributes:
        steps: the lines of each.
        titled: whether the first line of each says which step it is; else they are numbered.
    """

    steps: Sequence[str]
    titled: bool = False


class Code(NamedTuple):
    """What a program reads; a terminal leaves it out."""

    text: str


class Sheet(NamedTuple):
    """What one person needs, to be printed on a page of its own; a terminal leaves it out."""

    who: str
    parts: "Sequence[Element]"


class Blanks(NamedTuple):
    """Lines to fill in by hand on paper, each with a label; a terminal leaves them out."""

    labels: Sequence[str]


class Table(NamedTuple):
    """Rows of cells; those that hold numbers stand to the right.

    Attributes:
        columns: their heads, and whether they hold numbers.
        rows: the cells, one or more; the first names its row.
        caption: what the columns mean.
        notes: what is to be said under a row, by the number of that row.
        marked: the rows that stand out, and why in a word, which may be left out.
        most: the rows that a terminal shows, then without their notes; None if all.
        more: how a terminal says that there are more, such as "smaller ones: --all".
        open: the rows that a page shows; those after them can be opened.
        names_last: whether a terminal puts the first cell last, because it is long.
    """

    columns: Mapping[str, bool]
    rows: Sequence[Sequence[str]]
    caption: str = ""
    notes: Mapping[int, Sequence[str]] = {}
    marked: Mapping[int, str] = {}
    most: int | None = None
    more: str = ""
    open: int | None = None
    names_last: bool = False


class Chart(NamedTuple):
    """A picture with its title, what a person who cannot see it is told, and a caption; a terminal leaves it out."""

    title: str
    picture: Picture
    description: str
    caption: str = ""


class Charts(NamedTuple):
    """Pictures to compare, each under its title.

    Attributes:
        charts: one or more.
        small: whether they are so small that a dozen stand together.
        title: of all of them, if they are small.
        caption: of all of them.
        lines: what a terminal shows in their place; it shows nothing if they are empty.
    """

    charts: Sequence[Chart]
    small: bool = False
    title: str = ""
    caption: str = ""
    lines: Sequence[str] = ()


Element: TypeAlias = (
    Heading | Sentence | Note | Facts | Details | Items | Steps | Code | Sheet | Blanks | Table | Chart | Charts
)


class Glance(NamedTuple):
    """What a page shows of a test before all else, so that the first screen of a phone is enough.

    Attributes:
        subject: what was tested.
        says: how sure the verdict is, in a sentence.
        chart: the picture, or None; its caption says what it shows.
        parts: the cause and its repair; a section of the document that is here is not shown again.
        rest: the heading of what stands in the document before its first heading.
    """

    subject: str
    says: str
    chart: Chart | None
    parts: Sequence[Element]
    rest: Heading


class Document(NamedTuple):
    """What a result has to say.

    Attributes:
        headline: enough for a reader who reads no further.
        parts: all else, in the order of reading.
        title: of a page, if that is not the headline.
        command: repeats it, if there is one.
        repeating: what there is to know about repeating it, for a page.
        outcome: of a test, ``fail``, ``pass`` or ``insufficient``; empty if nothing was judged.
        glance: what a page shows first; None if the headline is enough.
    """

    headline: str
    parts: Sequence[Element]
    title: str = ""
    command: str = ""
    repeating: Sequence[Element] = ()
    outcome: str = ""
    glance: Glance | None = None
