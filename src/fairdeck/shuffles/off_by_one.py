"""Fisher and Yates with a bound or a loop that is wrong by one."""

from collections.abc import Sequence
from random import Random

from fairdeck.shuffles import Known
from fairdeck.shuffles.fisher_yates import swapped


def sattolo(n: int, rng: Random) -> Sequence[int]:
    """No place may keep its card: the deck becomes one single cycle, so (n-1)! orders instead of n!.

    Correct if a cycle is wanted; else the most common mistake, a bound too low by one.
    Source: Sattolo, "An algorithm to generate a random cyclic permutation", Inf. Process. Lett. 22 (1986).
    """
    return swapped(n, rng.randrange)


def top_stays(n: int, rng: Random) -> Sequence[int]:
    """The loop begins one too low, so the top card never moves."""
    return swapped(n, lambda place: rng.randrange(place + 1), range(n - 2, 0, -1))


def stops_early(n: int, rng: Random) -> Sequence[int]:
    """The loop ends one too soon: the last two cards never swap, so half of all orders are missing."""
    return swapped(n, lambda place: rng.randrange(place + 1), range(n - 1, 1, -1))


KNOWN = (
    Known(
        "sattolo",
        sattolo,
        says="a bound too low by one: no card can ever stay where it was",
        source="Sattolo, Inf. Process. Lett. 22 (1986)",
    ),
    Known(
        "top-stays",
        top_stays,
        says="the loop begins one too low: the top card never moves",
        source="a common slip in programs",
    ),
    Known(
        "stops-early",
        stops_early,
        says="the loop ends one too soon: the last two cards never swap, and half of all orders never come",
        source="a common slip in programs",
    ),
)
