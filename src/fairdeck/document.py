"""What a result has to say, as data: written once, and dressed by `fairdeck.show` for a terminal and for a page.

All texts are plain: who draws a page escapes them, who writes to a terminal aligns and wraps them. Labels and the heads
of columns begin with a small letter; a page writes them with a large one.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

# --- pictures: numbers, which `fairdeck.show.charts` draws


class Bars(NamedTuple):
    """Bars that count decks, side by side."""

    counts: Sequence[int]  # of each bar
    fair: Sequence[float]  # what a fair shuffle gives on average; a bar is as wide as its share of that
    low: Sequence[float]  # with `high` the ends of the band that holds 99 of 100 bars of a fair shuffle
    high: Sequence[float]  # see `low`
    ends: Sequence[str]  # labels under the axis, evenly spaced
    top: float = 0.0  # the axis reaches at least that count, so that charts can be compared


class Matrix(NamedTuple):
    """A square of cells: filled where something came too often, hollow where it came too rarely."""

    # the deviation of each cell in standard deviations, rows downwards; NaN is left empty
    off: Sequence[Sequence[float]]
    counts: Sequence[Sequence[int]]  # what was counted in each cell
    names: Sequence[str]  # of the rows and of the columns
    starts: Sequence[int]  # the first number of each row and each column
    axes: tuple[str, str]  # the name of the rows, and of the columns
    says: str  # of a cell, a template with ``{row}``, ``{column}`` and ``{seen}``; the deviation follows


class Squares(NamedTuple):
    """A `Matrix` at a glance, without its numbers: its deviations, and the row and column of a cell with a ring."""

    off: Sequence[Sequence[float]]
    ring: tuple[int, int] | None = None


class LawBars(NamedTuple):
    """Counts of a whole number as bars, and the counts expected by its exact law as a line."""

    starts: Sequence[int]  # the first number of each bar
    last: int  # the largest number
    counts: Sequence[int]  # of each bar
    expected: Sequence[float]  # of each bar


class Dot(NamedTuple):
    """A p-value among others, its label, if it has one, and the test that it is of."""

    p_value: float
    test: str
    label: str = ""


class Dots(NamedTuple):
    """All p-values against those of as many fair and independent tests."""

    dots: Sequence[Dot]  # the smallest p-value first
    # some ranks, from 0, with the ends of what contains the p-value of that rank in 99 of 100 fair trials
    band: Sequence[tuple[int, float, float]]


class Timeline(NamedTuple):
    """A line of all decks: between which two something began, and where it was found."""

    end: int
    low: int
    high: int
    found: int


class Falling(NamedTuple):
    """Lines of distances, 0 to 1, against rounds."""

    series: Mapping[str, Sequence[float | None]]  # by name, one distance for each round; None where it is unknown
    errors: Mapping[str, Sequence[float | None]] = {}  # by name, the standard errors; whiskers show two on either side
    mark: int | None = None  # the number of the round to mark with a vertical line, if any


class LowerBounds(NamedTuple):
    """Lower bounds, 0 to 1, as bars one under the other, each with the counted distance as a line."""

    # the name, the bound, the distance as counted, and its standard error
    rows: Sequence[tuple[str, float, float, float]]
    most: float | None = None  # an upper bound on all of them, if one is known


class Way(NamedTuple):
    """A way to shuffle among others."""

    minutes: float  # how long it takes
    distance: float | None  # from random, a total variation; None if nobody knows it
    name: str  # one to three words
    enough: bool  # whether it is good enough
    exact: bool  # whether the distance is exact, or an estimate


class Ways(NamedTuple):
    """Minutes against distance from random, each way with its number in the list, from 1."""

    ways: Sequence[Way]  # the best first
    distance: float  # the largest that is good enough
    minutes: float | None  # the most that are good enough; None if any number is


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
    """A heading. A terminal leaves it out if it shows nothing of what stands under it."""

    text: str  # the heading
    aside: str = ""  # what a page shows beside it
    annex: bool = False  # whether it is printed only if a reader has opened it


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
    """An item of a list: what it says, and more lines under it."""

    text: str  # what it says
    more: Sequence[str] = ()  # lines under it
    mark: str = ""  # what a terminal shows before it, such as a p-value
    small: str = ""  # what a page shows under it in place of the mark
    repair: str = ""  # what to do about it, if that is known
    code: bool = False  # whether it begins with code or the name of a file, which get no capital


class Items(NamedTuple):
    """A list, which is `ranked` if the first is the most important one."""

    items: Sequence[Item]
    ranked: bool = False


class Steps(NamedTuple):
    """What to do, one step after the other; a step of several lines is one for each person or thing."""

    steps: Sequence[str]  # the lines of each
    titled: bool = False  # whether the first line of each says which step it is; else they are numbered


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
    """Rows of cells; those that hold numbers stand to the right."""

    columns: Mapping[str, bool]  # their heads, and whether they hold numbers
    rows: Sequence[Sequence[str]]  # the cells, one or more; the first names its row
    caption: str = ""  # what the columns mean
    notes: Mapping[int, Sequence[str]] = {}  # what is to be said under a row, by the number of that row
    marked: Mapping[int, str] = {}  # the rows that stand out, and why in a word, which may be left out
    most: int | None = None  # the rows that a terminal shows, then without their notes; None if all
    more: str = ""  # how a terminal says that there are more, such as "smaller ones: --all"
    open: int | None = None  # the rows that a page shows; those after them can be opened
    names_last: bool = False  # whether a terminal puts the first cell last, because it is long


class Chart(NamedTuple):
    """A picture with its title, what a person who cannot see it is told, and a caption; a terminal leaves it out."""

    title: str
    picture: Picture
    description: str
    caption: str = ""


class Charts(NamedTuple):
    """Pictures to compare, each under its title."""

    charts: Sequence[Chart]  # one or more
    small: bool = False  # whether they are so small that a dozen stand together
    title: str = ""  # of all of them, if they are small
    caption: str = ""  # of all of them
    lines: Sequence[str] = ()  # what a terminal shows in their place; it shows nothing if they are empty


Element: TypeAlias = (
    Heading | Sentence | Note | Facts | Details | Items | Steps | Code | Sheet | Blanks | Table | Chart | Charts
)


class Glance(NamedTuple):
    """What a page shows of a test before all else, so that the first screen of a phone is enough."""

    subject: str  # what was tested
    says: str  # how sure the verdict is, in a sentence
    chart: Chart | None  # the picture, or None; its caption says what it shows
    parts: Sequence[Element]  # the cause and its repair; a section of the document that is here is not shown again
    rest: Heading  # the heading of what stands in the document before its first heading


class Document(NamedTuple):
    """What a result has to say."""

    headline: str  # enough for a reader who reads no further
    parts: Sequence[Element]  # all else, in the order of reading
    title: str = ""  # of a page, if that is not the headline
    command: str = ""  # repeats it, if there is one
    repeating: Sequence[Element] = ()  # what there is to know about repeating it, for a page
    outcome: str = ""  # of a test, ``fail``, ``pass`` or ``insufficient``; empty if nothing was judged
    glance: Glance | None = None  # what a page shows first; None if the headline is enough
