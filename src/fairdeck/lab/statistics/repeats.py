"""Repeats: decks, or hands from one end, that come again. How many different ones can this shuffle make?"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb, factorial, lgamma, log, perm
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincinv

from fairdeck.bulk.shapes import Columns, Counts
from fairdeck.lab.laws.power import Limit, pairs_seen
from fairdeck.lab.laws.tails import PValue, poisson_two_sided, skewed_two_sided
from fairdeck.lab.observations import Sight
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.statistics.hands import named_hands
from fairdeck.lab.view import View
from fairdeck.shuffles import MOST_CARDS

KEPT = 2**20  # fingerprints kept, the smallest of all: memory does not grow with the decks
KEPT_OF_HANDS = 2**16  # a hand that comes again does so many times, and a few show it
POKER, GIN, BRIDGE = 5, 10, 13  # cards of a hand
PLACED = 2**10  # the smallest fingerprints, kept with the number of their deck: enough to find a period, and cheap
FEWEST_ALIKE = 3  # pairs of equal decks at one distance that are not an accident
FEWEST_SETS = 300_000  # about as many as there are orders of nine cards
NOWHERE = -1  # stands for an unknown number of a deck
POISSON_TO = 1_000.0  # pairs; with more, a law with the right variance and skewness is nearer
LIMITS_TO = 10_000.0  # pairs; so far Poisson's law is near enough to tell a limit
HASH_VALUES = 2.0**64
MIXED_UP_TO = 10_000  # cards that are mixed one after another
Fingerprints = NDArray[np.uint64]
NEVER = 0xFFFF_FFFF_FFFF_FFFF  # no deck has this fingerprint


@dataclass(frozen=True)
class Repeats(Statistic):
    """Pairs of equal decks, found by a 64-bit fingerprint of each deck.

    Only the `kept` smallest fingerprints are kept. The smallest of two samples together are among the smallest of
    each, so batches merge in any order; equal decks have equal fingerprints and are kept or dropped together.
    Among N decks of M equally likely orders the number of pairs of equal decks has the mean N^2/2M and nearly a
    Poisson law; few orders make many pairs (the birthday problem). The `PLACED` smallest are kept with the number
    of their deck in the stream: a generator that starts over makes equal decks at one constant distance, which
    says nothing about the number of decks that can be drawn.
    """

    kept: int = KEPT  # how many fingerprints

    family: ClassVar[str] = "repeats"
    sizes: ClassVar[range] = range(9, MOST_CARDS + 1)  # each order of fewer cards is counted
    relative: ClassVar[bool] = False

    @property
    def what(self) -> str:
        """What comes in pairs."""
        return "equal decks"

    def orders(self, n: int) -> int:
        """Return how many different decks there are."""
        return factorial(n)

    def rows(self, n: int) -> slice:
        """Return the places that are compared."""
        return slice(0, n)

    def count(self, view: View) -> Counts:
        """Return the smallest fingerprints, sorted, above the numbers of their decks; shape ``(2, kept)``.

        The second row has the numbers of the `PLACED` smallest fingerprints: the index of the deck in the stream
        (`NOWHERE` if it is not known). After them it has zeros.
        """
        return sample(fingerprints(view.columns[self.rows(view.cards)]), view.first, self.kept)

    def merge(self, counts: Counts, more: Counts) -> Counts:
        """Return the smallest fingerprints of both."""
        if not more.shape[1]:
            return counts
        one, other = sorted((counts[0].view(np.uint64), more[0].view(np.uint64)), key=len)
        if len(other) == self.kept:  # few of the new ones are small enough to be kept
            one = one[: np.searchsorted(one, other[-1])]
        # A stable sort merges two sorted runs in one pass, ten times as fast.
        smallest = np.sort(np.concatenate([one, other]), kind="stable")[: self.kept] if len(one) else other
        return _packed(smallest, np.concatenate([counts[:, :PLACED], more[:, :PLACED]], axis=1))

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield the pairs of equal decks."""
        if decks < 2:
            return
        pairs, kept, part = equal_pairs(counts, decks, self.kept)
        orders = _distinct(self.orders(n))
        mean = kept * (kept - 1) / 2 / (orders * part)
        p_value = poisson_two_sided(pairs, mean) if mean <= POISSON_TO else _many_pairs(pairs, kept, orders, part)
        noun = "pair" if pairs == 1 else "pairs"
        words = f"{{seen:,}} {noun} of {self.what} among {kept:,}; {{expected:.3g}} would be fair"
        if pairs > mean:
            words += self.words_for(counts, decks, reachable(pairs, kept, part))
        yield self.evidence(
            self.what, p_value, words, seen=pairs, expected=mean, explains=self.repeats_all(counts, decks)
        )

    def limit(self, counts: Counts, n: int, decks: int, level: float) -> Limit | None:
        """Return the largest number of different decks, all equally likely, that is recognized as too small."""
        _, kept, part = equal_pairs(counts, decks, self.kept)
        chances = kept * (kept - 1) / 2 / part
        fair = chances / _distinct(self.orders(n))
        if fair > LIMITS_TO:
            return None
        size = chances / pairs_seen(fair, level)
        if not 1 <= size < self.orders(n):
            return None
        words = f"a shuffle that draws each deck from {two_digits(size)} or fewer, all equally likely"
        return Limit(self.name, self.what, size, None, words)

    def words_for(self, counts: Counts, decks: int, range_: tuple[float, float]) -> str:
        """Return what the equal decks say about the shuffle; `range_` is that of the number of different decks."""
        return f": {_cause(counts, decks, range_)}"

    def repeats_all(self, counts: Counts, decks: int) -> bool:
        """Return whether every deck comes again at one distance: then whatever is odd in a few decks adds up."""
        alike = distance(counts, decks)
        return alike is not None and alike[0] > 1 and alike[1]


