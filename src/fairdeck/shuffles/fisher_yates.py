"""Fisher and Yates: each place in turn takes one of the remaining cards."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.shuffles import Known


def swapped(n: int, draw: Callable[[int], int], places: Iterable[int] | None = None) -> list[int]:
    """Return a deck in which each place in turn swapped its card with the place that it draws.

    Args:
        n: the number of cards.
        draw: the place that another one, 0 to ``n - 1``, is swapped with.
        places: the places in their turn; None for all from the top down but the lowest.

    >>> swapped(4, lambda place: 0)
    [1, 2, 3, 0]
    """
    deck = list(range(n))
    for place in range(n - 1, 0, -1) if places is None else places:
        drawn = draw(place)
        deck[place], deck[drawn] = deck[drawn], deck[place]
    return deck


@dataclass(frozen=True, slots=True)
class FisherYates:
    """Durstenfeld's form, from the top down or from the bottom up. Source: Knuth, TAOCP 2, algorithm 3.4.2P."""

    upwards: bool = False

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        if self.upwards:
            return swapped(n, lambda place: place + rng.randrange(n - place), range(n - 1))
        return swapped(n, lambda place: rng.randrange(place + 1))


KNOWN = (
    Known(
        "fisher-yates",
        FisherYates(),
        fair=True,
        says="each place, from the top down, takes one of the remaining cards",
        source="Durstenfeld, CACM 7 (1964), algorithm 235; Knuth, TAOCP 2, algorithm 3.4.2P",
    ),
    Known(
        "fisher-yates-upwards",
        FisherYates(upwards=True),
        fair=True,
        says="each place, from the bottom up, takes one of the remaining cards",
        source="Knuth, TAOCP 2, section 3.4.2",
    ),
)
