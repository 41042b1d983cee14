"""Decks made to look more random than random: what players and listeners ask for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from fairdeck.shuffles import Known

SUITS = 4
HAND = 7
PLAYERS = 6


def anti_clump(n: int, rng: Random) -> Sequence[int]:
    """A fair shuffle that then separates neighbours of one suit where possible.

    Suits are the four quarters of the sorted deck. From the bottom up, a card of the suit beneath it
    swaps with the next card of another suit above.
    """
    deck = rng.sample(range(n), n)
    for place in range(1, n):
        suit = deck[place - 1] * SUITS // n
        for other in range(place, n):
            if deck[other] * SUITS // n != suit:
                deck[place], deck[other] = deck[other], deck[place]
                break
    return deck


@dataclass(frozen=True, slots=True)
class OnceMore:
    """A fair shuffle, repeated once if somebody would not like the deck."""

    liked: Callable[[Sequence[int]], bool]  # whether a deck, bottom first, is kept at once

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        deck = rng.sample(range(n), n)
        return deck if self.liked(deck) else rng.sample(range(n), n)


def playable(deck: Sequence[int], hand: int = HAND, few: int = 2, many: int = 4) -> bool:
    """Tell whether the top `hand` cards hold `few` to `many` of the first 40 % of the cards.

    These stand for the lands of a trading card game: 24 of 60.
    """
    lands = sum([5 * card < 2 * len(deck) for card in deck[-hand:]])
    return few <= lands <= many


def unpaired(deck: Sequence[int]) -> bool:
    """Tell whether the first of six players, dealt to in turn, gets two cards of different ranks first."""
    ranks = max(1, len(deck) // SUITS)
    return deck[-1] % ranks != deck[-1 - PLAYERS] % ranks


def an_ace_each(deck: Sequence[int]) -> bool:
    """Tell whether each of four hands, dealt in turn, holds a card of the first rank."""
    ranks = max(1, len(deck) // SUITS)
    return len({place % SUITS for place, card in enumerate(deck) if card % ranks == 0}) == SUITS


KNOWN = (
    Known(
        "anti-clump",
        anti_clump,
        says="separates neighbours of the same suit after a fair shuffle: too few pairs, and easier to guess",
        source="music players that spread an artist's songs, as Spotify since 2014",
    ),
    Known(
        "smoothed",
        OnceMore(playable),
        says="shuffles once more if the first seven cards hold too few or too many lands: too many average hands",
        source="after the hand smoothing of Magic: The Gathering Arena, best-of-one games",
        least=HAND + 1,
    ),
    Known(
        "no-pocket-pair",
        OnceMore(unpaired),
        says="shuffles once more if the first two cards of the first of six players are a pair: too few pairs there",
        source="a casino that keeps one seat from starting well; the two places lie six apart",
        least=PLAYERS + 1,
    ),
    Known(
        "an-ace-each",
        OnceMore(an_ace_each),
        says="shuffles once more unless each of four hands dealt in turn has an ace: too many even deals",
        source="deals that are evened out, as players suspect of bridge programs",
        least=2 * SUITS,
    ),
)
