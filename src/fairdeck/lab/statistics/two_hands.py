"""Two hands, dealt card by card from the top: which player has more cards of a kind, and whether both have as many."""

from collections.abc import Iterator
from functools import cache
from math import comb
from typing import ClassVar

import numpy as np
from scipy.special import bdtr, bdtrc

from fairdeck.bulk.shapes import Counts, Floats
from fairdeck.lab.kinds import halves, ranks, suits
from fairdeck.lab.laws.tails import COUNT, PValue
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.statistics.positions import numbered
from fairdeck.lab.view import View

SIZES = (1, 2, 3, 5, 7, 13)  # of a hand
FIRST = "the first of two players has {} of {{cards[0]}}"
WORDS = (FIRST.format("fewer"), "two players have as many of {cards[0]}", FIRST.format("more"))


class TwoHands(Statistic):
    """How often the first player has fewer, as many or more cards of each suit, rank and colour than the second."""

    family: ClassVar[str] = "game"
    sizes: ClassVar[range] = range(8, 201)
    relative: ClassVar[bool] = False
    sparse: ClassVar[bool] = True

    def count(self, view: View) -> Counts:
        """Return how often each player had more, and both as many; shape ``(sizes, kinds, 3)``, see `WORDS`."""
        kinds, sizes = _kinds(view.cards), _sizes(view.cards)
        found = np.zeros((len(sizes), len(kinds), 3), np.int64)
        first, second = (view.columns[::-1][at : 2 * sizes[-1] : 2] for at in (0, 1))
        for at, kind in enumerate(kinds.astype(np.int8)):
            more = np.cumsum(kind[first] - kind[second], axis=0, dtype=np.int8)[[size - 1 for size in sizes]]
            found[:, at, 0], found[:, at, 2] = (more < 0).sum(axis=1), (more > 0).sum(axis=1)
        found[:, :, 1] = view.decks - found.sum(axis=2)
        return found

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:  # noqa: ARG002
        """Yield the oddest of all: each is binomial, and their number is corrected for (Bonferroni)."""
        if not (compared := int(counts[0, 0].sum())):
            return
        chances = _chances(n)
        tails = np.minimum(bdtr(counts, compared, chances), bdtrc(counts - 1, compared, chances))
        size, kind, more = map(int, np.unravel_index(tails.argmin(), tails.shape))
        p_value = PValue(float(tails.min()), COUNT, int(counts[size, kind, more])).of_many(2 * tails.size)
        dealt = "a card each" if size == 0 else f"{SIZES[size]} cards each in turn"
        words = f"dealt {dealt} from the top, {WORDS[more]} in {{seen:.3%}} of decks; {{expected:.3%}} would be fair"
        data = {"seen": float(counts[size, kind, more] / compared), "expected": float(chances[size, kind, more])}
        yield self.evidence("one kind", p_value, words, **data, cards=(numbered(_kinds(n)[kind]),))


@cache
def _kinds(n: int) -> Counts:
    """Return 1 for the cards of each suit, rank and colour, a row each."""
    known = (kinds for kinds in (suits(n), ranks(n), halves(n)) if kinds is not None)
    return np.concatenate([np.eye(int(kinds.max()) + 1, dtype=np.int64)[:, kinds] for kinds in known])


def _sizes(n: int) -> list[int]:
    return [size for size in SIZES if 2 * size <= n]


@cache
def _chances(n: int) -> Floats:
    """Return the chances of fewer, as many and more, shaped as the counts."""
    found = []
    for k in _sizes(n):
        for held in _kinds(n).sum(axis=1).tolist():
            as_many = sum(
                comb(held, x) * comb(n - held, k - x) * comb(held - x, x) * comb(n - held - k + x, k - x)
                for x in range(max(0, k - n + held), min(k, held // 2) + 1)
            ) / (comb(n, k) * comb(n - k, k))
            found.append(((1 - as_many) / 2, as_many, (1 - as_many) / 2))
    return np.array(found).reshape(len(_sizes(n)), -1, 3)


STATISTICS = (
    TwoHands(
        name="two hands",
        sees="two players who have as many cards of a suit, rank or colour too often: hands that are evened out",
        source="hypergeometric: Feller, An Introduction to Probability Theory, vol. 1, section II.6",
    ),
)
