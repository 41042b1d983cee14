"""Fair numbers from fair bits: draw just enough bits, and draw again if the number is too large."""

from collections.abc import Sequence
from random import Random

from fairdeck.shuffles import Known


def rejection(n: int, rng: Random) -> Sequence[int]:
    """Fisher and Yates, written out down to the bits; at most half of the draws are rejected on average."""
    deck = list(range(n))
    for place in range(n - 1, 0, -1):
        bits = place.bit_length()
        drawn = rng.getrandbits(bits)
        while drawn > place:
            drawn = rng.getrandbits(bits)
        deck[place], deck[drawn] = deck[drawn], deck[place]
    return deck


KNOWN = (
    Known(
        "rejection",
        rejection,
        fair=True,
        says="draws just enough bits for a place, and draws again when the number is too large",
        source="von Neumann, Various techniques used in connection with random digits (1951)",
    ),
)
