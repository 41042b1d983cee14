"""The shelf shuffler: a machine that puts each card on or under the cards of a random shelf."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random

from fairdeck.shuffles import Family, Known, Parameter


@dataclass(frozen=True, slots=True)
class ShelfShuffler:
    """Each card goes to a random shelf, by a coin on top of the cards there or beneath them.

    The pile of a shelf first rises and then falls, so the deck has few valleys; how likely an order
    is depends on its valleys alone.
    Source: Diaconis, Fulman and Holmes, "Analysis of casino shelf shuffling machines", Ann. Appl. Probab. 23 (2013).
    """

    shelves: int

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return an arrangement with fewer valleys than `shelves`."""
        shelves: list[deque[int]] = [deque() for _ in range(self.shelves)]
        for card in range(n - 1, -1, -1):
            shelf, beneath = divmod(rng.randrange(2 * self.shelves), 2)
            if beneath:
                shelves[shelf].appendleft(card)
            else:
                shelves[shelf].append(card)
        return list(chain.from_iterable(shelves))


KNOWN = (
    Known(
        "shelf-10",
        ShelfShuffler(10),
        fair=False,
        says="a machine of ten shelves: the order turns too seldom, which even a guesser at the table can use",
        source="Diaconis, Fulman and Holmes, Ann. Appl. Probab. 23 (2013)",
        by_hand=True,
    ),
)

FAMILIES = (
    Family(
        "shelf",
        (Parameter("shelves", "how many", int, 1, 1_000_000, 10),),
        ShelfShuffler,
        says="a machine of so many shelves: the order turns too seldom; twice through m is once through 2 m^2",
        source="Diaconis, Fulman and Holmes, Ann. Appl. Probab. 23 (2013)",
        example="shelf(20)",
    ),
)
