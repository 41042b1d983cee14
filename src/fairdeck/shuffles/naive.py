"""The naive swap: each place changes with any place at all."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.shuffles import Known


@dataclass(frozen=True, slots=True)
class NaiveSwap:
    """Swap each place with any place: n^n equally likely ways onto n! orders, which n! does not divide.

    Source: Robbins and Bolker, "The bias of three pseudo-random shuffles", Aequationes Math. 22 (1981).
    """

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return an arrangement; those one step before the sorted order are too likely."""
        deck = list(range(n))
        for place in range(n):
            drawn = rng.randrange(n)
            deck[place], deck[drawn] = deck[drawn], deck[place]
        return deck


KNOWN = (
    Known(
        "naive",
        NaiveSwap(),
        fair=False,
        says="each place changes with any place, not only with those that are left",
        source="Robbins and Bolker, Aequationes Math. 22 (1981)",
    ),
    Known(
        "naive-carried",
        NaiveSwap(),
        fair=False,
        says="the naive swap on a deck that is never put back in order: each deck depends on the last",
        source="Robbins and Bolker, Aequationes Math. 22 (1981)",
        carried=True,
    ),
)
