"""Places that hold the same card in every deck, most often because the card never moves. The decks show it exactly."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fairdeck.bulk.shapes import card_type
from fairdeck.lab.blocks import FEWEST, Decks
from fairdeck.lab.causes import NOT_SHUFFLED, Cause, Sample
from fairdeck.lab.causes.likeness import SEED, explains_findings, look_fair

RANK = NOT_SHUFFLED
FEW = True
SURE = 1e-6  # the chance that a fair shuffle leaves any place unchanged


@dataclass(frozen=True)
class Unmoved:
    """A shuffle that has certain cards at certain places, and is fair otherwise."""

    places: tuple[int, ...]
    cards: tuple[int, ...]

    def decks(self, n: int, size: int) -> Decks:
        """Return decks, the same in every run; shape ``(size, n)``."""
        decks = np.empty((size, n), card_type(n))
        others = np.setdiff1d(np.arange(n, dtype=card_type(n)), self.cards)
        decks[:, self.places] = self.cards
        decks[:, np.setdiff1d(np.arange(n), self.places)] = np.random.default_rng(SEED).permuted(
            np.tile(others, (size, 1)), axis=1
        )
        return decks


def looks(sample: Sample) -> Iterator[Cause]:
    """Yield the places that never change; certain if nothing else is odd, or the decks are too few to tell."""
    decks, n = sample.decks, sample.cards
    unchanged = (decks == decks[:1]).all(axis=0)
    different = len(np.unique(decks, axis=0))
    if not unchanged.any() or unchanged.all() or n * float(n) ** (1 - different) > SURE:
        return
    places, cards = np.flatnonzero(unchanged), decks[0, unchanged]
    rest = np.argsort(np.argsort(decks[:, ~unchanged], axis=1), axis=1).astype(decks.dtype)
    fair = len(decks) >= FEWEST and rest.shape[1] > 1 and look_fair(rest)
    fair = fair and explains_findings(sample, Unmoved(tuple(places.tolist()), tuple(cards.tolist())))
    which = _which(places.tolist(), n)
    if (cards == places).all():
        words = f"the card at {which} never moves" if len(places) == 1 else f"the cards at {which} never move"
        repair = "let the shuffle take in every card: a loop that ends one too soon or a slice leaves these places out"
    else:
        words = f"{which} always holds the same card" if len(places) == 1 else f"{which} always hold the same cards"
        repair = "find what puts the same card there after the shuffle, or takes it out before"
    seen = f"seen in all {len(decks):,} decks"
    yield Cause(words + "; the others look fair" * fair, seen, repair, certain=fair or len(decks) < FEWEST)


def _which(places: Sequence[int], n: int) -> str:
    """Return the names of places, at most five of them.

    >>> _which([3], 52), _which([0, 7, 9], 52), _which([4, 5, 6], 52), _which(range(0, 14, 2), 52)
    ('place 3', 'places 0, 7 and 9', 'places 4 to 6', '7 of the 52 places')
    """
    if len(places) == 1:
        return f"place {places[0]}"
    if len(places) > 2 and places[-1] - places[0] == len(places) - 1:
        return f"places {places[0]} to {places[-1]}"
    if len(places) > 5:
        return f"{len(places)} of the {n} places"
    return f"places {', '.join(map(str, places[:-1]))} and {places[-1]}"
