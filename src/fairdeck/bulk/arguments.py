"""The arguments that the public functions share: seeds and threads."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fairdeck.bulk.threads import MOST, cores
from fairdeck.numbers import whole

MOST_DECKS, MOST_BLOCKS = 2**40, 2**62

SeedLike: TypeAlias = int | str | np.integer[Any] | np.random.Generator | None


def seed_words(seed: int) -> NDArray[np.uint64]:
    """Return a seed of 128 bits as two words, the low one first."""
    return np.array([seed & (2**64 - 1), seed >> 64], np.uint64)


def thread_count(threads: object) -> int:
    """Return how many threads work: as many as asked, or if None one for each core, `MOST` at most."""
    return min(cores(), MOST) if threads is None else whole("threads", threads, 1, 1024)
