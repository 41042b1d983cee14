"""Any two places: which holds the lower card, and whether both cards are of one suit, rank or colour.

And any two cards: whether both lie in one half of the deck, or at places that are both odd or both even.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Any, ClassVar, cast

import numpy as np

from fairdeck.bulk.shapes import Columns, Counts
from fairdeck.lab.kinds import halves, odd_or_even, ranks, sectors, suits
from fairdeck.lab.laws.power import Limit
from fairdeck.lab.laws.tails import oddest_cell, two_sided_chi_square
from fairdeck.lab.observations import Sight
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.statistics.orders import Orders
from fairdeck.lab.statistics.successors import beside
from fairdeck.lab.view import View

FAMILY = "two places"
LEAST_EXPECTED = 3.0  # in a cell
# Of two kinds, or few cards: how alike two deals are is skewed. A p-value of 1e-5 comes up to six times too often where
# 3 are expected; where so many are, about twice at most.
LEAST_OF_TWO_KINDS, FEW_CARDS = 100.0, 8
WORD = 64  # decks
# The pairs within a hand: with at least this many cards and decks the skewness is known to 0.01, and a p-value of
# 1e-9 is accurate to a factor of 1.5.
FEWEST_CARDS_FOR_HANDS, FEWEST_DECKS_FOR_HANDS = 16, 4_000
PLAYERS = range(2, 7)


class PlaceOrders(Orders):
    """How often place ``c`` holds a lower card than place ``d``: the law of `CardOrders` for the inverse."""

    family: ClassVar[str] = FAMILY
    parts: ClassVar[tuple[str, str, str]] = ("places high or low", "which is lower", "one pair")
    preference: ClassVar[str] = "a place that holds a lower card than another"
    lower: ClassVar[str] = (
        "{places[0]} holds a lower card than {places[1]} in {seen:.1%} of decks; {expected:.0%} would be fair"
    )
    height: ClassVar[str] = "the cards at {places[0]} are number {seen:.4g} on average; {expected:.4g} would be fair"
    about: ClassVar[str] = "places"

    def values(self, view: View) -> Columns:
        """Return which card lies at each place."""
        return view.columns


@dataclass(frozen=True)
class SameKind(Statistic):
    """How often two places hold cards of one kind, where every kind has k of the n cards.

    A pair of places does so with chance p = (k-1)/(n-1). The counts of one deck add up to k-1 in
    every row. Their covariance has one eigenvalue, (n-1)/(n-3) p (1-p), on the n(n-3)/2
    dimensions of symmetric matrices with zero row sums, and is 0 elsewhere.
    """

    kinds: Callable[[int], Counts | None]  # the kind of each of `n` cards; None where the deck has no kinds
    kind: str  # what cards of one kind have in common

    family: ClassVar[str] = FAMILY
    about: ClassVar[str] = "places"

    @property
    def both(self) -> str:
        """What two places do that are counted."""
        return f"hold cards of one {self.kind}"

    def values(self, view: View) -> Columns:
        """Return what the kinds are of: which card lies at each place."""
        return view.columns

    def fits(self, n: int) -> bool:
        """Tell whether the kinds have the same size, more than one card each, and the pairs are not too many."""
        kinds = self.kinds(n) if 5 <= n <= 200 else None
        return kinds is not None and len(set(np.bincount(kinds))) == 1

    def count(self, view: View) -> Counts:
        """Return the decks in which both are of one kind; shape ``(n, n)``, filled above the diagonal."""
        n = view.cards
        kinds = np.zeros((n, -(-view.decks // WORD) * WORD), dtype=np.uint8)  # those that fill up the words are equal
        kinds[:, : view.decks] = np.take(cast(Counts, self.kinds(n)).astype(np.uint8), self.values(view))
        # A bit for each deck, 64 to a word: kinds are numbers of few bits, and words tell sooner which are equal.
        bits = range(int(kinds.max(initial=0)).bit_length())
        planes = [np.packbits(kinds >> bit & 1, axis=1).view(np.uint64) for bit in bits]
        both = np.zeros((n, n), dtype=np.int64)
        for place in range(n - 1):
            differ = np.zeros((n - place - 1, kinds.shape[1] // WORD), dtype=np.uint64)
            for plane in planes:
                differ |= plane[place] ^ plane[place + 1 :]
            both[place, place + 1 :] = view.decks - np.bitwise_count(differ).sum(axis=1, dtype=np.int64)
        return both

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield the oddest pair, all pairs, and pairs within a hand or a quarter of the deck."""
        if not decks:
            return
        fair, variance = self._moments(n)
        pairs = np.triu_indices(n, 1)
        one_pair, cell = oddest_cell(counts[pairs], decks, fair)
        one, other = int(pairs[0][cell]), int(pairs[1][cell])
        share = float(counts[one, other] / decks)
        words = (
            f"{{{self.about}[0]}} and {{{self.about}[1]}} {self.both} in "
            "{seen:.3%} of decks; {expected:.3%} would be fair"
        )
        found: dict[str, Any] = {"words": words, "seen": share, "expected": fair, self.about: (one, other)}
        yield self.evidence("one pair", one_pair, **found)
        skewed = n < FEW_CARDS or cast(Counts, self.kinds(n)).max() == 1
        if decks * fair < (LEAST_OF_TWO_KINDS if skewed else LEAST_EXPECTED):
            return
        off = counts[pairs] - decks * fair
        p_value = two_sided_chi_square(float(off @ off) / (decks * variance), n * (n - 3) // 2)
        yield self.evidence("all pairs", p_value, **found)
        if n < FEWEST_CARDS_FOR_HANDS or decks < FEWEST_DECKS_FOR_HANDS:
            return
        for name, degrees, z, seen, expected in self.in_hands(counts, n, decks):
            words = f"{{seen:.4g}} pairs of one {self.kind} are in one {name}; {{expected:.4g}} would be fair"
            p_value = two_sided_chi_square(max(0.0, degrees + z * sqrt(2 * degrees)), degrees)
            yield self.evidence(f"in one {name}", p_value, words, seen=seen, expected=expected)

    def limit(self, counts: Counts, n: int, decks: int, level: float) -> Limit | None:  # noqa: ARG002
        """Return the smallest share of two of one kind that is seen."""
        what, pairs = f"two {self.about} that {self.both}", n * (n - 1) / 2
        return self.share_limit("one pair", what, self._moments(n)[0], decks, level / pairs)

    def in_hands(self, counts: Counts, n: int, decks: int) -> Iterator[tuple[str, int, float, float, float]]:
        """Yield the pairs of a kind within a share, for each way to share out the deck.

        Each tuple: the name of a share; the degrees of the chi-square law that the pairs nearly follow, as sums of
        squares of the number of each kind in each share; the deviation in standard deviations; the number of
        pairs in a deck on average; and the number that would be fair.
        """
        fair, variance = self._moments(n)
        one, other = np.triu_indices(n, 1)
        cells = counts[one, other]
        off = cells - decks * fair
        for name, share in sharings(n):
            together = share[one] == share[other]
            contrast = beside((share[:, None] == share) & ~np.eye(n, dtype=bool))[one, other]
            z = float(contrast @ off) / sqrt(decks * variance * float(contrast @ contrast))
            degrees = decks * int(share.max()) * int(cast(Counts, self.kinds(n)).max())
            yield name, degrees, z, float(cells[together].sum()) / decks, float(fair * together.sum())

    def _moments(self, n: int) -> tuple[float, float]:
        """Return the mean of one cell on one deck, and the eigenvalue of the covariance."""
        of_a_kind = int(np.sum(cast(Counts, self.kinds(n)) == 0))
        fair = (of_a_kind - 1) / (n - 1)
        return fair, fair * (1 - fair) * (n - 1) / (n - 3)


class PlacesOfOneKind(SameKind):
    """How often two cards lie at places of one kind: the law of `SameKind` for the inverse.

    Attributes:
        kinds: the kind of each of `n` places.
        kind: where such cards lie.
    """

    about: ClassVar[str] = "cards"
    relative: ClassVar[bool] = False

    @property
    def both(self) -> str:
        """What two cards do that are counted."""
        return f"lie {self.kind}"

    def values(self, view: View) -> Columns:
        """Return where each card lies."""
        return view.places

    def in_hands(self, counts: Counts, n: int, decks: int) -> Iterator[tuple[str, int, float, float, float]]:  # noqa: ARG002
        """Yield nothing: hands are shares of places, not of cards."""
        yield from ()


def sharings(n: int) -> Iterator[tuple[str, Counts]]:
    """Yield the ways to share out a deck of `n` cards: the name of a share, and the share of each place."""
    yield "quarter of the deck", sectors(n)
    for players in PLAYERS:
        if n >= 3 * players:
            yield f"of {players} hands dealt in turn", (n - 1 - np.arange(n)) % players


_SEES = "cards at places far apart that depend on each other: hands that are suited, paired or evened out too often"
_SOURCE = "exact covariance: the pairs of places under all permutations; Diaconis, Group Representations, ch. 7"

STATISTICS = (
    PlaceOrders(
        name="lower of two places",
        sees="places far apart that depend on each other: the card at one tells something about the card at the other",
        source="exact covariance, as for the order of two cards",
    ),
    SameKind(name="suits of two places", sees=_SEES, source=_SOURCE, kinds=suits, kind="suit"),
    SameKind(name="ranks of two places", sees=_SEES, source=_SOURCE, kinds=ranks, kind="rank"),
    SameKind(name="colours of two places", sees=_SEES, source=_SOURCE, kinds=halves, kind="colour"),
    PlacesOfOneKind(
        name="halves of two cards",
        sees="two cards that lie in one half of the deck too often, or too rarely, wherever they lie there",
        source=_SOURCE,
        kinds=halves,
        kind="in one half of the deck",
    ),
    PlacesOfOneKind(
        name="odd places of two cards",
        sees="two cards that depend on each other by odd and even places: dealt to one of two players too often",
        source=_SOURCE,
        kinds=odd_or_even,
        kind="both at odd or both at even places",
    ),
)


def seen(sight: Sight) -> Iterator[Statistic]:
    """Yield how often two cards come to one hand, where the hands share out the whole deck evenly."""
    if len(sight.hands) > 1 and sum(map(len, sight.hands)) == sight.cards:
        hand_of = np.zeros(sight.cards, np.int64)
        for number, hand in enumerate(sight.hands):
            hand_of[list(hand)] = number
        name, sees = "two cards in one hand", "two cards that are partners too often, or too rarely"
        yield PlacesOfOneKind(name, sees, _SOURCE, kinds=lambda n: hand_of, kind="in one hand")  # noqa: ARG005
