"""Cards that never come far apart: groups that move as they are, or are shuffled within; in order or in any order."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from fairdeck.bulk.shapes import Counts, Values, card_type
from fairdeck.lab.blocks import Decks
from fairdeck.lab.causes import NOT_SHUFFLED, Cause

RANK = NOT_SHUFFLED
SYMMETRIC = True
MOST_CARDS = 512
SURE = 1e-6  # the chance that two cards of a fair shuffle are never far apart
REPAIR = "shuffle single cards, not groups of them"


def fit(decks: Decks) -> Iterator[Cause]:
    """Yield the groups of cards that are never further apart than the largest group is wide, if they are groups."""
    size, n = decks.shape
    if not 2 < n <= MOST_CARDS or n * n * 0.75**size > SURE:
        return
    places = np.argsort(decks, axis=1).astype(np.int16)
    near = np.array([_furthest(places, card) for card in range(n)]) < n // 2  # a larger group fills half the deck
    number = np.unique(near.argmax(axis=1), return_inverse=True)[1].ravel()  # of the first card that is never far
    groups = [np.flatnonzero(number == each) for each in range(number.max() + 1)]
    if len(groups) in (1, n) or not (near == (number[:, None] == number)).all():
        return
    steps = {int(each) for group in groups for each in np.unique(np.diff(places[:, group], axis=1))}
    kept = steps.pop() if steps in ({1}, {-1}) else 0
    wide = all((np.ptp(places[:, group], axis=1) == len(group) - 1).all() for group in groups)
    ordered = bool((np.diff(places[:, [group[0] for group in groups]], axis=1) > 0).all())
    # Cards that are near; parts that `parts` tells; one card on another, of which `mixtures` tells the share.
    if not wide or (ordered and not kept) or (kept and len(groups) == n - 1):
        return
    yield Cause(
        f"{_which(groups, n)} always {ORDERS[kept]}",
        f"seen in all {size:,} decks of the first half; the groups themselves come anywhere",
        REPAIR,
        numbers={"groups": (len(groups),) * 3},
        make=partial(in_groups, number, kept),
    )


ORDERS = {1: "together, in their order", -1: "together, in the opposite order", 0: "together, but shuffled within"}


def _furthest(places: Decks, card: int) -> Values:
    """Return how far each card was from a card at most."""
    apart = places - places[:, [card]]
    return np.asarray(np.maximum(apart.max(axis=0), -apart.min(axis=0)))


def in_groups(number: Counts, kept: int, size: int, rng: np.random.Generator) -> Decks:
    """Return decks whose groups come in any order; `number` has the group of each card, `kept` the step in a group."""
    n = len(number)
    order = rng.permuted(np.tile(np.arange(number.max() + 1), (size, 1)), axis=1)
    inside = kept * np.arange(n) / n / 2 + 0.5 if kept else rng.random((size, n))
    return np.argsort(order[:, number] + inside, axis=1).astype(card_type(n))


def _which(groups: Sequence[Counts], n: int) -> str:
    """Return the words for groups.

    >>> _which([[0, 1], [2, 3]], 4), _which([[0], [1, 2], [3]], 4), _which([[0, 1], [2, 3, 4]], 5)
    ('2 groups of 2 cards are', 'cards 1 and 2 are', '2 groups of 2 to 3 cards are')
    """
    several = [group for group in groups if len(group) > 1]
    if len(several) == 1:
        (group,) = several
        first = ", ".join(map(str, group[:-1])) if len(group) < 5 else f"{group[0]} to {group[-2]}"
        return f"cards {first} and {group[-1]} are"
    least, most = (limit(len(group) for group in several) for limit in (min, max))
    alone = n - sum(len(group) for group in several)
    sizes = f"{least}" if least == most else f"{least} to {most}"
    return f"{len(several)} groups of {sizes} cards{f' and {alone} single cards' if alone else ''} are"
