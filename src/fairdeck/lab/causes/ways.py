"""The ways to read decks: as they are, from the other end, with cards and places exchanged, or as moves.

A family is fitted to decks that were read in one way, and what it makes is written back, so that all causes are weighed
on the same decks.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from fairdeck.lab.blocks import Block, Decks
from fairdeck.lab.causes import Cause, Maker, Sample
from fairdeck.lab.causes.likeness import SEED, fair_by_themselves, fair_decks, findings
from fairdeck.lab.view import relative_view

TURNED_OVER, EXCHANGED = "with the whole deck turned over", "with cards and places exchanged"


@dataclass(frozen=True)
class Way:
    """A way to read decks."""

    words: str  # how, before what is said of the decks; empty for the decks as they are
    first: Decks  # the first half of the decks, read in this way
    write: Callable[[Decks], Decks]  # the decks that are read so
    turned: bool = False  # whether it only turns decks over, or exchanges cards and places

    def told(self, cause: Cause) -> Cause:
        """Return a cause of decks that were read in this way as one of the decks as they are."""
        make = cause.make
        if make is None or not self.words:
            return cause
        return replace(cause, words=f"{self.words}, {cause.words}", way=f"{self.words}, ", make=self._written(make))

    def _written(self, make: Maker) -> Maker:
        return lambda size, rng: self.write(make(size, rng))


def ways(sample: Sample) -> Iterator[Way]:
    """Yield the ways to read a sample; only relative to the deck before if single decks look fair."""
    decks = sample.first
    if not _by_themselves(sample):
        moved = relative_view(Block(decks, decks[:0]), 1).columns.T
        yield Way("compared with the deck before", np.ascontiguousarray(moved), _carried_on)
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


def _by_themselves(sample: Sample) -> bool:
    """Tell whether what was found in single decks is odder than what was found between decks."""
    families = {member.statistic.name: member.statistic.family for member in sample.battery.members}
    alone, between = 0.0, 0.0
    for (name, _, lag), deviations in findings(sample).items():
        if lag or families[name] in ("serial", "repeats"):
            between = max(between, deviations)
        else:
            alone = max(alone, deviations)
    return alone > between


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
    if n > 256:
        return None
    counts = np.bincount((decks.astype(np.int64) + n * np.arange(n)).ravel(), minlength=n * n).reshape(n, n)
    order: Decks = counts.argmax(axis=1).astype(decks.dtype)
    steps = np.diff(order.astype(int))
    if len(set(order.tolist())) < n or (steps == 1).all() or (steps == -1).all():
        return None
    return order
