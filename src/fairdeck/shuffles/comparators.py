"""Sorting with a coin for a comparison: every sorting method gives its own bias, none is fair."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from random import Random

from fairdeck.shuffles import Known


@dataclass(frozen=True, slots=True)
class CoinInsertion:
    """Insertion sort: a new card sinks while the coin says so, on average past one card only."""

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return an arrangement near the sorted order."""
        deck: list[int] = []
        for card in range(n):
            place = card
            while place and rng.getrandbits(1):
                place -= 1
            deck.insert(place, card)
        return deck


@dataclass(frozen=True, slots=True)
class CoinMerge:
    """Merge sort: a coin says which half gives the next card, whatever their sizes."""

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return an arrangement; the rest of one half often ends on top in one piece."""
        return self._merged(0, n, rng)

    def _merged(self, start: int, end: int, rng: Random) -> list[int]:
        if end - start == 1:
            return [start]
        middle = (start + end) // 2
        low, high = self._merged(start, middle, rng), self._merged(middle, end, rng)
        low.reverse()  # so that pop takes the first
        high.reverse()
        deck = []
        while low and high:
            deck.append((high if rng.getrandbits(1) else low).pop())
        return deck + (low or high)[::-1]


@dataclass(frozen=True, slots=True)
class FairMerge:
    """Merge sort in which each half gives the next card with probability proportional to its remaining cards.

    Source: Bacher, Bodini, Hollender and Lumbroso, "MergeShuffle", arXiv:1508.03167 (2015), in its idea.
    """

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return one of the n! arrangements, each equally likely."""
        return self._merged(0, n, rng)

    def _merged(self, start: int, end: int, rng: Random) -> list[int]:
        if end - start == 1:
            return [start]
        middle = (start + end) // 2
        low, high = self._merged(start, middle, rng), self._merged(middle, end, rng)
        return [(low if rng.randrange(left) < len(low) else high).pop() for left in range(len(low) + len(high), 0, -1)]


@dataclass(frozen=True, slots=True)
class CoinQuick:
    """Quicksort: each card goes below or above the middle one by a coin, so the middle card tends to the middle."""

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return an arrangement; the card in the middle stays near it."""
        return self._sorted(list(range(n)), rng)

    def _sorted(self, cards: list[int], rng: Random) -> list[int]:
        if not cards:
            return []
        pivot = cards.pop(len(cards) // 2)
        below: list[int] = []
        above: list[int] = []
        for card in cards:
            (above if rng.getrandbits(1) else below).append(card)
        return [*self._sorted(below, rng), pivot, *self._sorted(above, rng)]


@dataclass(frozen=True, slots=True)
class CoinSorted:
    """Python's own `sorted` with a coin: binary insertion below 64 cards, merges of such runs above (timsort)."""

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return an arrangement; the version of Python decides which orders are too likely."""
        return sorted(range(n), key=cmp_to_key(lambda _one, _other: -1 if rng.getrandbits(1) else 1))


_BALLOT = "Weir, Doing the Microsoft Shuffle: algorithm fail in browser ballot (2010)"

KNOWN = (
    Known(
        "comparator-insertion",
        CoinInsertion(),
        says="an insertion sort that compares by a coin: few cards move far",
        source=_BALLOT,
    ),
    Known(
        "comparator-merge",
        CoinMerge(),
        says="a merge sort that compares by a coin: long pieces of the old order stay together",
        source=_BALLOT,
    ),
    Known(
        "comparator-quick",
        CoinQuick(),
        says="a quicksort that compares by a coin: the middle card stays near the middle",
        source=_BALLOT,
    ),
    Known(
        "comparator-sort",
        CoinSorted(),
        says="sort(() => random() - 0.5), here with Python's sort: some orders come several times as often as others",
        source=_BALLOT,
    ),
    Known(
        "merge",
        FairMerge(),
        fair=True,
        says="merges halves card by card, each half with a chance in proportion to its remaining cards",
        source="after Bacher, Bodini, Hollender and Lumbroso, arXiv:1508.03167 (2015)",
    ),
)
