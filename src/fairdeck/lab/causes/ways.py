"""The ways to read decks: as they are, from the other end, with cards and places exchanged, or as moves.

Before that, `from_start_order` looks for the order in which the deck lay at the start, if its cards are numbered in
another: rank by rank, say, or with the suits in another order.

A family is fitted to decks that were read in one way, and what it makes is written back, so that all causes are weighed
on the same decks.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import permutations
from re import sub

import numpy as np
from numpy.typing import NDArray

from fairdeck.bulk.shapes import Floats
from fairdeck.lab.blocks import Block, Decks
from fairdeck.lab.causes import COMPARED, Cause, Maker, Sample
from fairdeck.lab.causes.likeness import SEED, fair_by_themselves, fair_decks, findings
from fairdeck.lab.kinds import SUITS
from fairdeck.lab.view import relative_view

MOST_CARDS = 256  # of more, no order of the cards is looked for
EACH = 4  # decks for each card that tell an order of cards at least
OFF, FARTHER = 7.0, 3.0  # standard errors that tell an order; by how much more than another of these
PLAIN = 0.6  # of them, for the order of the numbers, at most
SHOWN = 6  # cards of an order
TURNED_OVER, EXCHANGED = "with the whole deck turned over", "with cards and places exchanged"


@dataclass(frozen=True)
class Way:
    """A way to read decks."""

    words: str  # how, before what is said of the decks; empty for the decks as they are
    first: Decks  # the first half of the decks, read in this way
    write: Callable[[Decks], Decks]  # the decks that are read so
    moves: bool = False  # whether a card is the place in another deck that it came from
    turned: bool = False  # whether it only turns decks over, or exchanges cards and places

    def told(self, cause: Cause) -> Cause:
        """Return a cause of decks that were read in this way as one of the decks as they are."""
        make = cause.make
        if make is None or not self.words:
            return cause
        words = sub(r"\bcard(s?) (\d)", r"the card\1 from place\1 \2", cause.words) if self.moves else cause.words
        return replace(cause, words=f"{self.words}, {words}", way=f"{self.words}, ", make=self._written(make))

    def _written(self, make: Maker) -> Maker:
        return lambda size, rng: self.write(make(size, rng))


def ways(sample: Sample) -> Iterator[Way]:
    """Yield the ways to read a sample; only relative to the deck before if single decks look fair."""
    decks = sample.first
    if not _by_themselves(sample):
        moved = relative_view(Block(decks, decks[:0]), 1).columns.T
        yield Way("compared with the deck before", np.ascontiguousarray(moved), _carried_on, moves=True)
        if fair_by_themselves(decks):
            return
    last = sample.cards - 1
    yield Way("", decks, lambda made: made)
    yield Way("with the places counted from the other end", decks[:, ::-1], lambda made: made[:, ::-1], turned=True)
    yield Way("with the cards counted from the other end", last - decks, lambda made: last - made, turned=True)
    yield Way(TURNED_OVER, last - decks[:, ::-1], lambda made: last - made[:, ::-1], turned=True)
    yield Way(EXCHANGED, _inverse(decks), _inverse, turned=True)
    if (order := _commonest(decks)) is not None:
        card = np.argsort(order).astype(decks.dtype)
        yield Way("after a fixed change of order", card[decks], lambda made: order[made])


def from_start_order(sample: Sample) -> tuple[Sample, str]:
    """Return a sample with its cards numbered as the deck lay at the start, and words for that if it is another order.

    In that order, cards next to each other come to the same places about as often, or stay where they are, or together,
    more or less often than in fair decks.
    """
    n, first = sample.cards, np.unique(sample.first, axis=0)  # decks that come again would seem to tell an order
    if not 4 < n <= min(MOST_CARDS, len(first) // EACH):
        return sample, ""
    off = _off(first, start_orders(n))
    best = int(off.argmax())
    if off[best] < OFF or off[0] > PLAIN * off[best]:
        return sample, ""
    order = start_orders(n)[best]
    decks = np.argsort(order).astype(first.dtype)[sample.decks]
    block = Block(decks, decks[:0])
    shown = ", ".join(f"card {card}" for card in order[:SHOWN]) + " and so on"
    if (off > off[best] - FARTHER).sum() > 1:
        shown += ", or nearly so"
    tally = sample.battery.tally(Block(decks[:COMPARED], decks[:0]))
    return replace(sample, block=block, tally=tally, weighed=()), f"from a start deck of {shown}"


@cache
def start_orders(n: int) -> Decks:
    """Return the orders in which `n` cards may lie that are numbered from 0; the first is that of the numbers.

    Four suits in any order, from the first or the second rank on: suit by suit, as a new deck with two suits from king
    to ace, or rank by rank. The ways to read decks turn these over.

    >>> len(start_orders(52)), len(start_orders(54))
    (144, 1)
    >>> start_orders(8)[:3].tolist()
    [[0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 3, 5, 4, 7, 6], [0, 1, 2, 3, 6, 7, 4, 5]]
    """
    cards = np.arange(n)
    orders = [cards]
    if n % SUITS == 0:
        for suits in permutations(cards.reshape(SUITS, -1)):
            for each in (np.array(suits), np.roll(suits, -1, axis=1)):
                orders += [each, each.T, np.concatenate([each[:2], each[2:, ::-1]])]
    return np.unique([order.ravel() for order in orders], axis=0)


def _off(decks: Decks, orders: Decks) -> Floats:
    """Return how far decks are off from fair ones, in standard errors, if they lay in each of some orders at the start.

    Four signs are squared and added: that neighbours come to the same places, that cards stay, that they follow one
    another, and that places just before and just after their own differ.
    """
    size, n = decks.shape
    wide = decks.astype(np.int64)
    places = _deviations(wide * n + np.arange(n), n, size / n)
    after = _deviations(wide[:, :-1] * n + wide[:, 1:], n, size / n)
    rows = places / np.sqrt((places**2).mean(axis=1, keepdims=True) + 1e-9)
    at = np.arange(n)
    alike = np.array([(rows[order[1:]] * rows[order[:-1]]).sum() / n for order in orders])
    stay = _middle(places[orders, at])
    follow = _middle(after[orders[:, :-1], orders[:, 1:]])
    jump = _middle(places[orders[:, 1:], at[:-1]] - places[orders[:, :-1], at[1:]]) / np.sqrt(2)
    return np.asarray(np.sqrt(alike**2 + stay**2 + follow**2 + jump**2))


def _middle(each: Floats) -> Floats:
    """Return the sum of the middle half of each row, in standard errors: a few cards alone do not tell an order."""
    quarter = each.shape[1] // 4
    middle = np.sort(each, axis=1)[:, quarter : each.shape[1] - quarter]
    return np.asarray(middle.mean(axis=1) * np.sqrt(each.shape[1]))


def _deviations(cells: NDArray[np.int64], n: int, expected: float) -> Floats:
    """Return how many standard errors each of n * n cells was met more often than expected."""
    return np.asarray((np.bincount(cells.ravel(), minlength=n * n).reshape(n, n) - expected) / np.sqrt(expected))


def _by_themselves(sample: Sample) -> bool:
    """Tell whether what was found in single decks is odder than what was found between decks."""
    families = {member.statistic.name: member.statistic.family for member in sample.battery.members}
    far = {True: 0.0, False: 0.0}  # by whether decks were compared with others
    for (name, _, lag), deviations in findings(sample).items():
        between = lag > 0 or families[name] in ("serial", "repeats")
        far[between] = max(far[between], deviations)
    return far[False] > far[True]


def _inverse(decks: Decks) -> Decks:
    return np.argsort(decks, axis=1).astype(decks.dtype)


def _carried_on(moves: Decks) -> Decks:
    """Return decks, each of which is the one before after a move."""
    deck = fair_decks(moves.shape[1], 1, np.random.default_rng(SEED))[0]
    made = np.empty_like(moves)
    for at, move in enumerate(moves):
        made[at] = deck = deck[move]
    return made


def _commonest(decks: Decks) -> Decks | None:
    """Return the card that comes to each place most often, if these are all cards, and not in order or turned over."""
    n = decks.shape[1]
    if n > MOST_CARDS:
        return None
    counts = np.bincount((decks.astype(np.int64) + n * np.arange(n)).ravel(), minlength=n * n).reshape(n, n)
    order: Decks = counts.argmax(axis=1).astype(decks.dtype)
    steps = np.diff(order.astype(int))
    if len(set(order.tolist())) < n or (steps == 1).all() or (steps == -1).all():
        return None
    return order
