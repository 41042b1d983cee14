"""The naive swap: each place swaps with any place."""

from collections.abc import Sequence
from random import Random

from fairdeck.shuffles import Known
from fairdeck.shuffles.fisher_yates import swapped


def naive_swap(n: int, rng: Random) -> Sequence[int]:
    """Swap each place with any place: n^n equally likely ways make n! orders, and n! does not divide n^n.

    Source: Robbins and Bolker, "The bias of three pseudo-random shuffles", Aequationes Math. 22 (1981).
    """
    return swapped(n, lambda _place: rng.randrange(n), range(n))


KNOWN = (
    Known(
        "naive",
        naive_swap,
        says="each place swaps with any place, not only with the remaining places",
        source="Robbins and Bolker, Aequationes Math. 22 (1981)",
    ),
    Known(
        "naive-carried",
        naive_swap,
        says="the naive swap on a deck that is never sorted again: each deck depends on the last",
        source="Robbins and Bolker, Aequationes Math. 22 (1981)",
        carried=True,
    ),
)
