"""Sorting with a coin for a comparison: every sorting method gives its own bias, none is fair."""

from collections.abc import Sequence
from functools import cmp_to_key
from random import Random

from fairdeck.shuffles import Known


def coin_insertion(n: int, rng: Random) -> Sequence[int]:
    """Insertion sort: a new card sinks while the coin says so, on average past one card only."""
    deck: list[int] = []
    for card in range(n):
        place = card
        while place and rng.getrandbits(1):
            place -= 1
        deck.insert(place, card)
    return deck


def coin_merge(n: int, rng: Random) -> Sequence[int]:
    """Merge sort: a coin says which half gives the next card, whatever their sizes."""
    return _merged_by_coin(0, n, rng)


def _merged_by_coin(start: int, end: int, rng: Random) -> list[int]:
    if end - start == 1:
        return [start]
    middle = (start + end) // 2
    low, high = _merged_by_coin(start, middle, rng), _merged_by_coin(middle, end, rng)
    low.reverse()  # so that pop takes the first
    high.reverse()
    deck = []
    while low and high:
        deck.append((high if rng.getrandbits(1) else low).pop())
    return deck + (low or high)[::-1]


def fair_merge(n: int, rng: Random) -> Sequence[int]:
    """Merge sort in which each half gives the next card with probability proportional to its remaining cards.

    Source: Bacher, Bodini, Hollender and Lumbroso, "MergeShuffle", arXiv:1508.03167 (2015), in its idea.
    """
    return _merged_fairly(0, n, rng)


def _merged_fairly(start: int, end: int, rng: Random) -> list[int]:
    if end - start == 1:
        return [start]
    middle = (start + end) // 2
    low, high = _merged_fairly(start, middle, rng), _merged_fairly(middle, end, rng)
    return [(low if rng.randrange(left) < len(low) else high).pop() for left in range(len(low) + len(high), 0, -1)]


def coin_quick(n: int, rng: Random) -> Sequence[int]:
    """Quicksort: each card goes below or above the middle one by a coin, so the middle card tends to the middle."""
    return _sorted_by_coin(list(range(n)), rng)


def _sorted_by_coin(cards: list[int], rng: Random) -> list[int]:
    if not cards:
        return []
    pivot = cards.pop(len(cards) // 2)
    below: list[int] = []
    above: list[int] = []
    for card in cards:
        (above if rng.getrandbits(1) else below).append(card)
    return [*_sorted_by_coin(below, rng), pivot, *_sorted_by_coin(above, rng)]


def coin_sorted(n: int, rng: Random) -> Sequence[int]:
    """Python's own `sorted` with a coin: binary insertion below 64 cards, merges of such runs above (timsort)."""
    return sorted(range(n), key=cmp_to_key(lambda _one, _other: -1 if rng.getrandbits(1) else 1))


_BALLOT = "Weir, Doing the Microsoft Shuffle: algorithm fail in browser ballot (2010)"

KNOWN = (
    Known(
        "comparator-insertion",
        coin_insertion,
        says="an insertion sort that compares by a coin: few cards move far",
        source=_BALLOT,
    ),
    Known(
        "comparator-merge",
        coin_merge,
        says="a merge sort that compares by a coin: long pieces of the old order stay together",
        source=_BALLOT,
    ),
    Known(
        "comparator-quick",
        coin_quick,
        says="a quicksort that compares by a coin: the middle card stays near the middle",
        source=_BALLOT,
    ),
    Known(
        "comparator-sort",
        coin_sorted,
        says="sort(() => random() - 0.5), here with Python's sort: some orders come several times as often as others",
        source=_BALLOT,
    ),
    Known(
        "merge",
        fair_merge,
        fair=True,
        says="merges halves card by card, each half with a chance in proportion to its remaining cards",
        source="after Bacher, Bodini, Hollender and Lumbroso, arXiv:1508.03167 (2015)",
    ),
)
