"""Cards that have only certain places: some that never move, or parts of the deck that are each shuffled by itself.

A place that holds the same card in every deck shows that exactly. Else each card was seen at all places of its part.
"""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from fairdeck.bulk.shapes import Values, card_type
from fairdeck.lab.blocks import FEWEST, Decks
from fairdeck.lab.causes import NOT_SHUFFLED, Cause, Sample
from fairdeck.lab.causes.likeness import explains_findings, look_fair

RANK = NOT_SHUFFLED
FEW = True
SYMMETRIC = True
SURE = 1e-6  # the chance that a fair shuffle leaves any place unchanged
SEEN = 1e-4  # the chance that a card was not seen at any place where it may be
MOST_CARDS = 1_024
MOST_SAID = 3  # parts
REPAIR = "shuffle all cards at once: parts that are shuffled by themselves keep their cards"

Part = tuple[Values, Values]  # cards, and the places where they come to, as many


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
    if fair:
        kept = list(zip(cards[:, None], places[:, None], strict=True))
        others = np.setdiff1d(np.arange(n), cards), np.flatnonzero(~unchanged)
        fair = explains_findings(sample, partial(in_parts, [others, *kept]))
    these = which(places.tolist(), n)
    if (cards == places).all():
        words = f"the card at {these} never moves" if len(places) == 1 else f"the cards at {these} never move"
        repair = "let the shuffle take in every card: a loop that ends one too soon or a slice leaves these places out"
    else:
        words = f"{these} always holds the same card" if len(places) == 1 else f"{these} always hold the same cards"
        what = "this card" if len(places) == 1 else "these cards"
        repair = (
            f"find what puts {what} there: a bound that leaves the place out, or a step before or after the shuffle"
        )
    seen = f"seen in all {len(decks):,} decks"
    yield Cause(words + "; the others look fair" * fair, seen, repair, certain=fair or len(decks) < FEWEST)


def fit(decks: Decks) -> Iterator[Cause]:
    """Yield the parts of the deck, if there are several and each card was seen at every place of its part."""
    if not (found := _parts(decks)):
        return
    parts, moving, which = found
    still = decks.shape[1] - sum(len(cards) for cards, _ in moving)
    moved = any(len(cards) == 1 and cards[0] != places[0] for cards, places in parts)
    words = f"{len(moving)} parts of the deck are shuffled, each by itself: {which}"
    if len(moving) == 1:
        words = f"only a part of the deck is shuffled: {which}"
    yield Cause(
        words
        + f"; {still} cards {'always move in the same way' if moved else 'never change their places'}" * (still > 0),
        f"in {len(decks):,} decks no card was seen outside its part",
        REPAIR,
        numbers={"parts": (len(moving), len(moving), len(moving))},
        make=partial(in_parts, parts),
    )


def last(sample: Sample) -> Iterator[Cause]:
    """Yield the parts that keep their cards without being shuffled well; different decks have to show them."""
    decks = np.unique(sample.decks, axis=0)
    if (found := _parts(decks)) and len(moving := found[1]) > 1:
        words = f"{len(moving)} parts of the deck keep their cards: {found[2]}; within them, too, orders are not fair"
        seen = f"in {len(sample.decks):,} decks no card was seen outside its part"
        yield Cause(words, seen, REPAIR, numbers={"parts": (len(moving), len(moving), len(moving))})


def _parts(decks: Decks) -> tuple[list[Part], list[Part], str] | None:
    """Return all parts, those whose cards move, and their names; None if there is one, or decks are too few to tell."""
    n = decks.shape[1]
    if n > MOST_CARDS:
        return None
    seen = possible(decks)
    label = (seen.astype(np.float32) @ seen.T.astype(np.float32)).argmax(axis=1)  # the first card that shares a place
    cards_of = [np.flatnonzero(label == each) for each in np.unique(label)]
    parts = [(cards, np.flatnonzero(seen[cards].any(axis=0))) for cards in cards_of]
    moving = sorted((part for part in parts if len(part[0]) > 1), key=lambda part: int(part[1][0]))
    if len(parts) == 1 or not moving or any(len(cards) != len(places) for cards, places in parts):
        return None
    if len(moving) > 1:  # a card that never moves is no accident, but a few decks may seem to keep cards apart
        widest = max(len(cards) for cards, _ in moving)
        if n * n * np.exp(-len(decks) / widest) > SEEN or not all(seen[np.ix_(*part)].all() for part in moving):
            return None
    which = ", ".join(_range(cards, places) for cards, places in moving[:MOST_SAID])
    return parts, moving, which + " and so on" * (len(moving) > MOST_SAID)


def possible(decks: Decks) -> NDArray[np.bool_]:
    """Return which card was at which place in any deck; shape ``(n, n)``."""
    n = decks.shape[1]
    return np.bincount((decks.astype(np.int64) * n + np.arange(n)).ravel(), minlength=n * n).reshape(n, n) > 0


def in_parts(parts: Sequence[Part], size: int, rng: np.random.Generator) -> Decks:
    """Return decks in which each part is shuffled by itself."""
    n = sum(len(cards) for cards, _ in parts)
    decks = np.empty((size, n), card_type(n))
    for cards, places in parts:
        decks[:, places] = rng.permuted(np.tile(np.asarray(cards, decks.dtype), (size, 1)), axis=1)
    return decks


def _range(cards: Values, places: Values) -> str:
    """Return the words for a part.

    >>> _range(np.arange(3), np.arange(3)), _range(np.arange(2), np.array([5, 9]))
    ('cards 0 to 2', 'cards 0 to 1 at 2 places from 5 to 9')
    """
    said = []
    for what, numbers in (("cards", cards), ("places", places)):
        whole = numbers[-1] - numbers[0] == len(numbers) - 1
        said.append(f"{what if whole else f'{len(numbers)} {what} from'} {numbers[0]} to {numbers[-1]}")
    return said[0] if cards.tolist() == places.tolist() else " at ".join(said)


def which(places: Sequence[int], n: int, what: str = "place") -> str:
    """Return the names of places, or of cards, at most five of them.

    >>> which([3], 52), which([0, 7, 9], 52), which([4, 5, 6], 52), which(range(0, 14, 2), 52, "card")
    ('place 3', 'places 0, 7 and 9', 'places 4 to 6', '7 of the 52 cards')
    """
    if len(places) == 1:
        return f"{what} {places[0]}"
    if len(places) > 2 and places[-1] - places[0] == len(places) - 1:
        return f"{what}s {places[0]} to {places[-1]}"
    if len(places) > 5:
        return f"{len(places)} of the {n} {what}s"
    return f"{what}s {', '.join(map(str, places[:-1]))} and {places[-1]}"