@dataclass(frozen=True)
class EqualHands(Repeats):
    """Pairs of decks that begin or end with the same cards in the same order.

    The law is that of `Repeats`, with as many orders as such hands have.
    """

    kept: int = KEPT_OF_HANDS
    size: int = POKER  # the cards of a hand
    top: bool = True  # whether it is taken from the top; else from the bottom

    sparse: ClassVar[bool] = True
    sizes: ClassVar[range] = range(2 * BRIDGE, MOST_CARDS + 1)

    @property
    def what(self) -> str:
        """What comes in pairs."""
        return f"equal hands ({self.size} cards {'on top' if self.top else 'at the bottom'}, in order)"

    def orders(self, n: int) -> int:
        """Return how many different hands there are."""
        return perm(n, self.size)

    def rows(self, n: int) -> slice:
        """Return the places of a hand."""
        return slice(n - self.size, n) if self.top else slice(0, self.size)

    def limit(self, counts: Counts, n: int, decks: int, level: float) -> Limit | None:  # noqa: ARG002
        """Return None: that each deck comes from few is told by whole decks."""
        return None

    def words_for(self, counts: Counts, decks: int, range_: tuple[float, float]) -> str:  # noqa: ARG002
        """Return nothing: a few hands may come again among many that do not."""
        return ""

    def repeats_all(self, counts: Counts, decks: int) -> bool:  # noqa: ARG002
        """Return False: whole decks tell it."""
        return False


@dataclass(frozen=True)
class EqualMoves(EqualHands):
    """`EqualHands`, of decks relative to earlier ones as well: the same move twice. So many cards tell a move."""

    size: int = BRIDGE

    relative: ClassVar[bool] = True


@dataclass(frozen=True)
class EqualSets(EqualHands):
    """`EqualHands`, where the order inside a hand is not seen."""

    places: tuple[int, ...] = ()

    sizes: ClassVar[range] = range(2, MOST_CARDS + 1)

    def fits(self, n: int) -> bool:
        """Tell whether there are so many hands that pairs of equal ones are nearly Poisson."""
        return self.orders(n) >= FEWEST_SETS

    @property
    def what(self) -> str:
        """What comes in pairs."""
        return "equal hands, in any order"

    def orders(self, n: int) -> int:
        """Return how many different hands there are."""
        return comb(n, len(self.places))

    def count(self, view: View) -> Counts:
        """Return the counts of `Repeats`, of the sorted hands."""
        return sample(fingerprints(np.sort(view.columns[list(self.places)], axis=0)), view.first, self.kept)


