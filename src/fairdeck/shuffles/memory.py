"""Decks that are fair one by one but depend on each other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.shuffles import Known


@dataclass(frozen=True, slots=True)
class TurnedOver:
    """Every second deck is the deck before, turned over.

    Statisticians do this on purpose: antithetic variates, Hammersley and Morton, "A new Monte Carlo
    technique", Proc. Camb. Phil. Soc. 52 (1956).
    """

    def stream(self, n: int, rng: Random) -> Iterator[Sequence[int]]:
        """Yield arrangements, each fair by itself."""
        while True:
            deck = tuple(rng.sample(range(n), n))
            yield deck
            yield deck[::-1]


@dataclass(frozen=True, slots=True)
class NewTop:
    """Shuffles again while the top card is the same as before, so that nobody complains about a repetition."""

    def stream(self, n: int, rng: Random) -> Iterator[Sequence[int]]:
        """Yield arrangements, each fair by itself, no two in a row with the same top card."""
        deck = tuple(rng.sample(range(n), n))
        while True:
            yield deck
            top = deck[-1]
            while deck[-1] == top:
                deck = tuple(rng.sample(range(n), n))


KNOWN = (
    Known(
        "turned-over",
        TurnedOver(),
        says="every second deck is the deck before, turned over; each deck by itself looks fair",
        source="antithetic variates: Hammersley and Morton, Proc. Camb. Phil. Soc. 52 (1956)",
    ),
    Known(
        "new-top",
        NewTop(),
        says="never the same top card twice in a row; each deck by itself looks fair",
        source="music players that never begin with the last song",
        least=2,
    ),
)
