"""The classic picture of a shuffle: the ranks of its decks in bins, beside those of another.

All n! orders stand in dictionary order, the card at the base first, and are cut into equal bins. A
fair shuffle fills them alike; a faulty one leaves hills that anyone can see. Bins are those of
`fairdeck.lab.statistics.rank_histogram`.

A hill could be the random generator's fault. `EvenDraws` rules that out: it hands the shuffle numbers
from lists in which every one occurs equally often, and the hills stay.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from math import factorial
from random import Random
from typing import Literal

import numpy as np
from scipy.special import chdtrc

from fairdeck.errors import FairdeckError
from fairdeck.frame import COLOURS, PICTURE_STYLE, document, text
from fairdeck.lab import entry
from fairdeck.lab.arrays import Counts, Floats
from fairdeck.lab.report import odds
from fairdeck.lab.report.outputs.html import number
from fairdeck.lab.report.pictures import joined, spectrum
from fairdeck.lab.sources import Block, Decks
from fairdeck.lab.sources.simulated import NumberedBlock
from fairdeck.lab.statistics.rank_histogram import bin_chances, rank_bins
from fairdeck.lab.tally import block_sizes
from fairdeck.lab.view import deck_view
from fairdeck.shuffles import MOST_CARDS, find

Draws = Literal["random", "even"]
Map = Callable[[Callable[[NumberedBlock], "Part"], Iterable[NumberedBlock]], Iterable["Part"]]

MOST_BINS = 10_000
LEAST_EXPECTED = 5  # decks in a bin, from which on the sum of squares has its law
SURE = 1e-6
MOST_BARS = 400

LARGEST_BOUND = 2**16  # of a list of even draws
CHUNK = 16  # bits that are drawn from one list
EVEN_BLOCK = 2**15
SHORTEST_LIST = 2**8  # so long that what was drawn before hardly tells what is left
CARDS_IN_A_BLOCK = 2**22

PICTURE_WIDE, PICTURE_HIGH, TITLE_HIGH = 340, 162, 24


class EvenDraws(Random):
    """A source that draws every number below a bound equally often.

    For each bound there is a list that holds 0, 1, ..., bound - 1 equally often, in random order;
    numbers are taken from it one by one, and when it is used up another takes its place. What needs
    many bits is put together from pieces of 16.

    Attributes:
        length: about how many numbers a list holds.
    """

    def __init__(self, seed: str, length: int = EVEN_BLOCK) -> None:
        """Begin; the same seed and length give the same numbers."""
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
                f"it draws below {bound:,}, and lists of even draws end at {LARGEST_BOUND:,}: leave out --draws even"
            )
        numbers = np.tile(np.arange(bound), self._repeats(bound))
        # Sorting by random keys: unlike a generator of NumPy's own, the same with every version of it.
        keys = np.frombuffer(self._mixer.randbytes(8 * len(numbers)), dtype="<u8")
        self._left[bound] = numbers[np.argsort(keys, kind="stable")].tolist()
        self._lists[bound] = self._lists.get(bound, 0) + 1
        return self._left[bound]


@dataclass(frozen=True)
class Part:
    """What one block adds.

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


@dataclass(frozen=True)
class Histogram:
    """The ranks of a shuffle's decks in bins.

    Attributes:
        name: the shuffle.
        cards: the cards of a deck.
        draws: where its numbers came from.
        part: what was counted.
    """

    name: str
    cards: int
    draws: Draws
    part: Part

    @property
    def counts(self) -> Counts:
        """The decks in each bin, in dictionary order."""
        return self.part.counts

    @cached_property
    def decks(self) -> int:
        """All decks."""
        return int(self.counts.sum())

    @cached_property
    def chances(self) -> Floats:
        """The chance of each bin on fair decks."""
        return bin_chances(self.cards, len(self.counts))

    @property
    def expected(self) -> float:
        """The decks that a fair shuffle puts into a bin, on average."""
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
        """What the picture shows, in a sentence."""
        least, most = int(self.counts.min()), int(self.counts.max())
        seen = f"its bins hold {least:,} to {most:,} decks; about {self.expected:,.6g} each would be fair"
        if self.p_value is None:
            return f"{self.name}: too few decks to tell, for so many bins; {seen}"
        figures = f"{seen} (chi-square {self.chi_square:,.1f} with {self.degrees} degrees: {_words(self.p_value)})"
        if self.p_value <= SURE:
            return f"{self.name} fills its bins unevenly: {figures}"
        return f"{self.name} shows no fault in this picture: {figures}"


