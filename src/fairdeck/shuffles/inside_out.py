"""Inside-out: the deck grows card by card, and each new card swaps with a card of the deck."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.shuffles import Known


@dataclass(frozen=True, slots=True)
class InsideOut:
    """Card i takes a place among the first i+1, whose card moves to place i: Durstenfeld's shuffle undone."""

    clamped: bool = False  # draw below n and clamp the number to i, instead of drawing below i+1

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        deck = list(range(n))
        for card in range(n):
            place = min(rng.randrange(n), card) if self.clamped else rng.randrange(card + 1)
            deck[card] = deck[place]
            deck[place] = card
        return deck


KNOWN = (
    Known(
        "inside-out",
        InsideOut(),
        fair=True,
        says="the deck grows card by card, and each new card lands in any place so far with equal chance",
        source="the inside-out form of Durstenfeld's shuffle, CACM 7 (1964), algorithm 235",
    ),
    Known(
        "inside-out-clamped",
        InsideOut(clamped=True),
        says="a number that is too large is clamped instead of drawn again: most low cards stay where they were",
        source="a common slip in programs",
    ),
)
