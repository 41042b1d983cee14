"""Every order by itself, and how orders follow one another, for small decks."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import factorial
from typing import ClassVar

import numpy as np

from fairdeck.bulk.shapes import Counts
from fairdeck.lab.laws.power import Limit
from fairdeck.lab.laws.tails import even_cells, oddest_cell, two_sided_chi_square
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.statistics.rank_histogram import ranks_of
from fairdeck.lab.view import View
from fairdeck.permutation import unrank

MOST_CELLS = 50_000


class Permutations(Statistic):
    """How often each of the n! orders comes, for decks of up to 8 cards."""

    family: ClassVar[str] = "every order"
    sizes: ClassVar[range] = range(2, 9)

    def count(self, view: View) -> Counts:
        """Return the decks of each rank; shape ``(n!,)``, in dictionary order."""
        return np.bincount(ranks_of(view, view.cards), minlength=factorial(view.cards))

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield all orders, and the oddest one."""
        if not decks:
            return
        one_order, rank = oddest_cell(counts, decks, 1 / len(counts))
        order = " ".join(map(str, unrank(rank, n)))
        words = f"the order {order} comes in {{seen:.3%}} of decks; {{expected:.3%}} would be fair"
        data = {"seen": float(counts[rank] / decks), "expected": 1 / len(counts)}
        yield self.evidence("one order", one_order, words, **data)
        if (all_orders := even_cells(counts)) is not None:
            yield self.evidence("all orders", all_orders, words, **data)

    def limit(self, counts: Counts, n: int, decks: int, level: float) -> Limit | None:  # noqa: ARG002
        """Return the smallest share of one order that is seen."""
        return self.share_limit("one order", "an order that comes", 1 / counts.size, decks, level / counts.size)


@dataclass(frozen=True)
class Chain(Statistic):
    """Whether a deck depends on those before it: a Markov chain of order `order` on all n! orders.

    Counts overlapping runs of order + 1 decks. Let psi2(k) be Pearson's sum over all runs of k decks and m = n!. For
    a chain of order k, psi2(k+1) - 2 psi2(k) + psi2(k-1) is chi-square with m^(k-1) (m-1)^2 degrees of freedom;
    psi2(k) itself is not chi-square. Source: Good, "The serial test for sampling numbers and other tests
    for randomness", Proc. Camb. Phil. Soc. 49 (1953).
    """

    order: int

    family: ClassVar[str] = "serial"
    relative: ClassVar[bool] = False

    def fits(self, n: int) -> bool:
        """Tell whether the runs are few enough."""
        return 2 <= n <= 5 and factorial(n) ** (self.order + 1) <= MOST_CELLS

    def count(self, view: View) -> Counts:
        """Return how often each run of order + 1 decks came; shape ``(n!,) * (order + 1)``."""
        m = factorial(view.cards)
        lead = view.lead[:, max(0, view.lead.shape[1] - self.order) :]
        ranks = ranks_of(View(np.concatenate([lead, view.columns], axis=1), lead[:, :0]), view.cards)
        runs = np.zeros(max(0, len(ranks) - self.order), dtype=np.int64)
        for back in range(self.order + 1):
            runs = runs * m + ranks[back : back + len(runs)]
        return np.bincount(runs, minlength=m ** (self.order + 1)).reshape((m,) * (self.order + 1))

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:  # noqa: ARG002
        """Yield the dependence of exactly this order."""
        m, runs = factorial(n), int(counts.sum())
        if runs < 5 * counts.size:
            return
        # Runs of one deck less, from the beginnings of the runs; their ends would do as well.
        shorter = counts.sum(axis=-1)
        between = shorter.sum(axis=0)
        second = _psi(counts) - 2 * _psi(shorter) + _psi(between)
        off = np.abs(counts - runs / counts.size)
        cell = np.unravel_index(int(np.argmax(off)), counts.shape)
        *before, last = (" ".join(map(str, unrank(int(rank), n))) for rank in cell)
        begun = int(counts[cell[:-1]].sum())
        p_value = two_sided_chi_square(max(0.0, second), m ** (self.order - 1) * (m - 1) ** 2)
        words = f"after {', '.join(before)} comes {last} in {{seen:.2%}} of decks; {{expected:.2%}} would be fair"
        yield self.evidence("runs of decks", p_value, words, seen=float(counts[cell] / max(1, begun)), expected=1 / m)


def _psi(counts: Counts) -> float:
    """Return Pearson's sum of equally likely runs; 0 for runs of no decks."""
    if counts.ndim == 0:
        return 0.0
    each = float(counts.sum()) / counts.size
    return float(np.sum((counts - each) ** 2)) / each


STATISTICS = (
    Permutations(
        name="every order",
        sees="anything, on small decks",
        source="Pearson's sum over equally likely orders; Knuth, TAOCP 2, section 3.3.2, permutation test",
    ),
    *(
        Chain(
            name=f"chain of order {order}",
            sees=f"decks that depend on the {'deck' if order == 1 else f'{order} decks'} before",
            source="Good, Proc. Camb. Phil. Soc. 49 (1953)",
            order=order,
        )
        for order in range(1, 7)
    ),
)
