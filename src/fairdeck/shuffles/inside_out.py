"""Inside-out: the deck grows by one card at a time, and each new card changes with one that is there."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.shuffles import Known


@dataclass(frozen=True, slots=True)
class InsideOut:
    """Card i takes a place among the first i+1, and the card that was there moves to place i.

    Durstenfeld's shuffle, undone step by step, read the other way round.

    Attributes:
        clamped: draw below n and cut off at i, instead of drawing below i+1.
    """

    clamped: bool = False

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return an arrangement; all are equally likely unless `clamped`."""
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
        says="the deck grows card by card, and each new card is as likely to land in any place so far",
        source="the inside-out form of Durstenfeld's shuffle, CACM 7 (1964), algorithm 235",
    ),
    Known(
        "inside-out-clamped",
        InsideOut(clamped=True),
        fair=False,
        says="a number that is too large is cut off instead of drawn again: most low cards stay where they were",
        source="a common slip in programs",
    ),
)
