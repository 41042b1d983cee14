"""Peaks and runs: how often the cards turn from rising to falling."""

from functools import cache

from fairdeck.bulk.shapes import Columns, Values, counted
from fairdeck.lab.laws.scalar import Law
from fairdeck.lab.statistics import Scalar
from fairdeck.lab.view import View

MOST = 1_000


@cache
def peak_law(n: int) -> Law:
    """Return the law of the interior peaks of `n` cards.

    The n-th card, inserted on either side of a peak or at an end, does not change the number of peaks; elsewhere it
    adds one. Source: Warren and Seneta, "Peaks and Eulerian numbers in a random sequence", J. Appl. Probab. 33 (1996).

    >>> peak_law(3)
    Law(low=0, weights=(4, 2))
    """
    weights = [1]
    for size in range(2, n + 1):
        same, fewer = [*weights, 0], [0, *weights]
        weights = [(2 * at + 2) * same[at] + (size - 2 * at) * fewer[at] for at in range((size - 1) // 2 + 1)]
    return Law(0, tuple(weights))


@cache
def run_law(n: int) -> Law:
    """Return the law of the runs up and down of `n` cards, two or more.

    Source: Andre (1884); Knuth, TAOCP 3, section 5.1.3, exercise 15.

    >>> run_law(4)
    Law(low=1, weights=(2, 12, 10))
    """
    weights = [2]
    for size in range(3, n + 1):
        padded = [0, 0, *weights, 0]
        weights = [
            runs * padded[runs + 1] + 2 * padded[runs] + (size - runs) * padded[runs - 1] for runs in range(1, size)
        ]
    return Law(1, tuple(weights))


def runs(view: View) -> Values:
    """Return the number of runs, up and down in turn, of each deck."""
    up = view.columns[:-1] < view.columns[1:]
    return counted(up[:-1] != up[1:]) + 1


def _peaks(rows: Columns) -> Values:
    """Return how many rows of each deck lie between two lower ones."""
    up = rows[:-1] < rows[1:]
    return counted(up[:-1] > up[1:])


_PEAKS = "Warren and Seneta, J. Appl. Probab. 33 (1996)"
_SHELVES = f"{_PEAKS}; Diaconis, Fulman and Holmes, Ann. Appl. Probab. 23 (2013), on shelf shufflers"

STATISTICS = (
    Scalar(
        name="peaks",
        sees="pile deals, few riffles, insertion with a coin",
        source=_PEAKS,
        of=lambda view: _peaks(view.columns),
        law=peak_law,
        few="the cards rise or fall in stretches that are too long: order is left",
        many="high and low cards take turns too regularly, as after cards were dealt into piles",
        least=3,
        most=MOST,
    ),
    Scalar(
        name="peaks of the destinations",
        sees="shelf shufflers: this number contains all the evidence of such a machine",
        source=_SHELVES,
        of=lambda view: _peaks(view.places),
        law=peak_law,
        few="the deck falls into too few packets that rise and then fall, as from a machine with shelves",
        many="cards of the old deck lie high and low in turn too regularly",
        least=3,
        most=MOST,
    ),
    Scalar(
        name="runs up and down",
        sees="what regulators ask for; order left in either direction, and turns that are too regular",
        source="Andre (1884); Knuth, TAOCP 3, section 5.1.3, exercise 15",
        of=runs,
        law=run_law,
        few="the cards rise or fall in stretches that are too long",
        many="the cards go up and down in turn too regularly",
        least=3,
        most=MOST,
    ),
)
