"""Fisher and Yates with a bound or a loop that is wrong by one."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.shuffles import Known


@dataclass(frozen=True, slots=True)
class Sattolo:
    """No place may keep its card: the deck becomes one single cycle, so (n-1)! orders instead of n!.

    Correct if a cycle is wanted; else the most common mistake, a bound too low by one.
    Source: Sattolo, "An algorithm to generate a random cyclic permutation", Inf. Process. Lett. 22 (1986).
    """

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return one of the (n-1)! arrangements of one cycle, each equally likely."""
        deck = list(range(n))
        for place in range(n - 1, 0, -1):
            drawn = rng.randrange(place)
            deck[place], deck[drawn] = deck[drawn], deck[place]
        return deck


@dataclass(frozen=True, slots=True)
class TopStays:
    """The loop begins one too low, so the top card never moves."""

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return an arrangement with the top card in its old place."""
        deck = list(range(n))
        for place in range(n - 2, 0, -1):
            drawn = rng.randrange(place + 1)
            deck[place], deck[drawn] = deck[drawn], deck[place]
        return deck


@dataclass(frozen=True, slots=True)
class StopsEarly:
    """The loop ends one too soon: the last two cards never swap, so half of all orders are missing."""

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return one of n!/2 arrangements, each equally likely."""
        deck = list(range(n))
        for place in range(n - 1, 1, -1):
            drawn = rng.randrange(place + 1)
            deck[place], deck[drawn] = deck[drawn], deck[place]
        return deck


KNOWN = (
    Known(
        "sattolo",
        Sattolo(),
        says="a bound too low by one: no card can ever stay where it was",
        source="Sattolo, Inf. Process. Lett. 22 (1986)",
    ),
    Known(
        "top-stays",
        TopStays(),
        says="the loop begins one too low: the top card never moves",
        source="a common slip in programs",
    ),
    Known(
        "stops-early",
        StopsEarly(),
        says="the loop ends one too soon: the last two cards never swap, and half of all orders never come",
        source="a common slip in programs",
    ),
)
