"""The rank histogram of a shuffle: which part of all orders its decks fall into.

All n! orders, in dictionary order with the bottom card first, are cut into equal bins. A fair shuffle
fills them equally; a faulty one leaves hills that anyone can see. The bins are those of
`fairdeck.lab.statistics.rank_histogram`. `document` says what several histograms show, side by side.

A generator could be at fault for a hill; the laws of `fairdeck.lab.exact`, which draw nothing, show the same hills.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import factorial
from random import Random
from shutil import get_terminal_size

import numpy as np
from scipy.special import chdtrc

from fairdeck import numbers
from fairdeck.bulk.shapes import Counts, Floats
from fairdeck.document import Chart, Charts, Document, Heading, Table
from fairdeck.errors import FairdeckError
from fairdeck.lab.blocks import Block
from fairdeck.lab.judging.sentences import ODD, digits, odds
from fairdeck.lab.judging.tally import block_sizes
from fairdeck.lab.sources.simulated import NumberedBlock
from fairdeck.lab.statistics.rank_histogram import bars, bin_chances, joined, rank_bins
from fairdeck.lab.view import deck_view
from fairdeck.shuffles import MOST_CARDS, find

BlockMap = Callable[[Callable[[NumberedBlock], Counts], Iterable[NumberedBlock]], Iterable[Counts]]

MOST_BINS = 10_000
MOST_DECKS = 10**12
USUAL_BINS = 200
LEAST_EXPECTED = 5  # decks in each bin that the chi-square law needs

SURE = 1e-6  # from here down a picture is called uneven
MOST_BARS = 400
ROWS = 20  # of bars in a terminal
NARROWEST, WIDEST = 26, 120  # columns of a terminal that one shuffle takes, and all of them
FIGURES = {"shuffle": False, "emptiest bin": True, "fullest bin": True, "chi-square": True, "p": True}


@dataclass(frozen=True, repr=False)
class Histogram:
    """The ranks of a shuffle's decks in bins.

    Attributes:
        name: the shuffle.
        cards: the cards of a deck.
        counts: the decks in each bin, in dictionary order.
        seed: of all random streams.
    """

    name: str
    cards: int
    counts: Counts
    seed: int = 0

    def __repr__(self) -> str:
        return f"<Histogram of {self.name}: {self.decks:,} decks of {self.cards} cards in {len(self.counts)} bins>"

    def _repr_html_(self) -> str:
        from fairdeck.show.charts import svg_file

        return svg_file(pictures([self]))

    def to_json(self) -> str:
        """Return what ``fairdeck histogram --json`` prints."""
        return as_json([self])

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


def usual_bins(cards: int) -> int:
    """Return the usual number of bins: 200, or one for each order if there are fewer."""
    return min(USUAL_BINS, factorial(min(cards, 9)))


def check(name: str, cards: int, bins: int) -> None:
    """Raise a FairdeckError if there is no such shuffle, or there are fewer orders than bins."""
    if cards < 9 and bins > factorial(cards):
        raise FairdeckError(f"bins: {bins} is more than the {factorial(cards)} orders of {cards} cards; ask for fewer")
    known = find(name)
    try:
        next(known.decks(cards, Random("check")))
    except FairdeckError as error:
        # Some messages name the shuffle already.
        raise FairdeckError(str(error) if name in str(error) else f"{name}: {error}") from None


def measure(
    name: str,
    *,
    cards: int,
    decks: int,
    bins: int,
    seed: int,
    map: BlockMap = map,  # noqa: A002 - the seam is called so
) -> Iterator[Histogram]:
    """Yield the histogram as it grows, block by block; arguments are those of `fairdeck.lab.histogram`."""
    cards, decks = numbers.whole("cards", cards, 2, MOST_CARDS), numbers.whole("decks", decks, 1, MOST_DECKS)
    bins, seed = numbers.whole("bins", bins, 2, MOST_BINS), numbers.whole("seed", seed, 0)
    blocks = (NumberedBlock(name, cards, seed, at, size) for at, size in enumerate(block_sizes(cards, decks)))
    total = np.zeros(bins, dtype=np.int64)
    for part in map(partial(count, bins), blocks):
        total = total + part
        yield Histogram(name, cards, total, seed)


def count(bins: int, block: NumberedBlock) -> Counts:
    """Return the counts of a block, which is made where this runs."""
    rows = block.decks
    return np.bincount(rank_bins(deck_view(Block(rows, rows[:0])), bins), minlength=bins)


# --- what several histograms show, of the same cards and bins


def as_json(histograms: Sequence[Histogram]) -> str:
    """Return the counts of all histograms, of the same cards and bins."""
    first = histograms[0]
    fields = {
        "format": "fairdeck-histogram/1",
        "cards": first.cards,
        "decks": first.decks,
        "bins": len(first.counts),
        "seed": f"{first.seed:x}",
        "chances": first.chances.tolist(),
        "shuffles": [
            {
                "shuffle": histogram.name,
                "counts": histogram.counts.tolist(),
                **{name: getattr(histogram, name) for name in ("chi_square", "degrees", "p_value", "says")},
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
                lines=[*(f"{histogram.says}." for histogram in histograms), "", *_lines_of_bins(histograms)],
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
        Chart(histogram.name, bars(counts, chances, ends, highest), histogram.says, f"{histogram.says}.")
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
