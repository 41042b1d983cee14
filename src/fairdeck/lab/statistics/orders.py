"""Which of two cards comes first: the order matrix."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fairdeck.lab.arrays import Counts
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.tails import oddest_cell, two_sided_chi_square
from fairdeck.lab.view import View

FEWEST_DECKS = 40


@dataclass(frozen=True)
class Orders(Statistic):
    """How often card ``c`` lies below card ``d``, for c < d.

    On one fair deck the covariance has the eigenvalue (n+1)/12 on differences ``g[c] - g[d]``
    (n-1 dimensions: cards that lie high or low on average) and 1/12 on the rest
    ((n-1)(n-2)/2 dimensions: cyclic preferences, such as riffles leave).
    """

    family: ClassVar[str] = "order"

    def fits(self, n: int) -> bool:
        """Tell whether the pairs are few enough to compare."""
        return 3 <= n <= 200

    def count(self, view: View) -> Counts:
        """Return the decks in which ``c`` lies below ``d``; shape ``(n, n)``, filled for c < d."""
        n = view.cards
        below = np.zeros((n, n), dtype=np.int64)
        for card in range(n - 1):
            below[card, card + 1 :] = [np.count_nonzero(each) for each in view.places[card] < view.places[card + 1 :]]
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
        card = int(np.argmax(np.abs(heights)))
        # Each count of "c below d" is one place that c lies lower, against n - 1 other cards.
        place = (n - 1) / 2 - float(heights[card]) * n / decks
        high = f"card {card} lies at place {place:.4g} on average; {(n - 1) / 2:.4g} would be fair"
        yield Evidence("order: cards high or low", two_sided_chi_square(squares * 12 / ((n + 1) * decks), n - 1), high)
        chance, cell = oddest_cell(counts[pairs], decks, 0.5)
        odd = f"card {pairs[0][cell]} lies below card {pairs[1][cell]} in {counts[pairs][cell] / decks:.1%} of decks"
        cyclic = two_sided_chi_square(rest * 12 / decks, (n - 1) * (n - 2) // 2)
        yield Evidence("order: who lies below whom", cyclic, f"{odd}; 50% would be fair")
        yield Evidence("order: one pair", chance, f"{odd}; 50% would be fair")


STATISTICS = (
    Orders(
        name="order",
        sees="cards that lie high or low, and what the old order left: modulo, naive swaps, few riffles",
        source="exact covariance; Kendall and Babington Smith, Biometrika 31 (1940), on paired comparisons",
    ),
)