def _words(p_value: float) -> str:
    if p_value > 0.05:
        return f"nothing odd, p = {p_value:.2f}"
    return odds(p_value) if p_value >= 1e-300 else "less than once in 1e300 fair shuffles"


def check(name: str, cards: int, bins: int, draws: Draws) -> None:
    """See that a histogram can be made.

    Raises:
        FairdeckError: there is no such shuffle, there are fewer orders than bins, or even draws
            cannot reach the shuffle.
    """
    if cards < 9 and bins > factorial(cards):
        raise FairdeckError(f"bins: {bins} are more than the {factorial(cards)} orders of {cards} cards")
    known = find(name)
    rng = EvenDraws("check") if draws == "even" else Random("check")
    decks = known.decks(cards, rng)
    try:
        next(decks)
        if isinstance(rng, EvenDraws):
            before = _total(rng)
            next(decks), next(decks)
            if _total(rng) == before:
                raise FairdeckError("it takes no numbers for each deck from outside: leave out --draws even")
    except FairdeckError as error:
        # Some refusals name the shuffle already.
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
    map: Map = map,  # noqa: A002 - the seam is called so
) -> Iterator[Histogram]:
    """Yield the histogram as it grows, block by block; the last is of all decks.

    Args:
        name: a shuffle, as `fairdeck.shuffles.find` knows it.
        cards: the cards of a deck.
        decks: how many.
        bins: how many bins, 2 to `MOST_BINS`.
        seed: what all random streams come from; they do not depend on who works where.
        draws: ``random``, or ``even``: see `EvenDraws`.
        map: counts blocks, here or elsewhere, and returns the parts in order.
    """
    cards, decks = entry.whole("cards", cards, 2, MOST_CARDS), entry.whole("decks", decks, 1)
    bins, seed = entry.whole("bins", bins, 2, MOST_BINS), entry.whole("seed", seed, 0)
    sizes = _even_sizes(cards, decks) if draws == "even" else block_sizes(cards, decks)
    blocks = (NumberedBlock(name, cards, seed, at, size) for at, size in enumerate(sizes))
    total = Part(np.zeros(bins, dtype=np.int64), {})
    for part in map(partial(count, bins, draws), blocks):
        total = total + part
        yield Histogram(name, cards, draws, total)


