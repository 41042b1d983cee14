"""The rank histogram of a shuffle: which part of all orders its decks fall into.

All n! orders, in dictionary order with the bottom card first, are cut into equal bins. A fair shuffle
fills them equally; a faulty one leaves hills that anyone can see. The bins are those of
`fairdeck.lab.statistics.rank_histogram`. `document` says what several histograms show, side by side.

The random generator could be at fault for a hill. `EvenDraws` rules that out: its lists hold every
number equally often, and the hills stay.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from math import factorial
from random import Random
from shutil import get_terminal_size
from typing import Literal

import numpy as np
from scipy.special import chdtrc

from fairdeck import numbers
from fairdeck.bulk.shapes import Counts, Floats
from fairdeck.document import Chart, Charts, Document, Heading, Table
from fairdeck.errors import FairdeckError
from fairdeck.lab.blocks import Block, Decks
from fairdeck.lab.judging.sentences import ODD, digits, odds
from fairdeck.lab.judging.tally import block_sizes
from fairdeck.lab.sources.simulated import NumberedBlock
from fairdeck.lab.statistics.rank_histogram import bars, bin_chances, joined, rank_bins
from fairdeck.lab.view import deck_view
from fairdeck.shuffles import MOST_CARDS, find

Draws = Literal["random", "even"]
BlockMap = Callable[[Callable[[NumberedBlock], "Part"], Iterable[NumberedBlock]], Iterable["Part"]]

MOST_BINS = 10_000
MOST_DECKS = 10**12
USUAL_BINS = 200
LEAST_EXPECTED = 5  # decks in each bin that the chi-square law needs

LARGEST_BOUND = 2**16  # of a list of even draws
CHUNK = 16  # bits drawn from one list
EVEN_BLOCK = 2**15
SHORTEST_LIST = 2**8  # long enough that earlier draws hardly reveal what is left
CARDS_IN_A_BLOCK = 2**22

SURE = 1e-6  # from here down a picture is called uneven
MOST_BARS = 400
ROWS = 20  # of bars in a terminal
NARROWEST, WIDEST = 26, 120  # columns of a terminal that one shuffle takes, and all of them
FIGURES = {"shuffle": False, "emptiest bin": True, "fullest bin": True, "chi-square": True, "p": True}


class EvenDraws(Random):
    """A generator that draws every number below a bound equally often.

    Each bound has a list that holds 0, 1, ..., bound - 1 equally often, in random order. Numbers are
    taken from it one by one; a used-up list is replaced. Many bits are made from pieces of 16.

    Attributes:
        length: about how many numbers a list holds.
    """

    def __init__(self, seed: str, length: int = EVEN_BLOCK) -> None:
        """The same seed and length give the same numbers."""
        super().__init__(seed)
        self.length = length
        self._mixer = Random(seed)
        self._left: dict[int, list[int]] = {}
        self._lists: dict[int, int] = {}

    def _randbelow(self, n: int) -> int:
        left = self._left.get(n)
        return left.pop() if left else self._fresh(n).pop()

    def getrandbits(self, k: int, /) -> int:
        """Return `k` bits."""
        if k <= CHUNK:
            return self._randbelow(1 << k) if k else 0
        high = self.getrandbits(k - CHUNK)
        return high << CHUNK | self._randbelow(1 << CHUNK)

    def random(self) -> float:
        """Return a multiple of 2^-53 from 0 to 1, 1 not included."""
        return self.getrandbits(53) / 2**53

    def drawn(self) -> dict[int, Counts]:
        """Return for each bound how often each number below it was drawn."""
        return {
            bound: lists * self._repeats(bound) - np.bincount(self._left[bound], minlength=bound)
            for bound, lists in self._lists.items()
        }

    def _repeats(self, bound: int) -> int:
        return -(-self.length // bound)

    def _fresh(self, bound: int) -> list[int]:
        if not 1 <= bound <= LARGEST_BOUND:
            raise FairdeckError(
                f"it draws below {bound:,}; lists of even draws end at {LARGEST_BOUND:,}: leave out --draws even"
            )
        numbers = np.tile(np.arange(bound), self._repeats(bound))
        # Sorting by random keys gives the same list with every version of NumPy; its generators do not.
        keys = np.frombuffer(self._mixer.randbytes(8 * len(numbers)), dtype="<u8")
        self._left[bound] = numbers[np.argsort(keys, kind="stable")].tolist()
        self._lists[bound] = self._lists.get(bound, 0) + 1
        return self._left[bound]


@dataclass(frozen=True)
class Part:
    """The counts of one block, or of several together.

    Attributes:
        counts: the decks in each bin.
        drawn: for each bound how often each number was drawn; empty unless draws are even.
    """

    counts: Counts
    drawn: Mapping[int, Counts]

    def __add__(self, more: "Part") -> "Part":
        """Return both together."""
        bounds = self.drawn.keys() | more.drawn.keys()
        none = np.zeros(1, dtype=np.int64)
        return Part(
            self.counts + more.counts,
            {bound: self.drawn.get(bound, none) + more.drawn.get(bound, none) for bound in sorted(bounds)},
        )


@dataclass(frozen=True, repr=False)
class Histogram:
    """The ranks of a shuffle's decks in bins.

    Attributes:
        name: the shuffle.
        cards: the cards of a deck.
        draws: ``random``, or ``even``: see `EvenDraws`.
        part: the counts.
        seed: of all random streams.
    """

    name: str
    cards: int
    draws: Draws
    part: Part
    seed: int = 0

    def __repr__(self) -> str:
        return f"<Histogram of {self.name}: {self.decks:,} decks of {self.cards} cards in {len(self.counts)} bins>"

    def _repr_html_(self) -> str:
        from fairdeck.show.charts import svg_file

        return svg_file(pictures([self]))

    def to_json(self) -> str:
        """Return what ``fairdeck histogram --json`` prints."""
        return as_json([self])

    @property
    def counts(self) -> Counts:
        """The decks in each bin, in dictionary order."""
        return self.part.counts

    @cached_property
    def decks(self) -> int:
        """How many decks were counted."""
        return int(self.counts.sum())

    @cached_property
    def chances(self) -> Floats:
        """The chance of each bin on fair decks."""
        return bin_chances(self.cards, len(self.counts))

    @property
    def expected(self) -> float:
        """The mean number of decks in a bin."""
        return self.decks / len(self.counts)

    @cached_property
    def chi_square(self) -> float:
        """Pearson's sum against the exact chances."""
        fair = self.chances * self.decks
        return float(np.sum((self.counts - fair) ** 2 / fair))

    @property
    def degrees(self) -> int:
        """The degrees of freedom of the sum."""
        return len(self.counts) - 1

    @property
    def p_value(self) -> float | None:
        """The chance of a sum as large on fair decks; None where a bin expects fewer than five decks."""
        if float(self.chances.min()) * self.decks < LEAST_EXPECTED:
            return None
        return float(chdtrc(self.degrees, self.chi_square))

    @property
    def evenness(self) -> dict[int, tuple[int, int]]:
        """For each bound, how often the rarest and the most frequent number below it was drawn."""
        return {bound: (int(counts.min()), int(counts.max())) for bound, counts in self.part.drawn.items()}

    @property
    def says(self) -> str:
        """What the picture shows, in a sentence without its full stop."""
        least, most = int(self.counts.min()), int(self.counts.max())
        seen = f"its bins hold {least:,} to {most:,} decks; about {self.expected:,.6g} each would be fair"
        p_value = self.p_value
        if p_value is None:
            return f"{self.name}: too few decks for this many bins; {seen}"
        chance = f"nothing odd, p = {p_value:.2f}" if p_value > ODD else odds(p_value)
        verdict = "fills its bins unevenly" if p_value <= SURE else "shows no fault in this picture"
        figures = f"chi-square {self.chi_square:,.1f} with {self.degrees} degrees: {chance}"
        return f"{self.name} {verdict}: {seen} ({figures})"

    @property
    def caption(self) -> str:
        """What the picture shows; and how even the draws were, for the most frequent bound, unless they were random."""
        drawn = {bound: int(counts.sum()) for bound, counts in self.part.drawn.items()}
        if not drawn:
            return f"{self.says}."
        bound = max(drawn, key=drawn.__getitem__)
        least, most = self.evenness[bound]
        return (
            f"{self.says}. Of the {drawn[bound]:,} numbers below {bound:,} that {self.name} drew, each came {least:,} "
            f"to {most:,} times, so the generator is not at fault."
        )


