"""Fisher and Yates: each place in turn takes one of the remaining cards."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.shuffles import Known


@dataclass(frozen=True, slots=True)
class FisherYates:
    """Durstenfeld's form, from the top down or from the bottom up. Source: Knuth, TAOCP 2, algorithm 3.4.2P."""

    upwards: bool = False

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        deck = list(range(n))
        if self.upwards:
            for place in range(n - 1):
                drawn = place + rng.randrange(n - place)
                deck[place], deck[drawn] = deck[drawn], deck[place]
        else:
            for place in range(n - 1, 0, -1):
                drawn = rng.randrange(place + 1)
                deck[place], deck[drawn] = deck[drawn], deck[place]
        return deck


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
