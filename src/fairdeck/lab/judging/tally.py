"""Counting: a battery of statistics over blocks of decks, into integers that add up; how large the blocks are.

The `Tally` of two sets of blocks is the sum of their tallies, in any order and any split. So one process,
several processes and a resumed run give the same numbers, digit for digit. p-values come later.

*Sparse* statistics have so many cells that to count them on every deck would take longer than all others. They are
counted on all blocks at first, some 65,000 decks, and then on one large block in 32; so their tally depends on how
the decks are cut into blocks.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property, reduce
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import chain, pairwise, takewhile
from typing import Any

import numpy as np

from fairdeck import numbers
from fairdeck.bulk import available
from fairdeck.bulk.shapes import BYTES_UP_TO, Counts, card_type
from fairdeck.errors import FairdeckError, nearest
from fairdeck.lab.blocks import LEAD, Broken
from fairdeck.lab.judging import compiling
from fairdeck.lab.judging.families import family
from fairdeck.lab.observations import Sight
from fairdeck.lab.sources.simulated import AnyBlock, NumberedBlock
from fairdeck.lab.statistics import Statistic, catalogue, of_sight
from fairdeck.lab.view import View, deck_view, relative_view
from fairdeck.shuffles import MOST_CARDS

FIRST_ANALYSIS, FEW_CARDS = 16, 200  # decks, and the most cards of a deck for which that is the first analysis
FINE_FROM, COARSE, FINE = 512, 2, 4  # decks; interim analyses in each doubling up to there, and after it
FAST_FROM = 1_024  # decks of a block: by then NumPy has counted for about as long as it takes to load kernels
LARGEST_BLOCK = 4096
PORTION, LARGEST_PORTION = 64, 2**27  # a portion is 1/64 of the decks so far, and has a limit
FIRST_PART, LARGEST_PART, FINE_PARTS_FROM = 64, 2**16, 2**15  # decks of one process of a user's code
CARDS_IN_A_BLOCK = 2**21
DEFAULT_LAGS = 2
LARGE, EVERY = 1_024, 32  # decks of a block, and blocks: where sparse statistics are counted
ALL_OF_FIRST = 48  # blocks, of some 65,000 decks
LAGS = LEAD  # a block does not know decks further back
# What is filled in at random hides all but what is seen: statistics of whole decks have no power beyond those of what
# is seen, and cost time and a part of the level. Of a set, small decks are counted order by order and nothing else; of
# less than half a deck in its order, also what tells which card lies on which, and the draws from the top.
OF_SETS = frozenset({"every order"})
OF_GLIMPSES = OF_SETS | {"neighbours", "draws"}


@dataclass(frozen=True)
class Member:
    """A statistic of decks (lag 0), or of decks relative to earlier ones."""

    statistic: Statistic
    lag: int

    @property
    def family(self) -> str:
        """The name of the family that its evidence belongs to."""
        return "serial" if self.lag else family(self.statistic.family).name


@dataclass(frozen=True)
class Battery:
    """The statistics that are asked about decks of `cards` cards."""

    cards: int  # the cards of a deck, 2 or more
    lags: int = DEFAULT_LAGS  # decks are compared with those 1, 2, ... `lags` decks before them, 0 to 32.
    only: frozenset[str] = frozenset()  # names of statistics to keep; all if empty
    sight: Sight | None = None  # what is seen of each deck, if that is not all of it, or if some cards are of a kind

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields only: the rest is made from them, and need not travel."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def __post_init__(self) -> None:
        numbers.whole("cards", self.cards, 2, MOST_CARDS)
        numbers.whole("lags", self.lags, 0, LAGS)
        names = [statistic.name for statistic in self._known]
        unknown = sorted(self.only.difference(names))
        if unknown:
            near = nearest(unknown[0], names) or ";"
            named = numbers.shortened(unknown[0])
            if self.sight and unknown[0] in _names_of_catalogue():
                raise FairdeckError(f"{named} says nothing of {self.sight.scheme}: leave it out, or name another")
            raise FairdeckError(f"no statistic is called {named}{near} see: fairdeck test --list")
        if not self.members:
            raise FairdeckError(
                f"none of these statistics can be computed for decks of {self.cards} cards; ask for others"
            )

    @cached_property
    def members(self) -> tuple[Member, ...]:
        """Every statistic that fits the deck, at every lag where it is used."""
        fitting = [
            statistic
            for statistic in self._known
            if statistic.fits(self.cards) and (not self.only or statistic.name in self.only)
        ]
        return tuple(
            Member(statistic, lag)
            for lag in range(self.lags + 1)
            for statistic in fitting
            if not lag or statistic.relative
        )

    @cached_property
    def dense(self) -> "Battery | None":
        """All but the sparse statistics, for a part of a run; None if nothing is left.

        Sparse statistics are counted on few blocks, so a part of a run knows little of them, and they have most cells.
        """
        names = {member.statistic.name for member in self.members if not member.statistic.sparse}
        return replace(self, only=frozenset(names)) if names else None

    def of_dense(self, tally: "Tally") -> "Tally":
        """Return what a tally has for `dense`."""
        pairs = zip(self.members, tally.counts, strict=True)
        return replace(tally, counts=tuple(counts for member, counts in pairs if not member.statistic.sparse))

    @property
    def _known(self) -> tuple[Statistic, ...]:
        sight = self.sight
        if sight is None:
            return catalogue()
        seen = len(set(chain.from_iterable(sight.hands)))
        kept = OF_SETS if not sight.ordered else OF_GLIMPSES if 0 < 2 * seen < self.cards else None
        asked = (each for each in catalogue() if kept is None or each.family in kept)
        return (*asked, *of_sight(sight))

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of the statistics."""
        return frozenset(member.statistic.name for member in self.members)

    def counts_of(self, name: str, tally: "Tally | None") -> Counts | None:
        """Return what a statistic counted of decks by themselves; None if it is not asked, or nothing was counted."""
        members = zip(self.members, tally.counts, strict=True) if tally else ()
        return next((counts for member, counts in members if member.statistic.name == name and not member.lag), None)

    def tally(self, block: AnyBlock) -> "Tally":
        """Return the tally of one block: counted by kernels if the block is large and they are ready, else by NumPy."""
        quick = self.names & _names_of_catalogue()  # what is seen has no kernels
        if quick and is_fast(self.cards) and block.size >= FAST_FROM and compiling.ready(self.cards, quick):
            return self.tally_by_kernels(block)
        views = [deck_view(block), *(relative_view(block, lag) for lag in range(1, self.lags + 1))]
        skipped = self._skipped(block)
        return Tally(
            decks=len(block.decks),
            seen=tuple(view.decks for view in views),
            counts=tuple(
                skipped[at] if at in skipped else member.statistic.count(views[member.lag])
                for at, member in enumerate(self.members)
            ),
        )

    def tally_by_kernels(self, block: AnyBlock) -> "Tally":
        """Return the same tally, digit for digit; kernels that nobody has compiled yet are compiled first."""
        from fairdeck.bulk.batch import of_rows, relative
        from fairdeck.lab.counts import fast

        made = block.batch if isinstance(block, NumberedBlock) else None
        decks = replace(made or of_rows(block.decks), first=block.first)
        batches = [decks, *(relative(decks, block.lead, lag) for lag in range(1, self.lags + 1))]
        views: dict[int, View] = {}
        skipped, counts = self._skipped(block), []
        for at, member in enumerate(self.members):
            if at in skipped:
                counts.append(skipped[at])
                continue
            if quick := fast().get(member.statistic.name):
                counts.append(quick(batches[member.lag]))
                continue
            if member.lag not in views:
                views[member.lag] = deck_view(block) if not member.lag else relative_view(block, member.lag)
            counts.append(member.statistic.count(views[member.lag]))
        return Tally(decks.decks, tuple(batch.decks for batch in batches), tuple(counts))

    def _skipped(self, block: AnyBlock) -> dict[int, Counts]:
        """Return the counts of no decks, for each member that skips this block."""
        return {} if block.size < LARGE or block.turn < ALL_OF_FIRST or block.turn % EVERY == 0 else self._nothing

    @cached_property
    def _nothing(self) -> dict[int, Counts]:
        """The counts of no decks, for each sparse member."""
        none = np.empty((self.cards, 0), card_type(self.cards))
        sparse = ((at, each.statistic) for at, each in enumerate(self.members) if each.statistic.sparse)
        return {at: statistic.count(View(none, none)) for at, statistic in sparse}

    def tally_all(self, blocks: Iterable[AnyBlock]) -> "Tally":
        """Return the tally of blocks; if their source is Broken midway, the error has that of the blocks before."""
        broken: Broken | None = None

        def good() -> Iterator[AnyBlock]:
            nonlocal broken
            try:
                yield from blocks
            except Broken as error:
                broken = error

        tallies = map(self.tally, good())
        first = next(tallies, None)
        total = None if first is None else self.total(chain([first], tallies))
        if broken:
            broken.counted = total
            raise broken
        assert total is not None  # noqa: S101 - one or more blocks
        return total

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
        """Return the sum of one or more tallies; pairs of equal size are added first, as some counts grow."""
        sums: list[tuple[int, Tally]] = []
        for each in tallies:
            size, total = 1, each
            while sums and sums[-1][0] == size:
                size, total = 2 * size, self.merge(sums.pop()[1], total)
            sums.append((size, total))
        return reduce(self.merge, (total for _, total in reversed(sums)))