def usual_bins(cards: int) -> int:
    """Return the usual number of bins: 200, or one for each order if there are fewer."""
    return min(USUAL_BINS, factorial(min(cards, 9)))


def check(name: str, cards: int, bins: int, draws: Draws) -> None:
    """See that a histogram is possible.

    Raises:
        FairdeckError: there is no such shuffle, there are fewer orders than bins, or even draws
            cannot reach the shuffle.
    """
    if cards < 9 and bins > factorial(cards):
        raise FairdeckError(f"bins: {bins} is more than the {factorial(cards)} orders of {cards} cards; ask for fewer")
    known = find(name)
    rng = EvenDraws("check") if draws == "even" else Random("check")
    decks = known.decks(cards, rng)
    try:
        next(decks)
        if isinstance(rng, EvenDraws):
            before = _total(rng)
            next(decks), next(decks)
            if _total(rng) == before:
                raise FairdeckError("it does not draw new numbers for each deck: leave out --draws even")
    except FairdeckError as error:
        # Some messages name the shuffle already.
        raise FairdeckError(str(error) if name in str(error) else f"{name}: {error}") from None


def _total(rng: EvenDraws) -> int:
    return sum(int(counts.sum()) for counts in rng.drawn().values())


def measure(
    name: str,
    *,
    cards: int,
    decks: int,
    bins: int,
    seed: int,
    draws: Draws = "random",
    map: BlockMap = map,  # noqa: A002 - the seam is called so
) -> Iterator[Histogram]:
    """Yield the histogram as it grows, block by block; the last is of all decks.

    Args are those of `fairdeck.lab.histogram`; the numbers do not depend on where `map` counts.
    """
    cards, decks = numbers.whole("cards", cards, 2, MOST_CARDS), numbers.whole("decks", decks, 1, MOST_DECKS)
    bins, seed = numbers.whole("bins", bins, 2, MOST_BINS), numbers.whole("seed", seed, 0)
    sizes = _even_sizes(cards, decks) if draws == "even" else block_sizes(cards, decks)
    blocks = (NumberedBlock(name, cards, seed, at, size) for at, size in enumerate(sizes))
    total = Part(np.zeros(bins, dtype=np.int64), {})
    for part in map(partial(count, bins, draws), blocks):
        total = total + part
        yield Histogram(name, cards, draws, total, seed)