def _even_sizes(cards: int, decks: int) -> Iterator[int]:
    """Yield the sizes of blocks, as equal as can be, so that no list is left half used."""
    blocks = -(-decks // max(1, min(EVEN_BLOCK, CARDS_IN_A_BLOCK // cards)))
    for block in range(blocks):
        yield decks * (block + 1) // blocks - decks * block // blocks


def count(bins: int, draws: Draws, block: NumberedBlock) -> Part:
    """Return what a block adds; it is made where this runs."""
    rows, drawn = _even_decks(block) if draws == "even" else (block.decks, {})
    view = deck_view(Block(rows, rows[:0]))
    return Part(np.bincount(rank_bins(view, bins), minlength=bins), drawn)


def _even_decks(block: NumberedBlock) -> tuple[Decks, dict[int, Counts]]:
    # A list as long as the block: a shuffle that draws below a bound once a deck uses up just one.
    rng = EvenDraws(f"{block.seed}/{block.number}", length=max(SHORTEST_LIST, block.size))
    stream = find(block.shuffle).decks(block.cards, rng)
    rows = np.array(list(islice(stream, block.size)), dtype=np.int16).reshape(block.size, block.cards)
    return rows, rng.drawn()


def pictures(found: Sequence[Histogram]) -> list[str]:
    """Return a picture of each histogram, all on one scale."""
    shown = [joined(each.counts, each.chances, MOST_BARS, fewest=1) for each in found]
    highest = max(
        float(np.max(counts / (chances * max(1, each.decks))))
        for (counts, chances), each in zip(shown, found, strict=True)
    )
    return [
        spectrum(f"histogram-{at}", counts, chances, (each.name, each.says), ("first order", "last order"), highest)
        for at, (each, (counts, chances)) in enumerate(zip(found, shown, strict=True))
    ]


def as_svg(found: Sequence[Histogram]) -> str:
    """Return all pictures as one SVG file, two side by side."""
    across = min(2, len(found))
    down = -(-len(found) // across)
    wide, high = across * PICTURE_WIDE, down * (PICTURE_HIGH + TITLE_HIGH)
    parts = []
    for at, (each, picture) in enumerate(zip(found, pictures(found), strict=True)):
        x, y = at % across * PICTURE_WIDE, at // across * (PICTURE_HIGH + TITLE_HIGH)
        placed = f'<svg x="{x}" y="{y + TITLE_HIGH}" width="{PICTURE_WIDE}" height="{PICTURE_HIGH}" '
        title = f'<text class="strong" x="{x + 42}" y="{y + 18}">{text(each.name)}</text>'
        parts.append(title + picture.replace("<svg ", placed, 1))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">'
        f"<style>{COLOURS}{PICTURE_STYLE}</style>"
        f'<rect width="{wide}" height="{high}" style="fill:var(--ground)"/>{"".join(parts)}</svg>\n'
    )


def as_html(found: Sequence[Histogram], command: str = "") -> str:
    """Return one web page with all pictures, which works offline."""
    first = found[0]
    figures = "".join(
        f"<figure><h3>{text(each.name)}</h3>{picture}<figcaption>{text(each.says)}.{_told_even(each)}</figcaption></figure>"
        for each, picture in zip(found, pictures(found), strict=True)
    )
    rows = "".join(
        f'<tr><th scope="row">{text(each.name)}</th><td class="number">{int(each.counts.min()):,}</td>'
        f'<td class="number">{int(each.counts.max()):,}</td><td class="number">{each.chi_square:,.1f}</td>'
        f'<td class="number">{"-" if each.p_value is None else text(number(each.p_value))}</td></tr>'
        for each in found
    )
    again = f"<h2>How to repeat it</h2><pre><code>{text(command)}</code></pre>" if command else ""
    body = (
        f'<h2>Pictures</h2><div class="pictures rows">{figures}</div>'
        "<p>Each bar counts decks; from left to right stand all orders of the cards as in a dictionary, the card at "
        "the base first. The line is what is fair, and the band holds 99 of 100 bars of a fair shuffle.</p>"
        '<h2 id="figures">Figures</h2><div class="scroll" role="region" aria-labelledby="figures" tabindex="0"><table>'
        f"<caption>{first.decks:,} decks of {first.cards} cards each; chi-square with {first.degrees} degrees of "
        "freedom; p: the chance of a sum as large, or larger, on fair decks.</caption>"
        '<thead><tr><th scope="col">Shuffle</th><th scope="col" class="number">Emptiest bin</th>'
        '<th scope="col" class="number">Fullest bin</th><th scope="col" class="number">Chi-square</th>'
        f'<th scope="col" class="number">p</th></tr></thead><tbody>{rows}</tbody></table></div>{again}'
    )
    return document("All orders in bins: " + ", ".join(each.name for each in found), f"<p>{opening(found)}</p>", body)


def opening(found: Sequence[Histogram]) -> str:
    """Return the sentence that a beginner should read first."""
    first = found[0]
    return (
        f"A fair shuffle makes every order of the cards equally likely, so of {first.decks:,} decks each of the "
        f"{len(first.counts):,} bins gets about {first.expected:,.6g}. What lies far off is a fault."
    )


def told_even(histogram: Histogram) -> str:
    """Return how even the draws were, of the bound most drawn; empty where they were random."""
    if not histogram.part.drawn:
        return ""
    bound = max(histogram.part.drawn, key=lambda bound: int(histogram.part.drawn[bound].sum()))
    least, most = histogram.evenness[bound]
    total = int(histogram.part.drawn[bound].sum())
    return (
        f"of the {total:,} numbers below {bound:,} that {histogram.name} drew, each came {least:,} to {most:,} times, "
        "so no fault is the generator's"
    )


def _told_even(histogram: Histogram) -> str:
    told = told_even(histogram)
    return f" {text(told[0].upper() + told[1:])}." if told else ""
