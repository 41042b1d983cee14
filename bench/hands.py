"""Simulated people, who riffle in ways that `fairdeck hands` should notice."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairdeck.shuffles.interleavings import Interleaving


@dataclass(frozen=True)
class Person:
    """How somebody riffles. Each number is that of ideal riffles unless it is given."""

    neatness: tuple[float, ...] = (1.0,)  # a riffle has one of these, in turn
    varying: float = 0.0
    apart: float = 0.0  # the share of the deck at both ends together that stays
    drop: int = 1  # so many cards fall at once ...
    often: float = 0.0  # ... with this chance, each time that a card would
    cut: float = 0.5

    def packets(self, rng: np.random.Generator, count: int, n: int, first: int = 0) -> NDArray[np.int8]:
        """Return `count` interleavings of n cards, one a row, from the bottom up; packet 0 lay below."""
        kept = round(n * self.apart / 2)
        inside = n - 2 * kept
        left = np.zeros((2, count), np.int64)
        left[0] = rng.binomial(inside, self.cut, count)
        left[1] = inside - left[0]
        own = np.array(self.neatness)[(first + np.arange(count)) % len(self.neatness)]
        neat = own * np.exp(self.varying * rng.standard_normal(count))
        side = (rng.random(count) * inside >= left[0]).astype(np.int64)
        found = np.ones((count, n), np.int8)
        found[:, :kept] = 0
        all_, more = np.arange(count), np.zeros(count, np.int64)
        for place in range(kept, n - kept):
            side = np.where(left[side, all_] > 0, side, 1 - side)
            found[:, place] = side
            left[side, all_] -= 1
            here, there = left[side, all_], left[1 - side, all_]
            change = rng.random(count) * (neat * there + here) < neat * there
            more = np.where(more > 0, more - 1, np.where(rng.random(count) < self.often, self.drop - 1, 0))
            side = np.where(change & (more == 0), 1 - side, side)
        return found

    def riffles(self, rng: np.random.Generator, count: int, n: int = 52) -> tuple[Interleaving, ...]:
        """Return riffles that mix two packets."""
        made: list[Interleaving] = []
        while len(made) < count:
            (one,) = self.packets(rng, 1, n, len(made)).tolist()
            if 0 < sum(one) < n:
                made.append(Interleaving(tuple(one)))
        return tuple(made)


PEOPLE = {
    "ideal": Person(),
    "neat (neatness 3)": Person((3.0,)),
    "clumpy (neatness 0.4)": Person((0.4,)),
    "only the middle 70 % is mixed": Person(apart=0.3),
    "drops 5 cards at once, in 10 % of all drops": Person(drop=5, often=0.1),
    "drops 8 cards at once, in 5 %": Person(drop=8, often=0.05),
    "cuts at 35 %": Person(cut=0.35),
    "neatness 1.9 and 0.21 by turns": Person((1.9, 0.21)),
    "neatness varies by 0.54": Person(varying=0.54),
    "neatness 0.5": Person((0.5,)),
    "neatness 0.7": Person((0.7,)),
    "neatness 1.8": Person((1.8,)),
    "only the middle 80 %": Person(apart=0.2),
    "only the middle 90 %": Person(apart=0.1),
    "cuts at 40 %": Person(cut=0.4),
}