def _even_sizes(cards: int, decks: int) -> Iterator[int]:
    """Yield nearly equal sizes of blocks, so that no list is left half used."""
    blocks = -(-decks // max(1, min(EVEN_BLOCK, CARDS_IN_A_BLOCK // cards)))
    for block in range(blocks):
        yield decks * (block + 1) // blocks - decks * block // blocks


def count(bins: int, draws: Draws, block: NumberedBlock) -> Part:
    """Return the counts of a block, which is made where this runs."""
    rows, drawn = _even_decks(block) if draws == "even" else (block.decks, {})
    view = deck_view(Block(rows, rows[:0]))
    return Part(np.bincount(rank_bins(view, bins), minlength=bins), drawn)


def _even_decks(block: NumberedBlock) -> tuple[Decks, dict[int, Counts]]:
    # A list as long as the block: a shuffle that draws below a bound once for each deck uses exactly one.
    rng = EvenDraws(f"{block.seed}/{block.number}", length=max(SHORTEST_LIST, block.size))
    stream = find(block.shuffle).decks(block.cards, rng)
    rows = np.array(list(islice(stream, block.size)), dtype=np.int16).reshape(block.size, block.cards)
    return rows, rng.drawn()


# --- what several histograms show, of the same cards and bins


def as_json(histograms: Sequence[Histogram]) -> str:
    """Return the counts of all histograms, of the same cards and bins."""
    first = histograms[0]
    fields = {
        "format": "fairdeck-histogram/1",
        "cards": first.cards,
        "decks": first.decks,
        "bins": len(first.counts),
        "draws": first.draws,
        "seed": f"{first.seed:x}",
        "chances": first.chances.tolist(),
        "shuffles": [
            {
                "shuffle": histogram.name,
                "counts": histogram.counts.tolist(),
                "chi_square": histogram.chi_square,
                "degrees": histogram.degrees,
                "p_value": histogram.p_value,
                "drawn": {str(bound): list(ends) for bound, ends in histogram.evenness.items()},
                "says": histogram.says,
            }
            for histogram in histograms
        ],
    }
    return json.dumps(fields, allow_nan=False)


def document(histograms: Sequence[Histogram], command: str = "") -> Document:
    """Return what they show; the command repeats them."""
    first = histograms[0]
    rows = [
        (
            histogram.name,
            f"{int(histogram.counts.min()):,}",
            f"{int(histogram.counts.max()):,}",
            f"{histogram.chi_square:,.1f}",
            "-" if histogram.p_value is None else digits(histogram.p_value),
        )
        for histogram in histograms
    ]
    return Document(
        f"A fair shuffle makes every order of the cards equally likely, so of {first.decks:,} decks each of the "
        f"{len(first.counts):,} bins gets about {first.expected:,.6g}. A bin far from that shows a fault.",
        [
            Heading("What each shuffle shows"),
            Charts(
                pictures(histograms),
                caption="Each bar counts decks. All orders of the cards stand from left to right in dictionary order, "
                "the bottom card first. The line is fair, and the band holds 99 of 100 bars of a fair shuffle.",
                lines=[*(histogram.caption for histogram in histograms), "", *_lines_of_bins(histograms)],
            ),
            Heading("Figures"),
            Table(
                FIGURES,
                rows,
                f"{first.decks:,} decks of {first.cards} cards each; chi-square with {first.degrees} degrees of "
                "freedom; p: the chance of a sum this large, or larger, on fair decks.",
            ),
        ],
        title="All orders in bins: " + ", ".join(histogram.name for histogram in histograms),
        command=command,
    )


def pictures(histograms: Sequence[Histogram]) -> list[Chart]:
    """Return a picture of each, all on one scale."""
    shown = [joined(histogram.counts, histogram.chances, MOST_BARS, fewest=1) for histogram in histograms]
    highest = max(
        float(np.max(counts / (chances * max(1, histogram.decks))))
        for (counts, chances), histogram in zip(shown, histograms, strict=True)
    )
    ends = ("first order", "last order")
    return [
        Chart(histogram.name, bars(counts, chances, ends, highest), histogram.says, histogram.caption)
        for histogram, (counts, chances) in zip(histograms, shown, strict=True)
    ]


def _lines_of_bins(histograms: Sequence[Histogram]) -> Iterator[str]:
    """Yield rows of bins: for each shuffle a count and a bar; a stroke marks the fair count."""
    bins = len(histograms[0].counts)
    step = -(-bins // ROWS)
    starts = range(0, bins, step)
    most = max(int(histogram.counts[at : at + step].sum()) for histogram in histograms for at in starts)
    width = min(WIDEST, max(NARROWEST + 12, get_terminal_size().columns)) - 12
    across = max(1, min(len(histograms), width // NARROWEST))
    column = width // across
    for first in range(0, len(histograms), across):
        shown = histograms[first : first + across]
        if first:
            yield ""
        yield f"{'bins':<12}" + "".join(f"{histogram.name:<{column}.{column - 1}}" for histogram in shown).rstrip()
        for at in starts:
            last = min(at + step, bins) - 1
            line = f"{f'{at}-{last}' if last > at else at:<12}"
            for histogram in shown:
                total = int(histogram.counts[at : at + step].sum())
                fair = float(histogram.chances[at : at + step].sum()) * histogram.decks
                line += f"{total:>10,} {_bar(total / most, fair / most, column - 13):<{column - 13}}  "
            yield line.rstrip()


def _bar(share: float, fair: float, columns: int) -> str:
    """Return a bar of this share of the columns, with a stroke at the end of the fair one.

    >>> _bar(0.5, 0.75, 8), _bar(1.0, 0.5, 8)
    ('####  |', '####|###')
    """
    mark = min(columns - 1, round(fair * columns))
    bar = list(f"{'#' * round(share * columns):<{mark + 1}}")
    bar[mark] = "|"
    return "".join(bar)
