"""The naive swap: each place swaps with any place."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.shuffles import Known


@dataclass(frozen=True, slots=True)
class NaiveSwap:
    """Swap each place with any place: n^n equally likely ways make n! orders, and n! does not divide n^n.

    Source: Robbins and Bolker, "The bias of three pseudo-random shuffles", Aequationes Math. 22 (1981).
    """

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return an arrangement; orders near the sorted one are too likely."""
        deck = list(range(n))
        for place in range(n):
            drawn = rng.randrange(n)
            deck[place], deck[drawn] = deck[drawn], deck[place]
        return deck


KNOWN = (
    Known(
        "naive",
        NaiveSwap(),
        says="each place swaps with any place, not only with the remaining places",
        source="Robbins and Bolker, Aequationes Math. 22 (1981)",
    ),
    Known(
        "naive-carried",
        NaiveSwap(),
        says="the naive swap on a deck that is never sorted again: each deck depends on the last",
        source="Robbins and Bolker, Aequationes Math. 22 (1981)",
        carried=True,
    ),
)
