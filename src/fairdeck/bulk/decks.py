"""Uniformly random decks, block by block, on several threads.

Decks come in numbered blocks of `BLOCK`. A block is a function of its number and the seed alone: the
processor, the number of blocks made together and the number of threads do not matter. `columns` makes
small decks, and the top cards of small decks; `swaps` makes larger ones.
"""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fairdeck.bulk import columns, swaps
from fairdeck.bulk.shapes import BLOCK, COLUMNS_UP_TO, GROUP, cores
from fairdeck.errors import FairdeckError
from fairdeck.numbers import whole
from fairdeck.randomness import seed_number

LARGEST = 2**31  # cards
MOST_DECKS, MOST_BLOCKS = 2**40, 2**62
MOST_THREADS, USUAL_THREADS = 1024, 8  # memory serves no more

SeedLike: TypeAlias = int | str | np.integer[Any] | np.random.Generator | None


def permutations(
    batch: int, n: int, *, top: int | None = None, seed: SeedLike = None, first: int = 0, threads: int | None = None
) -> NDArray[Any]:
    """Return uniformly random orders of `n` cards, or only their top cards.

    The generator is xoshiro256++, a stream of its own for every block of 4,096 decks. It is for simulation:
    enough of its output gives the rest away. Draw a deck to play with by `fairdeck.deal`.

    Args:
        batch: how many decks.
        n: the cards of a deck, 1 or more.
        top: how many cards of each deck to return, for decks of up to 128 cards; None: all. A few top cards cost a
            fraction of whole decks.
        seed: 0 to 2**128 - 1; or a NumPy Generator, which draws that number; None: the operating system draws it.
            A seed makes the same decks everywhere, within a major version. With another `n` or `top` it makes
            other decks, not independent ones: give each simulation its own seed.
        first: the number of the first block, to continue: ``permutations(batch, n, seed=1, first=10)`` are the decks
            from number 40,960 on of that seed.
        threads: how many to use; None: one for each core, 8 at most. The decks do not depend on it.

    Returns:
        shape ``(batch, n)`` or ``(batch, top)``, bottom first: the last column is the top card, which is dealt first.
        dtype uint8 up to 256 cards, uint16 up to 65,536, uint32 beyond.

    Raises:
        FairdeckError: an argument is out of range, or the seed is of another type.
        MissingTool: numba is not installed.

    >>> hands = permutations(100_000, 52, top=5, seed=1)
    >>> hands.shape, hands.dtype
    ((100000, 5), dtype('uint8'))
    """
    batch, n, first = (
        whole("batch", batch, 0, MOST_DECKS),
        whole("n", n, 1, LARGEST),
        whole("first", first, 0, MOST_BLOCKS),
    )
    width = n if top is None else whole("top", top, 1, n)
    if width < n > columns.LARGEST:
        raise FairdeckError(
            f"top: decks of {n:,} cards are made whole; leave it out and take the last {width:,} columns"
        )
    out = np.empty((batch, width), np.min_scalar_type(n - 1))
    workers = min(cores(), USUAL_THREADS) if threads is None else whole("threads", threads, 1, MOST_THREADS)
    _fill(out, n, seed_number(seed, 128, 128), first, workers)
    return out


def seed_words(seed: int) -> NDArray[np.uint64]:
    """Return a seed of 128 bits as two words, the low one first."""
    return np.array([seed & (2**64 - 1), seed >> 64], np.uint64)


def fill(out: NDArray[Any], seed: int, first: int = 0, threads: int = 1) -> None:
    """Fill an array with the decks of `permutations`, from block `first` on, by several threads.

    The seed is 0 to 2**128 - 1; `out` has shape ``(decks, n)``, C-contiguous, one card or more, and a dtype that is
    wide enough of uint8, uint16 and uint32.
    """
    _fill(out, out.shape[1], seed, first, threads)


def fill_groups(out: NDArray[np.uint8], seed: int, first: int = 0, *, fair: bool = True) -> None:
    """Fill an array with the decks of `permutations`, 64 side by side; seed and first are as for `fill`.

    ``out[g, i, t]`` is the card at place ``i`` of deck ``64 g + t``: shape ``(groups, n, 64)``, C-contiguous, uint8, 1
    to `COLUMNS_UP_TO` cards. Unless `fair`, decks for which a 16-bit word was rejected are kept: those of the biased
    shuffle in `fairdeck.shuffles.lehmer`.
    """
    columns.groups(out, BLOCK // GROUP, columns.scratch(), seed_words(seed), first, fair)


def _fill(out: NDArray[Any], n: int, seed: int, first: int, threads: int) -> None:
    """Fill an array with the top cards of decks of `n`; each thread makes a run of blocks."""
    words, blocks = seed_words(seed), -(-len(out) // BLOCK)
    if threads == 1 or blocks <= 1:  # at once: for a few thousand decks the rest takes a tenth of the time
        _make(out, n, words, first)
        return
    ends = [blocks * thread // threads for thread in range(threads + 1)]
    with ThreadPoolExecutor(min(threads, blocks)) as pool:
        runs = [
            pool.submit(_make, out[start * BLOCK : end * BLOCK], n, words, first + start)
            for start, end in pairwise(ends)
            if start < end
        ]
    for run in runs:
        run.result()


def _make(out: NDArray[Any], n: int, words: NDArray[np.uint64], first: int) -> None:
    if n > COLUMNS_UP_TO and out.shape[1] == n:
        swaps.rows(out, BLOCK, *swaps.tables(n), words, first)
        return
    narrow = out if out.dtype == np.uint8 else np.empty(out.shape, np.uint8)
    columns.rows(narrow, n, BLOCK, columns.scratch(), words, first)
    if narrow is not out:
        out[:] = narrow
