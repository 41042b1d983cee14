"""An insertion sort that compares by a coin: how far cards sink tells how often the coin says that a card is lower."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from fairdeck.bulk.shapes import card_type
from fairdeck.lab.blocks import Block, Decks
from fairdeck.lab.causes import MIXED, Cause
from fairdeck.lab.statistics.inversions import inversions
from fairdeck.lab.view import deck_view
from fairdeck.shuffles.comparators import BY_INSERTION

RANK = MIXED
MOST_CARDS = 256
CHANCES = np.linspace(0.01, 0.99, 99)
NEAR = 5.0  # standard errors
WIDE = 2.58  # standard errors: 99 %
GO = ", as Go's sort.Slice sorts so few cards,"
REPAIR = "shuffle by Fisher and Yates: a sort that compares by a coin is never fair"


def fit(decks: Decks) -> Iterator[Cause]:
    """Yield the chance that a card sinks past the next, if the last card stays on top as often as that says."""
    size, n = decks.shape
    if not 3 < n <= MOST_CARDS:
        return
    fallen = inversions(deck_view(Block(decks, decks[:0])))
    error = WIDE * float(fallen.std()) / np.sqrt(size)
    powers = np.cumsum(CHANCES[:, None] ** np.arange(1, n), axis=1).sum(axis=1)  # cards that each new card sinks past
    chance, least, most = (float(np.interp(fallen.mean() + off, powers, CHANCES)) for off in (0, -error, error))
    stays = float((decks[:, -1] == n - 1).mean())
    if abs(stays - (1 - chance)) > most - least + NEAR * np.sqrt(chance * (1 - chance) / size) or not error:
        return
    coin = f'a coin that says "lower" with chance {chance:.3f} ({least:.3f} to {most:.3f})'
    yield Cause(
        f"an insertion sort{GO if n <= BY_INSERTION else ''} that compares by "
        f"{'a coin' if least <= 0.5 <= most else coin}: few cards move far",
        f"on average a card moves past {fallen.mean() / (n - 1):.2f} others",
        REPAIR,
        numbers={"chance": (chance, least, most)},
        make=partial(inserted, n, chance),
    )


def inserted(n: int, chance: float, size: int, rng: np.random.Generator) -> Decks:
    """Return decks in which each card in turn sank from the top, past one card after another by the same chance."""
    left = np.tile(np.arange(n, dtype=card_type(n)), (size, 1))  # places that are free for the cards before
    decks, rows = np.empty_like(left), np.arange(size)
    for card in range(n - 1, -1, -1):
        place = card - np.minimum(card, rng.geometric(1 - chance, size) - 1)
        decks[rows, left[rows, place]] = card
        behind = np.arange(card) >= place[:, None]
        left = np.where(behind, left[:, 1:], left[:, :-1])
    return decks
