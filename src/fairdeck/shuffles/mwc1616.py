"""Fisher and Yates with the Math.random() that Chrome and Node had until 2015."""

from collections.abc import Iterator, Sequence
from random import Random

from fairdeck.shuffles import Known
from fairdeck.shuffles.fisher_yates import swapped

HALF = 2**16


def fresh_page(n: int, rng: Random) -> Sequence[int]:
    """Each deck is shuffled on a page just opened, so the generator starts anew.

    The number of 32 bits has its upper half from one small generator and its lower half from another. A draw from
    52 cards hardly sees the lower half, so some 1.18 thousand million states decide the deck, and not 2^64.
    That each page got new random states is our assumption.
    """
    numbers = mwc1616(rng.getrandbits(32), rng.getrandbits(32))
    return swapped(n, lambda place: next(numbers) * (place + 1) >> 32)


def mwc1616(upper: int, lower: int) -> Iterator[int]:
    """Yield the numbers of two multiply-with-carry generators side by side."""
    while True:
        upper = 18_030 * (upper % HALF) + upper // HALF
        lower = 30_903 * (lower % HALF) + lower // HALF
        yield upper % HALF * HALF + lower % HALF


KNOWN = (
    Known(
        "v8-mwc1616",
        fresh_page,
        says="the Math.random() of V8 up to 2015, on a new page for each deck: about 2^30 decks, so some come again",
        source="V8 blog, There's Math.random(), and then there's Math.random() (December 2015), for V8 before 4.9.41",
    ),
)
