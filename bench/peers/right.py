"""Is a contender right? Only contenders that pass are measured.

Every row must be a permutation, and the 120 orders of five cards equally likely. Of hands, every ordered pair of
cards must be equally likely.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.peers.contenders import CARDS, TOP, Contender

Array = npt.NDArray[Any]

DECKS = 200_000 // 64 * 64
FARTHEST = 6.0  # standard deviations: a right contender gets there about four times in ten million checks
FIVE = 5


class Wrong(Exception):
    """A contender does not do its job."""


def far_out(counts: Array) -> float:
    """Return how far the chi-square of equally likely `counts` is from its mean, in standard deviations."""
    total, free = int(counts.sum()), len(counts) - 1
    chi_square = float((counts.astype(float) ** 2).sum()) * len(counts) / total - total
    return (chi_square - free) / math.sqrt(2 * free)


def check_rows(contender: Contender, sizes: tuple[int, ...] = (), seed: int = 2024) -> float:
    """Check decks of each of `sizes` cards and the law of five cards.

    Returns:
        How many standard deviations the chi-square of the 120 orders is off.

    Raises:
        Wrong: if it does not shuffle.
    """
    for cards in sizes:
        if cards <= contender.most:
            _permutations(contender, contender.decks(contender.place(cards, 512), seed + cards), cards)
    made = contender.decks(contender.place(FIVE, DECKS), seed)
    _permutations(contender, made, FIVE)
    return _even(contender, _orders(made))


def check_tops(contender: Contender, seed: int = 2024) -> float:
    """Check that no hand holds a card twice, and that every ordered pair comes as often; as `check_rows`."""
    hands = np.array(contender.work(np.zeros((DECKS, TOP), dtype=np.uint8), seed), dtype=np.int64)
    ordered = np.sort(hands, axis=1)
    if hands.shape != (DECKS, TOP) or (np.diff(ordered) < 1).any() or ordered.min() < 0 or ordered.max() >= CARDS:
        raise Wrong(f"{contender}: not every row is {TOP} of {CARDS} cards")
    pairs = np.concatenate([hands[:, :2], hands[:, -2:]])
    return max((_even(contender, _pairs(half)) for half in np.split(pairs, 2)), key=abs)


def _permutations(contender: Contender, made: Array, cards: int) -> None:
    if made.shape[1] != cards or (np.sort(made, axis=1) != np.arange(cards)).any():
        raise Wrong(f"{contender}: not every row is a permutation of {cards} cards")


def _orders(decks: Array) -> Array:
    """Return how often each of the 120 orders of five occurs."""
    codes = decks.astype(np.int64) @ FIVE ** np.arange(FIVE)
    counts = np.bincount(codes, minlength=FIVE**FIVE)
    met = counts[counts > 0]
    return np.concatenate((met, np.zeros(math.factorial(FIVE) - len(met), dtype=met.dtype)))


def _pairs(hands: Array) -> Array:
    """Return how often each ordered pair of different cards occurs."""
    counts = np.bincount(hands @ [CARDS, 1], minlength=CARDS**2).reshape(CARDS, CARDS)
    return counts[~np.eye(CARDS, dtype=bool)]


def _even(contender: Contender, counts: Array) -> float:
    off = far_out(counts)
    if abs(off) >= FARTHEST:
        raise Wrong(f"{contender}: the chi-square of {len(counts)} equal chances is {off:.1f} standard deviations off")
    return off
