"""Decks made to look more random than random: what players and listeners ask for."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.shuffles import Known

SUITS = 4
HAND = 7


@dataclass(frozen=True, slots=True)
class AntiClump:
    """A fair shuffle, after which neighbours of one suit are parted where that can be done.

    Suits are the four quarters of the sorted deck. From the base up, a card of the suit beneath it
    changes with the next card of another suit above.
    """

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return an arrangement with fewer neighbours of one suit than chance has."""
        deck = rng.sample(range(n), n)
        for place in range(1, n):
            suit = deck[place - 1] * SUITS // n
            for other in range(place, n):
                if deck[other] * SUITS // n != suit:
                    deck[place], deck[other] = deck[other], deck[place]
                    break
        return deck


@dataclass(frozen=True, slots=True)
class Smoothed:
    """A fair shuffle, done once more where the first hand holds too few or too many of the first 40 % of the cards.

    These stand for the lands of a trading card game: of 7 cards from 60 with 24 lands, a hand of 2
    to 4 is kept at once.

    Attributes:
        hand: how many cards the first hand has, from the top.
        few: with fewer lands than this, the deck is shuffled once more.
        many: and with more than this.
    """

    hand: int = HAND
    few: int = 2
    many: int = 4

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        """Return an arrangement; its first hand is too near the average."""
        deck = rng.sample(range(n), n)
        lands = sum([5 * card < 2 * n for card in deck[-self.hand :]])
        return deck if self.few <= lands <= self.many else rng.sample(range(n), n)


KNOWN = (
    Known(
        "anti-clump",
        AntiClump(),
        fair=False,
        says="parts neighbours of the same suit after a fair shuffle: too few pairs, and it can be guessed",
        source="music players that spread an artist's songs, as Spotify since 2014",
    ),
    Known(
        "smoothed",
        Smoothed(),
        fair=False,
        says="shuffles once more if the first seven cards hold too few or too many lands: too many average hands",
        source="after the hand smoothing of Magic: The Gathering Arena, best-of-one games",
        least=HAND + 1,
    ),
)