def _many_pairs(pairs: int, kept: int, orders: float, part: float) -> PValue:
    """Return the p-value of the pairs among `kept` fingerprints, the smallest `part` of all those of `orders`.

    The number of orders with such a fingerprint is random, with the mean `part` times `orders`. It spreads
    the mean number of pairs. Given that number, pairs are skewed more than Poisson's: two pairs with one deck in common
    make a third.
    """
    of_these = part * orders
    mean, load, spread = kept * (kept - 1) / 2 / of_these, kept / of_these, (1 - part) / of_these
    variance = mean * (1 + mean * spread)
    third = mean * (1 + 2 * load + 3 * mean * spread + 5 * (mean * spread) ** 2)
    return skewed_two_sided(pairs, mean, variance, third)


def _distinct(orders: int) -> float:
    """Return how many of the orders can be distinguished: two share a fingerprint once in 2^64 pairs."""
    return 1 / (1 / orders + 1 / HASH_VALUES) if orders < HASH_VALUES**2 else HASH_VALUES


def fingerprints(columns: Columns) -> Counts:
    """Return a 64-bit fingerprint of each column, a deck or a part of one, as unsigned integers.

    Multiplies and folds in one card after another. Each step is a one-to-one function of the state, so two decks that
    differ in one place only never share a fingerprint. Of more than `MIXED_UP_TO` cards all are mixed at once.
    """
    if len(columns) > MIXED_UP_TO:
        return _of_large(columns)
    state = np.full(columns.shape[1], 0x9E37_79B9_7F4A_7C15, dtype=np.uint64)
    for row in columns:
        state ^= row.astype(np.uint64) + np.uint64(1)
        state *= np.uint64(0xBF58_476D_1CE4_E5B9)
        state ^= state >> np.uint64(29)
    state *= np.uint64(0x94D0_49BB_1331_11EB)
    state ^= state >> np.uint64(32)
    return np.minimum(state, np.uint64(NEVER - 1)).view(np.int64)


def _of_large(columns: Columns) -> Counts:
    """Return a sum over the places of a mixed place times a mixed card: two decks share it once in 2^63 pairs."""
    mixed = np.random.default_rng(MIXED_UP_TO).integers(1, NEVER, (2, len(columns)), dtype=np.uint64)
    found = [np.sum((mixed[0] | np.uint64(1)) * mixed[1][deck], dtype=np.uint64) for deck in columns.T]
    return np.minimum(np.array(found, np.uint64), np.uint64(NEVER - 1)).view(np.int64)


def sample(found: Counts, first: int | None, kept: int) -> Counts:
    """Return the counts of `Repeats` from the fingerprints of successive decks; `first` decks came before them."""
    every = found.view(np.uint64)
    smallest = np.sort(every)[:kept]
    at = np.flatnonzero(every <= smallest[:PLACED].max(initial=0))
    numbers = np.full(len(at), NOWHERE) if first is None else first + at
    return _packed(smallest, np.stack([found[at], numbers]))


def _packed(smallest: Fingerprints, placed: Counts) -> Counts:
    """Return the smallest fingerprints above their numbers; `placed` has fingerprints with known numbers."""
    counts = np.zeros((2, len(smallest)), np.int64)
    counts[0] = smallest.view(np.int64)
    order = np.lexsort((placed[1], placed[0].view(np.uint64)))[:PLACED]
    counts[1, : len(order)] = placed[1, order]
    return counts


def _cause(counts: Counts, decks: int, range_: tuple[float, float]) -> str:
    """Return what the equal decks say about the shuffle."""
    alike = distance(counts, decks)
    if alike and alike[1]:
        return f"the decks repeat every {alike[0]:,}"
    if alike:
        return f"equal decks lie {alike[0]:,} apart" if alike[0] > 1 else "decks are equal to the one before"
    low, high = map(_magnitude, range_)
    span = low if low == high else f"{low} to {high}"
    from_few = f"each deck came from {span} different decks, or some decks from fewer"
    return f"as many as if {'all decks were equal' if span == '1' else from_few}"