@dataclass(frozen=True)
class Tally:
    """What a battery counted."""

    decks: int  # the number of decks
    seen: tuple[int, ...]  # the number of arrangements at each lag; ``seen[0]`` is `decks`
    counts: tuple[Counts, ...]  # the counts of each member of the battery, in its order


@cache
def _names_of_catalogue() -> frozenset[str]:
    return frozenset(statistic.name for statistic in catalogue())


def is_fast(cards: int) -> bool:
    """Tell whether this machine has kernels for decks of `cards` cards."""
    return available() and 2 <= cards <= BYTES_UP_TO


def first_analysis(cards: int) -> int:
    """Return the number of decks of the first interim analysis: one deck of many cards can be judged by itself.

    >>> first_analysis(52), first_analysis(366)
    (16, 1)
    """
    return 1 if cards > FEW_CARDS else FIRST_ANALYSIS


def schedule(first: int = FIRST_ANALYSIS) -> Iterator[int]:
    """Yield the numbers of decks at which interim analyses may be made, without end, from the `first` one on, 1 or 16.

    They are fixed: 1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, ... to 512, then four in each doubling: 609, 724, 861, 1,024,
    ... So data that end anywhere from there on can be judged on 84 % of their decks or more.
    """
    decks, step = 0, 0
    while True:
        number = round(first * 2 ** (step / FINE))
        if number > decks:
            yield number
        decks = number
        step += FINE // analyses_to_double(decks + 1)


