"""Kinds from deck to deck: whether a place holds a card of the suit, rank or colour that some place held before.

Whatever the deck before was, a fair deck has a card of one of its n/k kinds at a place with chance k/n: exact for
every two places, and independent from deck to deck. Decks relative to earlier ones do not show such a fault: it leaves
open which card of a kind comes. Of a large batch only the first decks are compared.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar, cast

import numpy as np

from fairdeck.bulk.dtypes import Counts
from fairdeck.lab.kinds import halves, ranks, suits
from fairdeck.lab.laws.power import Limit
from fairdeck.lab.laws.tails import oddest_cell
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.statistics.groups import ones, packed
from fairdeck.lab.view import View

COMPARED = 512  # decks of a batch
LEAST, MOST = 5, 200  # cards


@dataclass(frozen=True)
class KindAgain(Statistic):
    """How often a place holds a card of the kind that a place held in the deck before.

    Attributes:
        kinds: the kind of each of `n` cards; None where the deck has no kinds.
        kind: what cards of one kind have in common.
    """

    kinds: Callable[[int], Counts | None]
    kind: str

    family: ClassVar[str] = "serial"
    relative: ClassVar[bool] = False
    sparse: ClassVar[bool] = True

    def fits(self, n: int) -> bool:
        """Tell whether the kinds have the same size, more than one card each, and the pairs are not too many."""
        kinds = self.kinds(n) if LEAST <= n <= MOST else None
        return kinds is not None and len(set(np.bincount(kinds))) == 1

    def count(self, view: View) -> Counts:
        """Return in how many decks each place held the kind that each place held before.

        Shape ``(n n + 1,)``: the place of the deck first, then that of the deck before; last the decks compared.
        """
        n = view.cards
        stream = np.concatenate([view.lead[:, -1:], view.columns[:, :COMPARED]], axis=1)
        kinds = cast(Counts, self.kinds(n))
        both = np.zeros(n * n, np.int64)
        for kind in range(kinds.max() + 1):
            held = kinds[stream] == kind
            for now, before in zip(packed(held[:, 1:]), packed(held[:, :-1]), strict=True):
                both += ones((now[:, None] & before).reshape(n * n, -1))
        return np.append(both, max(0, stream.shape[1] - 1))

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:  # noqa: ARG002
        """Yield the oddest two places."""
        if not counts[-1]:
            return
        compared, fair = int(counts[-1]), self._fair(n)
        p_value, cell = oddest_cell(counts[:-1], compared, fair)
        words = (
            f"{{places[0]}} holds a card of the {self.kind} that {{places[1]}} held in the deck before in "
            "{seen:.3%} of decks; {expected:.3%} would be fair"
        )
        seen = float(counts[cell] / compared)
        yield self.evidence("one pair", p_value, words, seen=seen, expected=fair, places=divmod(cell, n))

    def limit(self, counts: Counts, n: int, decks: int, level: float) -> Limit | None:  # noqa: ARG002
        """Return the smallest share of decks with the kind of the deck before that is seen."""
        what = f"a place that holds the {self.kind} of a place in the deck before"
        return self.share_limit("one pair", what, self._fair(n), int(counts[-1]), level / (n * n))

    def _fair(self, n: int) -> float:
        return int(np.sum(cast(Counts, self.kinds(n)) == 0)) / n


_SEES = "a card that follows the suit, rank or colour of a card of the deck before"
_SOURCE = "binomial: the kind at one place of a fair deck, whatever the deck before was"

STATISTICS = (
    KindAgain(name="suit of the deck before", sees=_SEES, source=_SOURCE, kinds=suits, kind="suit"),
    KindAgain(name="rank of the deck before", sees=_SEES, source=_SOURCE, kinds=ranks, kind="rank"),
    KindAgain(name="colour of the deck before", sees=_SEES, source=_SOURCE, kinds=halves, kind="colour"),
)
