"""Pairs: which two cards lie at the top, and which two at the bottom."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fairdeck.bulk.shapes import Columns, Counts
from fairdeck.lab.laws.power import Limit
from fairdeck.lab.laws.tails import even_cells, oddest_cell
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.view import View


@dataclass(frozen=True)
class Pair(Statistic):
    """How often each card, with each other card under it, lies at one end of the deck."""

    at_top: bool  # the two top cards; else the two at the bottom

    family: ClassVar[str] = "game"
    sizes: ClassVar[range] = range(3, 501)  # not too many pairs for memory

    def count(self, view: View) -> Counts:
        """Return the decks with each pair; shape ``(n, n)``, the lower card first."""
        n = view.cards
        two: Columns = view.columns[-2:] if self.at_top else view.columns[:2]
        lower, upper = two.astype(np.int64)
        return np.bincount(lower * n + upper, minlength=n * n).reshape(n, n)

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield all pairs, and the oddest one."""
        if decks < 2:
            return
        pairs = np.flatnonzero(~np.eye(n, dtype=bool))
        cells = counts.ravel()[pairs]
        fair = 1 / len(cells)
        one_pair, cell = oddest_cell(cells, decks, fair)
        lower, upper = divmod(int(pairs[cell]), n)
        words = (
            f"{{cards[0]}} on {{cards[1]}} are the two {'top' if self.at_top else 'lowest'} cards in "
            "{seen:.3%} of decks; {expected:.3%} would be fair"
        )
        data: dict[str, Any] = {"seen": float(cells[cell] / decks), "expected": fair, "cards": (upper, lower)}
        yield self.evidence("one pair", one_pair, words, **data)
        if (all_pairs := even_cells(cells)) is not None:
            yield self.evidence("all pairs", all_pairs, words, **data)

    def limit(self, counts: Counts, n: int, decks: int, level: float) -> Limit | None:  # noqa: ARG002
        """Return the smallest share of one pair that is seen."""
        what, pairs = f"two cards that lie at the {'top' if self.at_top else 'bottom'}", n * (n - 1)
        return self.share_limit("one pair", what, 1 / pairs, decks, level / pairs)


_SOURCE = "Pearson's sum over n(n-1) equally likely pairs; Knuth, TAOCP 2, section 3.3.2, serial test"

STATISTICS = (
    Pair(
        name="top pairs",
        sees="what is dealt first: two cards that come together, or one card that comes too often",
        source=_SOURCE,
        at_top=True,
    ),
    Pair(
        name="bottom pairs",
        sees="the two cards at the bottom, which some shuffles never move",
        source=_SOURCE,
        at_top=False,
    ),
)
