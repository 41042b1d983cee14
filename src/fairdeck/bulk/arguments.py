"""The arguments of the public functions, checked on entry: whole numbers, seeds, threads."""

from reprlib import repr as short
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fairdeck.bulk.threads import MOST, cores
from fairdeck.errors import FairdeckError
from fairdeck.randomness import system_bytes

MOST_DECKS, MOST_BLOCKS = 2**40, 2**62

SeedLike: TypeAlias = int | np.integer[Any] | np.random.Generator | None


def whole(name: str, number: object, least: int, most: int) -> int:
    """Return a whole number from `least` to `most`."""
    if not isinstance(number, int | np.integer) or isinstance(number, bool):
        raise FairdeckError(f"{name}: {short(number)} is not a whole number; use {least} to {most}")
    if not least <= number <= most:
        raise FairdeckError(f"{name}: {number} is out of range; use {least} to {most}")
    return int(number)


def whole_seed(seed: object, bits: int) -> int:
    """Return a seed as a whole number of `bits` bits: drawn from a NumPy Generator, or from the system if None."""
    if seed is None:
        return int.from_bytes(system_bytes(bits // 8), "little")
    if isinstance(seed, np.random.Generator):
        return int.from_bytes(seed.bytes(bits // 8), "little")
    range_ = f"0 to 2**{bits} - 1"
    if not isinstance(seed, int | np.integer) or isinstance(seed, bool):
        kind = f"{type(seed).__module__}.{type(seed).__name__}".removeprefix("builtins.")
        raise FairdeckError(f"seed: {kind} is not accepted; use {range_}, a numpy.random.Generator or None")
    if not 0 <= seed < 1 << bits:
        raise FairdeckError(f"seed: {seed} is out of range; use {range_}")
    return int(seed)


def seed_words(seed: int) -> NDArray[np.uint64]:
    """Return a seed of 128 bits as two words, the low one first."""
    return np.array([seed & (2**64 - 1), seed >> 64], np.uint64)


def thread_count(threads: object) -> int:
    """Return how many threads work: as many as asked, or if None one for each core, `MOST` at most."""
    return min(cores(), MOST) if threads is None else whole("threads", threads, 1, 1024)
