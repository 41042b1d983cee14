"""Sorting with a coin for a comparison: every sorting method gives its own bias, none is fair.

The methods are written out here, timsort too. A sort of the language would change with its version: Python's does
not take the same runs since 3.13.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
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


FEWEST_IN_A_RUN = 64  # shorter decks are one run, sorted by binary insertion
GALLOP = 7  # cards of one run in a row, after which a search looks for more of them

Coin = Callable[[], bool]  # whether a card is lower than another, whichever they are


@dataclass(frozen=True, slots=True)
class CoinTimsort:
    """Timsort with a coin: natural runs, grown by binary insertion, then merged.

    `sort` of JavaScript in V8 (Chrome, Node.js), and of Java for fewer than 32 cards (of more it takes shorter runs);
    `sorted` of Python until 3.12 for fewer than 128 cards, and until 3.10 for all.
    Sources: Peters, listsort.txt (2002), in CPython; V8, third_party/v8/builtins/array-sort.tq.
    """

    python: bool = False  # take runs as Python does since 3.13, which looks for rising ones first

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return an arrangement."""

        def coin() -> bool:
            return bool(rng.getrandbits(1))

        least, runs, gallop, left = _least_run(n), list[list[int]](), [GALLOP], list(range(n))
        while left:
            run = _run_of_python(left, coin) if self.python else _run(left, coin)
            del left[: len(run)]
            while len(run) < least and left:
                _insert(run, left.pop(0), coin)
            runs.append(run)
            while (at := _unbalanced(runs)) is not None:
                runs[at : at + 2] = [_merged(runs[at], runs[at + 1], gallop, coin)]
        while len(runs) > 1:
            at = len(runs) - 2 - (len(runs) > 2 and len(runs[-3]) < len(runs[-1]))
            runs[at : at + 2] = [_merged(runs[at], runs[at + 1], gallop, coin)]
        return runs[0]


def _least_run(n: int) -> int:
    more = 0
    while n >= FEWEST_IN_A_RUN:
        n, more = n >> 1, more | n & 1
    return n + more


def _run(cards: Sequence[int], coin: Coin) -> list[int]:
    """Return the first run: cards that rise, or that fall and are turned over."""
    if len(cards) < 2:
        return list(cards)
    falls, size = coin(), 2
    while size < len(cards) and coin() == falls:
        size += 1
    return list(cards[:size][::-1] if falls else cards[:size])


def _run_of_python(cards: Sequence[int], coin: Coin) -> list[int]:
    """Return the first run as Python takes it since 3.13: one of equal cards may fall, and what fell may rise again."""
    size = 1
    while size < len(cards) and not coin():
        size += 1
    if size == len(cards) or (size > 1 and coin()):
        return list(cards[:size])
    run = list(cards[:size][::-1])
    run.append(cards[size])
    equal = 0
    while len(run) < len(cards):
        if coin():
            run[len(run) - 1 - equal :] = run[len(run) - 1 - equal :][::-1]
            equal = 0
        elif coin():
            break
        else:
            equal += 1
        run.append(cards[len(run)])
    run[len(run) - 1 - equal :] = run[len(run) - 1 - equal :][::-1]
    run.reverse()
    while len(run) < len(cards) and not coin():
        run.append(cards[len(run)])
    return run


def _insert(run: list[int], card: int, coin: Coin) -> None:
    low, high = 0, len(run)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if coin() else (middle + 1, high)
    run.insert(low, card)


def _unbalanced(runs: Sequence[Sequence[int]]) -> int | None:
    """Return which run is merged with the next: each is longer than the two after it together; None if all are."""
    sizes = [0, *map(len, runs)]
    if len(runs) < 2:
        return None
    before, last, top = sizes[-3:]
    if (len(runs) > 2 and before <= last + top) or (len(runs) > 3 and sizes[-4] <= before + last):
        return len(runs) - 2 - (before < top)
    return len(runs) - 2 if last <= top else None


def _merged(low: list[int], high: list[int], gallop: list[int], coin: Coin) -> list[int]:
    """Return two runs as one; `gallop` holds after how many cards in a row the next merge searches."""
    start = _found(len(low), 0, coin, right=True)
    first, low = low[:start], low[start:]
    end = _found(len(high), len(high) - 1, coin, right=False) if low else 0
    high, last = high[:end], high[end:]
    if not (low and high):
        return first + low + high + last
    if len(low) <= len(high):
        return first + _taken(low, high, gallop, coin, backward=False) + last
    return first + _taken(high[::-1], low[::-1], gallop, coin, backward=True)[::-1] + last


def _taken(ours: list[int], theirs: list[int], gallop: list[int], coin: Coin, *, backward: bool) -> list[int]:
    """Return the cards of two runs in the order in which they are taken; a coin that says so takes one of `theirs`.

    The last card of `ours` waits until all of `theirs` are taken.
    """
    left, done = [ours, theirs], list[int]()

    def take(which: int, cards: int) -> bool:
        """Take cards of a run, and say whether that ends the merge."""
        done.extend(left[which][:cards])
        left[which] = left[which][cards:]
        return len(left[1]) == 0 or len(left[0]) <= 1

    def steps() -> None:
        if take(1, 1):
            return
        while True:
            in_a_row, last = 0, -1
            while in_a_row < gallop[0]:
                which = int(coin())
                in_a_row, last = (in_a_row + 1 if which == last else 1), which
                if take(which, 1):
                    return
            gallop[0] += 1
            searched = [GALLOP, GALLOP]
            while max(searched) >= GALLOP:
                gallop[0] = max(1, gallop[0] - 1)
                for which in (1, 0) if backward else (0, 1):
                    searched[which] = _searched(len(left[which]), which, coin, backward=backward)
                    if (searched[which] and take(which, searched[which])) or take(1 - which, 1):
                        return
            gallop[0] += 1

    steps()
    return done + left[1] + left[0] if len(left[0]) == 1 else done + left[0] + left[1]


def _searched(size: int, which: int, coin: Coin, *, backward: bool) -> int:
    """Return how many cards of a run the next card of the other one is behind."""
    # To the right of equal cards in the lower run, to the left of them in the higher one.
    found = _found(size, size - 1 if backward else 0, coin, right=(which == 0) != backward)
    return size - found if backward else found


def _found(size: int, hint: int, coin: Coin, *, right: bool) -> int:
    """Return where a card belongs in a run, looked for from `hint` on in steps that double, then by halves."""

    def above() -> bool:
        return coin() != right

    last, step = 0, 1
    if above():
        while step < size - hint and above():
            last, step = step, 2 * step + 1
        low, high = hint + last, min(hint + step, size)
    else:
        while step < hint + 1 and not above():
            last, step = step, 2 * step + 1
        low, high = hint - min(step, hint + 1), hint - last
    low += 1
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if above() else (low, middle)
    return high


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
        CoinTimsort(),
        says="sort(() => Math.random() - 0.5), as V8 sorts, and Java up to 31 cards: some orders come far too often",
        source=_BALLOT,
    ),
    Known(
        "comparator-sort-python",
        CoinTimsort(python=True),
        says="sorted() with a coin for a comparison, as Python sorts since 3.13: runs that rise are found first",
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