def analyses_to_double(decks: int) -> int:
    """Return how many numbers of the schedule are in the doubling that contains `decks`, its end included."""
    return COARSE if decks <= FINE_FROM else FINE


def portions(cards: int, most: int) -> Iterator[list[int]]:
    """Yield the sizes of `block_sizes` in lists that are counted together, with a boundary at every interim analysis.

    Portions grow with the number of decks, so that adding up takes little time compared with counting.
    """
    return _joined(cards, most, lambda done, new, analysis: analysis or new >= min(done // PORTION, LARGEST_PORTION))


def part_sizes(cards: int, most: int) -> Iterator[list[int]]:
    """Yield the sizes of `block_sizes` in lists for the parts of a user's code, each made by a process of its own.

    To start a process takes as long as some thousand decks, so parts are few: they double, up to `LARGEST_PART` decks,
    and none takes much longer than all before it. The first is small, because a plain fault shows in it. From
    `FINE_PARTS_FROM` decks on a part ends at each interim analysis, before that where the decks have doubled.
    """

    def ends(done: int, new: int, analysis: bool) -> bool:
        doubled = done >= FIRST_PART and done.bit_count() == 1
        return new >= LARGEST_PART or (analysis and (done >= FINE_PARTS_FROM or doubled))

    return _joined(cards, most, ends)


def _joined(cards: int, most: int, ends: Callable[[int, int, bool], bool]) -> Iterator[list[int]]:
    """Yield sizes in lists; `ends(decks, those of the list, whether an analysis is there)` says where one ends."""
    done, begun, joined = 0, 0, list[int]()
    numbers = schedule(first_analysis(cards))
    analysis = next(numbers)
    for size in block_sizes(cards, most):
        joined.append(size)
        done += size
        if ends(done, done - begun, done == analysis):
            yield joined
            begun, joined = done, []
        if done == analysis:
            analysis = next(numbers)
    if joined:
        yield joined


def block_sizes(cards: int, most: int) -> Iterator[int]:
    """Yield the sizes of the blocks of a run of `most` decks, with a boundary at every interim analysis.

    A longer run begins with the same blocks, except for the last block of the shorter run.
    """
    done = 0
    for size in _sizes(cards):
        yield min(size, most - done)
        done += size
        if done >= most:
            return


def fewer_blocks(cards: int, most: int, until: int = FINE_FROM) -> Iterator[int]:
    """Yield the sizes of larger blocks: of those of `block_sizes` up to `until` decks, one for each doubling.

    None of these has more than `FINE_FROM` decks. A small block takes as long as hundreds of decks, which a function or
    a program gives at once.

    >>> list(block_sizes(52, 256)), list(fewer_blocks(52, 256))
    ([16, 7, 9, 13, 19, 27, 37, 53, 75], [16, 16, 32, 64, 128])
    """
    done = joined = 0
    for size in block_sizes(cards, most):
        done, joined = done + size, joined + size
        if done > until or done.bit_count() == 1 or joined >= FINE_FROM or done == most:
            yield joined
            joined = 0


def decks_before_kernels(cards: int) -> int:
    """Return how many decks of a long run come before the first block that kernels count."""
    return sum(takewhile(FAST_FROM.__gt__, _sizes(cards)))


def largest_block(cards: int) -> int:
    """Return the most decks of a block, 2 or more.

    >>> largest_block(52), largest_block(10_000), largest_block(1_000_000)
    (4096, 209, 2)
    """
    return min(LARGEST_BLOCK, CARDS_IN_A_BLOCK // cards)


def _sizes(cards: int) -> Iterator[int]:
    """Yield the sizes of the blocks of an endless run; between two interim analyses they are nearly equal.

    Small blocks are counted without kernels, so no small rest is left over.
    """
    largest = largest_block(cards)
    for done, analysis in pairwise(chain([0], schedule(first_analysis(cards)))):
        decks = analysis - done
        blocks = -(-decks // largest)
        yield from (decks * (at + 1) // blocks - decks * at // blocks for at in range(blocks))


@cache
def fingerprint() -> str:
    """Return a hash of the source text and data of all statistics and laws; equal hashes mean equal results."""
    lab = resources.files("fairdeck.lab")
    rooms = [lab / "kinds.py", lab / "view.py", *_sources(lab / "laws"), *_sources(lab / "statistics")]
    digest = hashlib.sha256()
    for room in rooms:
        digest.update(room.name.encode() + b"\0" + room.read_bytes() + b"\0")
    return digest.hexdigest()


def _sources(folder: Traversable) -> list[Traversable]:
    return sorted(
        (file for file in folder.iterdir() if file.name.endswith((".py", ".json"))), key=lambda file: file.name
    )
