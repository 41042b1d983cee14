"""Which card lies directly on which, or two or three places above it: the successor matrices."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fairdeck.bulk.shapes import Columns, Counts, Floats
from fairdeck.lab.laws.power import Limit
from fairdeck.lab.laws.tails import PValue, oddest_cell, two_sided_chi_square
from fairdeck.lab.statistics import Evidence, Statistic
from fairdeck.lab.statistics.positions import CardSectors
from fairdeck.lab.view import View

LEAST_EXPECTED = 3.0
WHERE = ("directly", "two places", "three places")


@dataclass(frozen=True)
class Successors(Statistic):
    """How often card ``d`` lies `distance` places above card ``c``.

    A deck has m = n - s pairs of places that are s apart; t = n - 2s places (or 0) belong to two such pairs. On one
    fair deck the n(n-1) counts, each of mean m/(n(n-1)), have a covariance with the eigenvalues, times 1/(n(n-1)),

    * m - 2t/(n-2) + 2(m(m-1) - 2t)/((n-2)(n-3)) on symmetric matrices with zero row sums,
      n(n-3)/2 dimensions: which cards are together. For neighbours that is n - 1;
    * m + 2t/(n-2) on antisymmetric ones, (n-1)(n-2)/2 dimensions: which of them is above. For neighbours that is n + 1;
    * two more on the remaining dimensions but one. They only tell what lies at the two ends and are left out.
    """

    distance: int = 1  # 1 for neighbours

    family: ClassVar[str] = "neighbours"

    def fits(self, n: int) -> bool:
        """Tell whether the matrix has all its parts, and is not too large for memory."""
        return self.distance + 3 <= n <= 1_000

    def count(self, view: View) -> Counts:
        """Return the decks in which ``d`` lies `distance` places above ``c``; shape ``(n, n)``, ``c`` first."""
        n = view.cards
        # Few pairs of places at a time, so that the cells stay in the cache, but more pairs than cells.
        total = np.zeros(n * n, dtype=np.int64)
        pairs = view.columns[: -self.distance].astype(np.int64) * n + view.columns[self.distance :]
        step = 1 + n * n // max(1, view.decks)
        for at in range(0, len(pairs), step):
            total += np.bincount(pairs[at : at + step].ravel(), minlength=n * n)
        return total.reshape(n, n)

    def judge(self, counts: Counts, n: int, decks: int) -> Iterator[Evidence]:
        """Yield both parts of the matrix, and its oddest cell."""
        if decks < 2:
            return
        pairs = ~np.eye(n, dtype=bool)
        mean = (n - self.distance) / (n * (n - 1))
        p_value, cell = oddest_cell(counts[pairs], decks, mean)
        yield self._found("one pair", p_value, counts, int(np.flatnonzero(pairs)[cell]), decks)
        if decks * mean < LEAST_EXPECTED:
            return
        off = np.where(pairs, counts - decks * mean, 0.0)
        near, side = (float(np.sum(part * part)) / decks for part in _parts(off))
        with_whom, which_side = self._eigenvalues(n)
        oddest = int(np.argmax(np.abs(off)))
        p_value = two_sided_chi_square(near / with_whom, n * (n - 3) // 2)
        yield self._found("which card lies beside which", p_value, counts, oddest, decks)
        p_value = two_sided_chi_square(side / which_side, (n - 1) * (n - 2) // 2)
        yield self._found("which card lies above which", p_value, counts, oddest, decks)

    def limit(self, counts: Counts, n: int, decks: int, level: float) -> Limit | None:  # noqa: ARG002
        """Return the smallest share of decks with one card `distance` places above another that is seen."""
        what = f"a card that lies {WHERE[self.distance - 1]} above one other"
        pairs = n * (n - 1)
        return self.share_limit("one pair", what, (n - self.distance) / pairs, decks, level / pairs)

    def _eigenvalues(self, n: int) -> tuple[float, float]:
        pairs, twice = n - self.distance, max(0, n - 2 * self.distance)
        apart = 2 * (pairs * (pairs - 1) - 2 * twice) / ((n - 2) * (n - 3))
        ends = 2 * twice / (n - 2)
        return (pairs - ends + apart) / (n * (n - 1)), (pairs + ends) / (n * (n - 1))

    def _found(self, test: str, p_value: PValue, counts: Counts, cell: int, decks: int) -> Evidence:
        n = len(counts)
        below, above = divmod(cell, n)
        seen, expected = float(counts[below, above] / decks), (n - self.distance) / (n * (n - 1))
        where = WHERE[self.distance - 1]
        words = f"{{cards[0]}} lies {where} above {{cards[1]}} in {{seen:.3%}} of decks; {{expected:.3%}} would be fair"
        return self.evidence(test, p_value, words, seen=seen, expected=expected, cards=(above, below))


def _parts(off: Floats) -> tuple[Floats, Floats]:
    """Return the symmetric and the antisymmetric part of `off`, each with zero row sums."""
    n = len(off)
    side = (off - off.T) / 2
    turn = side.sum(axis=1) / n
    return beside((off + off.T) / 2), side - turn[:, None] + turn[None, :]


def beside(pairs: Floats) -> Floats:
    """Return the part with zero row sums of a symmetric matrix with a zero diagonal."""
    n = len(pairs)
    ends = (pairs.sum(axis=1) - pairs.sum() / (2 * (n - 1))) / (n - 2)
    return np.where(np.eye(n, dtype=bool), 0.0, pairs - ends[:, None] - ends[None, :])


class NextCards(CardSectors):
    """How often the card directly on each card comes from each sector of the old deck, where a matrix is too large.

    The bottom card counts as the next one of the top card: so each of the n - 1 others is as likely.
    """

    family: ClassVar[str] = "neighbours"
    words: ClassVar[str] = "the next card on {cards[0]} is one that started in {places[0]}"
    never: ClassVar[int] = 1

    def goals(self, view: View) -> Columns:
        """Return the card on each card; shape ``(n, B)``."""
        return np.take_along_axis(np.roll(view.columns, -1, axis=0), view.places.astype(np.intp), axis=0)


_SOURCE = "exact covariance; compare Aldous and Diaconis, Amer. Math. Monthly 93 (1986), on riffles"

STATISTICS = (
    Successors(
        name="neighbours",
        sees="cards that stay together or keep apart: riffles, overhand, clumps, ties among sort keys",
        source=_SOURCE,
    ),
    Successors(
        name="two apart",
        sees="cards that keep one card between them, as after one riffle, or never do",
        source=_SOURCE,
        distance=2,
    ),
    Successors(
        name="three apart",
        sees="cards that keep two cards between them, as after two riffles, or never do",
        source=_SOURCE,
        distance=3,
    ),
    NextCards(
        name="next cards by sector",
        sees="a card that always follows one other; for more than 1,000 cards",
        source="each card is followed by each other with one chance: binomial, the oddest of all (Bonferroni)",
    ),
)
