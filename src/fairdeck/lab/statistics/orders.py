"""Which of two cards lies lower: the order matrix."""

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from fairdeck.bulk.shapes import Columns, Counts
from fairdeck.lab.laws.power import Limit
from fairdeck.lab.laws.tails import oddest_cell, two_sided_chi_square
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.view import View

FEWEST_DECKS = 40


class Orders(Statistic):
    """How often ``values[c] < values[d]``, for c < d, in n numbers in random order.

    On one fair deck the covariance has the eigenvalue (n+1)/12 on differences ``g[c] - g[d]``
    (n-1 dimensions: entries that are high or low on average) and 1/12 on the rest
    ((n-1)(n-2)/2 dimensions: cyclic preferences, such as riffles leave).
    """

    parts: ClassVar[tuple[str, str, str]]  # the names of the tests of heights, of the rest and of one pair
    preference: ClassVar[str]  # the fault of a pair
    lower: ClassVar[str]  # the words for: one value is lower than another
    height: ClassVar[str]  # the words for: the mean of one value
    about: ClassVar[str]  # "cards" or "places": what the index of a value is
    sizes: ClassVar[range] = range(3, 201)

    @abstractmethod
    def values(self, view: View) -> Columns:
        """Return the rows to compare; shape ``(n, B)``."""

    def count(self, view: View) -> Counts:
        """Return the decks in which row ``c`` has the lower value than ``d``; shape ``(n, n)``, filled for c < d."""
        n, rows = view.cards, self.values(view)
        below = np.zeros((n, n), dtype=np.int64)
        for one in range(n - 1):
            np.add.reduce(rows[one] < rows[one + 1 :], axis=1, dtype=np.int64, out=below[one, one + 1 :])
        return below

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield heights, cyclic preferences, and the oddest pair."""
        if decks < FEWEST_DECKS:
            return
        pairs = np.triu_indices(n, 1)
        off = counts[pairs] - decks / 2
        turned = np.zeros((n, n))
        turned[pairs] = off
        turned -= turned.T
        heights = turned.sum(axis=1) / n
        squares = n * float(heights @ heights)
        rest = max(0.0, float(off @ off) - squares)
        one = int(np.argmax(np.abs(heights)))
        # Each count of "c below d" moves c one step down, compared with n - 1 others.
        mean = (n - 1) / 2 - float(heights[one]) * n / decks
        high = two_sided_chi_square(squares * 12 / ((n + 1) * decks), n - 1)
        data: dict[str, Any] = {"seen": mean, "expected": (n - 1) / 2, self.about: (one,)}
        yield self.evidence(self.parts[0], high, self.height, **data)
        one_pair, cell = oddest_cell(counts[pairs], decks, 0.5)
        two = (int(pairs[0][cell]), int(pairs[1][cell]))
        data = {"seen": float(counts[two] / decks), "expected": 0.5, self.about: two}
        cyclic = two_sided_chi_square(rest * 12 / decks, (n - 1) * (n - 2) // 2)
        yield self.evidence(self.parts[1], cyclic, self.lower, **data)
        yield self.evidence(self.parts[2], one_pair, self.lower, **data)

    def limit(self, counts: Counts, n: int, decks: int, level: float) -> Limit | None:  # noqa: ARG002
        """Return the smallest share that is seen of one value below another."""
        return self.share_limit(self.parts[2], self.preference, 0.5, decks, level / (n * (n - 1) / 2))


class CardOrders(Orders):
    """How often card ``c`` lies below card ``d``."""

    family: ClassVar[str] = "order"
    parts: ClassVar[tuple[str, str, str]] = ("cards high or low", "which card lies below which", "one pair")
    preference: ClassVar[str] = "a card that lies below another"
    lower: ClassVar[str] = "{cards[0]} lies below {cards[1]} in {seen:.1%} of decks; {expected:.0%} would be fair"
    height: ClassVar[str] = "{cards[0]} lies at place {seen:.4g} on average; {expected:.4g} would be fair"
    about: ClassVar[str] = "cards"

    def values(self, view: View) -> Columns:
        """Return where each card lies."""
        return view.places


STATISTICS = (
    CardOrders(
        name="order",
        sees="cards that lie high or low, and what the old order left: modulo, naive swaps, few riffles",
        source="exact covariance; Kendall and Babington Smith, Biometrika 31 (1940), on paired comparisons",
    ),
)
