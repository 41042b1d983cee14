"""Sorting with a coin for a comparison: every sorting method gives its own bias, none is fair.

The methods are written out here, timsort too. A sort of the language would change with its version: Python's does
not take the same runs since 3.13.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.shuffles import Known

Coin = Callable[[], bool]  # whether a card is lower than another, whichever they are


def coin_insertion(n: int, rng: Random) -> Sequence[int]:
    """Insertion sort: a new card sinks while the coin says so, on average past one card only."""
    deck = list(range(n))
    for place in range(n):
        _sink(deck, place, 0, lambda: bool(rng.getrandbits(1)))
    return deck


def _sink(deck: list[int], place: int, least: int, coin: Coin) -> None:
    """Move a card down while the coin says so."""
    low = place
    while low > least and coin():
        low -= 1
    deck.insert(low, deck.pop(place))


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


BY_INSERTION, MANY = 12, 50  # cards: so many Go sorts by insertion; of so many, its pivot is a median of medians
FALLS = 12  # swaps of those, when all are in falling order
FEWEST_IN_A_RUN = 64  # shorter decks are one run, sorted by binary insertion
GALLOP = 7  # cards of one run in a row, after which a search looks for more of them


@dataclass(frozen=True, slots=True)
class CoinTimsort:
    """Timsort with a coin: natural runs, grown by binary insertion, then merged.

    `sort` of JavaScript in V8 (Chrome, Node.js), and of Java for fewer than 32 cards;
    `sorted` of Python until 3.12 for fewer than 128 cards, and until 3.10 for all.
    Sources: Peters, listsort.txt (2002), in CPython; V8, third_party/v8/builtins/array-sort.tq; OpenJDK, TimSort.java.
    """

    python: bool = False  # take runs as Python does since 3.13, which looks for rising ones first
    java: bool = False  # take runs half as long, and start again where Java throws: the coin contradicts itself

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return an arrangement."""

        def coin() -> bool:
            return bool(rng.getrandbits(1))

        least = _least_run(n, FEWEST_IN_A_RUN // (1 + self.java))
        runs, gallop, left = list[list[int]](), [GALLOP], list(range(n))
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
        return self(n, rng) if self.java and len(gallop) > 1 else runs[0]


def _least_run(n: int, fewest: int) -> int:
    more = 0
    while n >= fewest:
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
    """Return two runs as one; `gallop` begins with the cards in a row before a search, and grows where Java throws."""
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
    gallop.extend([GALLOP] * (not left[0]))
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


class CoinPdqsort:
    """Pattern-defeating quicksort with a coin: `sort.Slice` and `slices.SortFunc` of Go since 1.19.

    Left out is the heap sort after many lopsided splits, which a coin hardly ever brings about. After one split, three
    cards change places as in Go 1.27; 1.19 moves others, in about one deck of 500.
    Sources: Peters, "Pattern-defeating Quicksort", arXiv:2106.05123 (2021); Go, src/sort/zsortfunc.go.
    """

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return an arrangement."""
        deck = list(range(n))
        _split(deck, 0, n, lambda: bool(rng.getrandbits(1)))
        return deck


def _split(deck: list[int], a: int, b: int, coin: Coin) -> None:
    balanced = untouched = True  # the last split
    while (size := b - a) > BY_INSERTION:
        if not balanced:
            _scatter(deck, a, b)
        pivot, swaps = _pivot(a, b, coin)
        if falls := swaps == FALLS:
            deck[a:b] = deck[a:b][::-1]
            pivot = b - 1 - (pivot - a)
        if balanced and untouched and (falls or not swaps) and _nearly_sorted(deck, a, b, coin):
            return
        equal = a > 0 and not coin()
        low, high, untouched_now = _parted(deck, a, b, pivot, coin, equal=equal)
        if equal:
            a = low
            continue
        untouched, balanced = untouched_now, min(high - a, b - high) >= size // 8
        if high - a < b - high:
            _split(deck, a, high, coin)
            a = high + 1
        else:
            _split(deck, high + 1, b, coin)
            b = high
    for place in range(a + 1, b):
        _sink(deck, place, a, coin)


def _scatter(deck: list[int], a: int, b: int) -> None:
    size = word = b - a
    for place in range(a + size // 4 * 2 - 1, a + size // 4 * 2 + 2):
        for shift in (13, -7, 17):
            word ^= (word << shift if shift > 0 else word >> -shift) % 2**64
        other = word % (1 << size.bit_length())
        _swap(deck, place, a + other - size * (other >= size))


def _swap(deck: list[int], a: int, b: int) -> None:
    deck[a], deck[b] = deck[b], deck[a]


def _pivot(a: int, b: int, coin: Coin) -> tuple[int, int]:
    """Return the place of the median of three cards, or of three medians, and how often the coin swapped two."""
    swaps = 0

    def median(three: list[int]) -> int:
        nonlocal swaps
        for at in (0, 1, 0):
            if coin():
                swaps += 1
                _swap(three, at, at + 1)
        return three[1]

    places = [a + (b - a) // 4 * quarter for quarter in (1, 2, 3)]
    if b - a >= MANY:
        places = [median([place - 1, place, place + 1]) for place in places]
    return median(places), swaps


def _nearly_sorted(deck: list[int], a: int, b: int, coin: Coin) -> bool:
    """Move up to five cards, of many, and say whether all seem to be sorted."""
    at = a + 1
    for _ in range(5):
        while at < b and not coin():
            at += 1
        if at == b or b - a < MANY:
            return at == b
        _swap(deck, at, at - 1)
        if at - a >= 2:
            _sink(deck, at - 1, 0, coin)
        for higher in range(at + 1, b):
            if not coin():
                break
            _swap(deck, higher, higher - 1)
    return False


def _parted(deck: list[int], a: int, b: int, pivot: int, coin: Coin, *, equal: bool) -> tuple[int, int, bool]:
    """Move the cards that are lower than a card, or equal to it, below the others; say where they meet."""
    _swap(deck, a, pivot)
    low, high, untouched = a + 1, b - 1, True
    while True:
        while low <= high and coin() != equal:
            low += 1
        while low <= high and coin() == equal:
            high -= 1
        if low > high:
            break
        _swap(deck, low, high)
        low, high, untouched = low + 1, high - 1, False
    if not equal:
        _swap(deck, high, a)
    return low, high, untouched


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
        "comparator-sort",
        CoinTimsort(),
        says="a sort that compares by a coin, as V8 (JavaScript) sorts, Python until 3.12, and Java up to 31 cards",
        source=_BALLOT,
    ),
    Known(
        "comparator-sort-go",
        CoinPdqsort(),
        says="a sort that compares by a coin, as Go's sort.Slice sorts since 1.19",
        source="Peters, arXiv:2106.05123 (2021)",
    ),
    Known(
        "comparator-sort-java",
        CoinTimsort(java=True),
        says="a sort that compares by a coin, as Java sorts, tried again where it throws",
        source=_BALLOT,
    ),
    Known(
        "comparator-sort-python",
        CoinTimsort(python=True),
        says="a sort that compares by a coin, as Python sorts since 3.13",
        source=_BALLOT,
    ),
)