def distance(counts: Counts, decks: int) -> tuple[int, bool] | None:
    """Return the distance of equal decks, and whether every deck comes again at it; None if the distance varies."""
    found, numbers = counts[0, :PLACED], counts[1, :PLACED]
    if len(found) == PLACED and found[0] != found[-1]:  # equals of the last fingerprint may have been dropped
        found, numbers = found[found != found[-1]], numbers[found != found[-1]]
    again = found[1:] == found[:-1]
    apart = np.diff(numbers)[again]
    if len(apart) < FEWEST_ALIKE or numbers[0] == NOWHERE or np.any(apart != apart[0]):
        return None
    last = np.append(~again, True)
    return int(apart[0]), not np.any(numbers[last] + apart[0] < decks)


def equal_pairs(counts: Counts, decks: int, most: int = KEPT) -> tuple[int, int, float]:
    """Return the pairs of equal fingerprints, how many fingerprints were kept, and their share of all fingerprints.

    At most `most` fingerprints of `decks` decks were kept.
    """
    times, part = multiplicities(counts, decks, most)
    return int(np.sum(times * (times - 1) // 2)), int(times.sum()), part


def multiplicities(counts: Counts, decks: int, most: int = KEPT) -> tuple[Counts, float]:
    """Return how often each fingerprint came, and the share of all fingerprints that was kept; see `equal_pairs`."""
    kept = counts[0].view(np.uint64)
    part = 1.0
    if len(kept) == most and decks > most:
        # Equals of the last fingerprint may have been dropped, so the threshold is below it; but
        # where it fills half of the sample, its equals are the fault itself.
        edge = kept[-1]
        below = kept[kept < edge]
        kept = below if 2 * len(below) > most else kept
        part = float(edge) / HASH_VALUES
    return np.diff(np.flatnonzero(np.concatenate([[True], kept[1:] != kept[:-1], [True]]))), part


def reachable(pairs: int, kept: int, part: float = 1.0, alpha: float = 0.01) -> tuple[float, float]:
    """Return bounds on how many equally likely decks there can be, at confidence 1 - alpha.

    They come from `pairs` of equal decks among those kept, where `part` of all fingerprints is kept: from the exact
    (Garwood) interval of a Poisson mean; the upper bound is infinite without pairs.
    """
    chances = kept * (kept - 1) / 2 / part
    most = float(gammaincinv(pairs + 1, 1 - alpha / 2))
    least = float(gammaincinv(pairs, alpha / 2)) if pairs else 0.0
    return chances / most, chances / least if least else float("inf")


def _magnitude(number: float) -> str:
    return "any number" if number == float("inf") else two_digits(number)


def two_digits(number: float) -> str:
    """Return a large number with two digits, written out where that is readable: more would be false precision.

    >>> two_digits(33_512), two_digits(4.2e9), two_digits(8.9e30)
    ('34,000', '4,200,000,000', '8.9e30')
    """
    return f"{float(f'{number:.2g}'):,.0f}" if number < 1e12 else f"{number:.2g}".replace("e+", "e")


def log2_orders(n: int) -> float:
    """Return log2 of n!, the bits of a fair deck."""
    return lgamma(n + 1) / log(2)


_SOURCE = "birthday problem; Knuth, TAOCP 2, section 3.3.2, collision test"
_AGAIN = "the same {} again, in any later deck"

STATISTICS = (
    Repeats(
        name="repeats",
        sees="too few different decks: small seeds, seeds from a clock, a generator that starts over",
        source=_SOURCE,
    ),
    EqualHands("same top 5", _AGAIN.format("first five cards dealt"), _SOURCE),
    EqualHands("same bottom 5", _AGAIN.format("five cards at the bottom"), _SOURCE, top=False),
    EqualHands("same top 10", _AGAIN.format("first ten cards dealt"), _SOURCE, size=GIN),
    EqualHands("same bottom 10", _AGAIN.format("ten cards at the bottom"), _SOURCE, size=GIN, top=False),
    EqualMoves("same top 13", _AGAIN.format("first thirteen cards dealt, or the same move of a whole deck"), _SOURCE),
)


def seen(sight: Sight) -> Iterator[Statistic]:
    """Yield the hands that come again, where a hand tells something that the cards by themselves do not."""
    for hand, places in named_hands(sight) if sight.hands else ():
        if 1 < len(places) < sight.cards - 1:
            yield EqualSets(f"{hand} again", _AGAIN.format("hand"), _SOURCE, places=places)
