"""Counting: a battery of statistics over blocks of decks, into integers that add up.

A `Tally` of two sets of blocks is the sum of theirs, in any order and any split, so one process,
many, or a run taken up again give the same numbers digit for digit. p-values come later.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property, reduce
from itertools import chain, pairwise
from pathlib import Path

from fairdeck.errors import FairdeckError
from fairdeck.lab import entry
from fairdeck.lab.arrays import Counts
from fairdeck.lab.kernels import BYTES_UP_TO, WORTH, available
from fairdeck.lab.sources import LEAD
from fairdeck.lab.sources.simulated import AnyBlock, NumberedBlock
from fairdeck.lab.statistics import Statistic, catalogue
from fairdeck.lab.view import View, deck_view, first_of, relative_view
from fairdeck.shuffles import MOST_CARDS

SMALLEST_LOOK = 16
FINE_FROM, COARSE, FINE = 512, 2, 4  # decks; looks to each doubling up to there, and from there on
FAST_FROM = WORTH
LARGEST_BLOCK = 4096
PORTION, LARGEST_PORTION = 64, 2**18  # a part of the decks so far, and a number of decks
CARDS_IN_A_BLOCK = 2**21
DEFAULT_LAGS = 2
LAGS = LEAD  # no deck further back is at hand


@dataclass(frozen=True)
class Member:
    """A statistic, and whether it looks at decks (lag 0) or at decks relative to earlier ones."""

    statistic: Statistic
    lag: int

    @property
    def family(self) -> str:
        """What its evidence counts towards."""
        return "serial" if self.lag else self.statistic.family


@dataclass(frozen=True)
class Battery:
    """The statistics that are asked about decks of `cards` cards.

    Attributes:
        cards: the cards of a deck, 2 or more.
        lags: relative arrangements are looked at 1, 2, ... `lags` decks apart, 0 to 8.
        only: names of statistics to keep; all if empty.
    """

    cards: int
    lags: int = DEFAULT_LAGS
    only: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        entry.whole("cards", self.cards, 2, MOST_CARDS)
        entry.whole("lags", self.lags, 0, LAGS)
        unknown = sorted(self.only - {statistic.name for statistic in catalogue()})
        if unknown:
            raise FairdeckError(f"no statistic is called {unknown[0]!r}; see: fairdeck test --list")
        if not self.members:
            raise FairdeckError(f"none of these statistics looks at decks of {self.cards} cards; ask for others")

    @cached_property
    def members(self) -> tuple[Member, ...]:
        """Every statistic that fits the deck, on every lag that it is worth."""
        fitting = [
            statistic
            for statistic in catalogue()
            if statistic.fits(self.cards) and (not self.only or statistic.name in self.only)
        ]
        return tuple(
            Member(statistic, lag)
            for lag in range(self.lags + 1)
            for statistic in fitting
            if not lag or statistic.relative
        )

    def tally(self, block: AnyBlock) -> "Tally":
        """Return what the battery counts on one block: by kernels where they are worth it, else by numpy."""
        if is_fast(self.cards) and block.size >= FAST_FROM:
            return self._fast_tally(block)
        views = [deck_view(block), *(relative_view(block, lag) for lag in range(1, self.lags + 1))]
        return Tally(
            decks=len(block.decks),
            seen=tuple(view.decks for view in views),
            counts=tuple(member.statistic.count(views[member.lag]) for member in self.members),
        )

    def _fast_tally(self, block: AnyBlock) -> "Tally":
        """Return the same counts, digit for digit."""
        from fairdeck.lab.kernels.batch import of_rows, relative
        from fairdeck.lab.kernels.counts import fast

        made = block.batch if isinstance(block, NumberedBlock) else None
        decks = made or replace(of_rows(block.decks), first=first_of(block))
        batches = [decks, *(relative(decks, block.lead, lag) for lag in range(1, self.lags + 1))]
        views: dict[int, View] = {}
        counts = []
        for member in self.members:
            if quick := fast().get(member.statistic.name):
                counts.append(quick(batches[member.lag]))
                continue
            if member.lag not in views:
                views[member.lag] = deck_view(block) if not member.lag else relative_view(block, member.lag)
            counts.append(member.statistic.count(views[member.lag]))
        return Tally(decks.decks, tuple(batch.decks for batch in batches), tuple(counts))

    def tally_all(self, blocks: Iterable[AnyBlock]) -> "Tally":
        """Return what the battery counts on several blocks, one or more."""
        return self.total(map(self.tally, blocks))

    def merge(self, tally: "Tally", more: "Tally") -> "Tally":
        """Return the tally of both."""
        return Tally(
            decks=tally.decks + more.decks,
            seen=tuple(a + b for a, b in zip(tally.seen, more.seen, strict=True)),
            counts=tuple(
                member.statistic.merge(a, b)
                for member, a, b in zip(self.members, tally.counts, more.counts, strict=True)
            ),
        )

    def total(self, tallies: Iterable["Tally"]) -> "Tally":
        """Return the tally of one or more together; equal numbers of them are added up, as some are lists that grow."""
        sums: list[tuple[int, Tally]] = []
        for each in tallies:
            size, total = 1, each
            while sums and sums[-1][0] == size:
                size, total = 2 * size, self.merge(sums.pop()[1], total)
            sums.append((size, total))
        return reduce(self.merge, (total for _, total in reversed(sums)))


@dataclass(frozen=True)
class Tally:
    """What a battery counted.

    Attributes:
        decks: how many decks.
        seen: how many arrangements at each lag; ``seen[0]`` is `decks`.
        counts: the counts of each member of the battery, in its order.
    """

    decks: int
    seen: tuple[int, ...]
    counts: tuple[Counts, ...]


def is_fast(cards: int) -> bool:
    """Tell whether decks of `cards` cards can be counted by kernels here."""
    return available() and 2 <= cards <= BYTES_UP_TO


def schedule() -> Iterator[int]:
    """Yield the numbers of decks at which the evidence may be weighed, without end.

    They depend on nothing: 16, 23, 32, 45, ... to 512, then four to each doubling: 609, 724, 861,
    1,024, ... So data that end anywhere from there on can be judged on 84 % of their decks or more.
    """
    decks, step = SMALLEST_LOOK, 0
    while True:
        yield decks
        step += FINE // looks_to_double(decks + 1)
        decks = round(SMALLEST_LOOK * 2 ** (step / FINE))


def looks_to_double(decks: int) -> int:
    """Return how many numbers of the schedule lie in the doubling that `decks` belongs to, its end counted in."""
    return COARSE if decks <= FINE_FROM else FINE


def portions(cards: int, most: int) -> Iterator[list[int]]:
    """Yield the sizes of `block_sizes` in lists that are counted at one go, a boundary at every look.

    The more decks there have been, the more come together, so that adding up costs little however
    fast they are counted.
    """
    done, portion = 0, list[int]()
    looks = schedule()
    look = next(looks)
    for size in block_sizes(cards, most):
        portion.append(size)
        done += size
        if done in (look, most) or sum(portion) >= min(done // PORTION, LARGEST_PORTION):
            yield portion
            portion = []
        if done == look:
            look = next(looks)


def block_sizes(cards: int, most: int) -> Iterator[int]:
    """Yield the sizes of the blocks of a run of `most` decks: a boundary at every look, no block too large.

    A longer run begins with the same blocks, but for the last of the shorter one.
    """
    done = 0
    for size in _sizes(cards):
        yield min(size, most - done)
        done += size
        if done >= most:
            return


def _sizes(cards: int) -> Iterator[int]:
    """Yield the sizes of the blocks of a run without end; between two looks they are as equal as can be.

    A small block is counted without kernels, so none is left over.
    """
    largest = max(SMALLEST_LOOK, min(LARGEST_BLOCK, CARDS_IN_A_BLOCK // cards))
    for done, look in pairwise(chain([0], schedule())):
        decks = look - done
        blocks = -(-decks // largest)
        yield from (decks * (at + 1) // blocks - decks * at // blocks for at in range(blocks))


@cache
def fingerprint() -> str:
    """Return a hash of the source text of all statistics and laws: two equal ones count and judge alike."""
    lab = Path(__file__).parent
    rooms = [
        lab / "law.py",
        lab / "tails.py",
        lab / "view.py",
        lab / "kinds.py",
        *sorted((lab / "statistics").glob("*.py")),
    ]
    digest = hashlib.sha256()
    for room in rooms:
        digest.update(room.name.encode() + b"\0" + room.read_bytes() + b"\0")
    return digest.hexdigest()
