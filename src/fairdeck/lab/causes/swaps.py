"""Steps at random, too few of them: the fixed points tell how many.

Each step swaps two places, or moves a card. The place of one card is a Markov chain, so after k steps the sum of its
eigenvalues to the power k is the mean number of cards that are where they were.
Sources: Diaconis and Shahshahani, Z. Wahrscheinlichkeitstheorie 57 (1981); Phatarfod, J. Appl. Probab. 28 (1991).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import ceil, floor

import numpy as np

from fairdeck.bulk.shapes import Floats, Values, card_type
from fairdeck.lab.blocks import Decks
from fairdeck.lab.causes import MIXED, Cause

RANK = MIXED
SYMMETRIC = True
LEAST_CARDS = 6  # of fewer, some eigenvalues are negative
MANY = 6  # in a narrower interval each whole number is tried, else those that divide by the number of cards
MOST = 5_000  # steps
SLOW = 400  # steps
WIDE = 2.58  # standard errors: 99 %
REPAIR = "shuffle by Fisher and Yates, with n - 1 draws, instead of a number of steps"

Step = Callable[[Decks, np.random.Generator], None]


@dataclass(frozen=True)
class Walk:
    """Steps of one kind."""

    words: str
    eigenvalues: Callable[[int], Floats]  # for a number of cards: of the chain of one card's places, but for the 1
    step: Step  # changes the decks
    parity: bool = False  # whether each step changes it


def fit(decks: Decks) -> Iterator[Cause]:
    """Yield the numbers of steps that leave so many fixed points."""
    size, n = decks.shape
    fixed = float((decks == np.arange(n)).sum(axis=1).mean())
    error = WIDE * np.sqrt(fixed / size)
    if not 1 + 2 * error < fixed < n - 1 or n < LEAST_CARDS:
        return
    for walk in WALKS:
        eigenvalues = walk.eigenvalues(n)
        number, least, most = (steps(eigenvalues, each) for each in (fixed, fixed + error, fixed - error))
        if most > MOST:
            continue
        tried: list[float] = [floor(number), floor(number) + 1] if walk.parity else [number]
        near, narrow = range(ceil(least), floor(most) + 1), most - least < MANY
        if not walk.parity or narrow:  # programs do whole numbers of steps; where it varies, the mean is none
            tried = [times for times in near if narrow or times % n == 0] + [number] * (not walk.parity)
        for times in tried:
            which = walk.words.replace("s of", " of", 1) if round(times) == 1 else walk.words
            yield Cause(
                f"each deck is as after {times:.0f} {which} ({least:.1f} to {most:.1f})",
                f"on average {fixed:.3f} cards of a deck are where they began; 1 would be fair",
                REPAIR,
                numbers={"steps": (times, least, most)},
                make=partial(walked, n, times, walk.step),
                slow=times > SLOW,
            )


def steps(eigenvalues: Floats, fixed: float) -> float:
    """Return after how many steps so many cards are where they were on average; whole and broken numbers."""
    low, high = 0.0, 2.0 * MOST
    while high - low > 1e-3:
        middle = (low + high) / 2
        low, high = (middle, high) if 1 + (eigenvalues**middle).sum() > fixed else (low, middle)
    return low


def walked(n: int, times: float, step: Step, size: int, rng: np.random.Generator) -> Decks:
    """Return sorted decks after some steps; of a part of a step, so many decks have one more."""
    decks = np.tile(np.arange(n, dtype=card_type(n)), (size, 1))
    for _ in range(int(times)):
        step(decks, rng)
    step(decks[: round(size * (times % 1))], rng)
    return decks[rng.permutation(size)]


def _swap(decks: Decks, one: Values, other: Values) -> None:
    rows = np.arange(len(decks))
    decks[rows, one], decks[rows, other] = decks[rows, other], decks[rows, one]


def _two_places(decks: Decks, rng: np.random.Generator) -> None:
    one, other = rng.integers(decks.shape[1], size=(2, len(decks)))
    _swap(decks, one, other)


def _different_places(decks: Decks, rng: np.random.Generator) -> None:
    size, n = decks.shape
    one, apart = rng.integers([[0], [1]], n, size=(2, size))
    _swap(decks, one, (one + apart) % n)


def _neighbours(decks: Decks, rng: np.random.Generator) -> None:
    (one,) = rng.integers(decks.shape[1] - 1, size=(1, len(decks)))
    _swap(decks, one, one + 1)


def _any_to_any(decks: Decks, rng: np.random.Generator) -> None:
    size, n = decks.shape
    _moved(decks, rng.integers(n, size=(size, 1)), rng.integers(n, size=(size, 1)))


def _top_to_any(decks: Decks, rng: np.random.Generator) -> None:
    size, n = decks.shape
    _moved(decks, np.full((size, 1), n - 1), rng.integers(n, size=(size, 1)))


def _bottom_to_any(decks: Decks, rng: np.random.Generator) -> None:
    size, n = decks.shape
    _moved(decks, np.zeros((size, 1), int), rng.integers(n, size=(size, 1)))


def _moved(decks: Decks, start: Decks, end: Decks) -> None:
    """Move a card of each deck from a place to another; those between move up or down."""
    places = np.arange(decks.shape[1])
    came_from = places + ((start <= places) & (places < end)) - ((end < places) & (places <= start))
    decks[:] = np.take_along_axis(decks, np.where(places == end, start, came_from), axis=1)


WALKS = (
    Walk("swaps of two places, at times the same one", lambda n: np.full(n - 1, 1 - 2 / n), _two_places),
    Walk("swaps of two different places", lambda n: np.full(n - 1, 1 - 2 / (n - 1)), _different_places, parity=True),
    Walk(
        "swaps of neighbours",
        lambda n: 1 - (2 - 2 * np.cos(np.pi * np.arange(1, n) / n)) / (n - 1),
        _neighbours,
        parity=True,
    ),
    Walk(
        "moves of any card to any place",
        lambda n: 1 - 1 / n - np.arange(1, n) * np.arange(2, n + 1) / n**2,
        _any_to_any,
    ),
    Walk("moves of the top card to any place", lambda n: np.arange(n - 1) / n, _top_to_any),
    Walk("moves of the bottom card to any place", lambda n: np.arange(n - 1) / n, _bottom_to_any),
)
