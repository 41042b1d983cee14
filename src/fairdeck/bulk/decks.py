"""Uniformly random decks, block by block, on several threads.

Decks come in numbered blocks of `BLOCK`. A block is a function of its number and the seed alone: the
processor, the number of blocks made together and the number of threads do not matter. `columns` makes
small decks, and the top cards of small decks; `swaps` makes larger ones.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from threading import local
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fairdeck.bulk import columns, swaps
from fairdeck.bulk.shapes import BLOCK, COLUMNS_UP_TO, GROUP, cores
from fairdeck.numbers import whole
from fairdeck.randomness import seed_number

LARGEST = 2**31  # cards
MOST_DECKS, MOST_BLOCKS = 2**40, 2**62
MOST_THREADS, USUAL_THREADS = 1024, 8  # memory serves no more
TOPS_UP_TO = 3 / 4  # of a deck that is too large for columns: to return more cards, making whole decks is faster

SeedLike: TypeAlias = int | str | np.integer[Any] | np.random.Generator | None
_kept = local()


def permutations(
    batch: int, n: int, *, top: int | None = None, seed: SeedLike = None, first: int = 0, threads: int | None = None
) -> NDArray[Any]:
    """Return uniformly random orders of `n` cards, or only their top cards.

    The generator is xoshiro256++, a stream of its own for every block of 4,096 decks. It is for simulation:
    enough of its output gives the rest away. Draw a deck to play with by `fairdeck.deal`.

    Args:
        batch: how many decks.
        n: the cards of a deck, 1 or more.
        top: how many cards of each deck to return, 1 to `n`; None: all. A few top cards cost a fraction
            of whole decks.
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
    out = np.empty((batch, width), np.min_scalar_type(n - 1))
    _spread(partial(_rows, n), out, BLOCK, seed_number(seed, 128, 128), first, _thread_count(threads))
    return out


def _thread_count(threads: object) -> int:
    """Return how many threads work: as many as asked, or if None one for each core, 8 at most."""
    return min(cores(), USUAL_THREADS) if threads is None else whole("threads", threads, 1, MOST_THREADS)


def seed_words(seed: int) -> NDArray[np.uint64]:
    """Return a seed of 128 bits as two words, the low one first."""
    return np.array([seed & (2**64 - 1), seed >> 64], np.uint64)


def fill(out: NDArray[Any], seed: int, first: int = 0, threads: int = 1) -> None:
    """Fill an array with the decks of `permutations`.

    Args:
        out: shape ``(decks, n)``, C-contiguous, one card or more; dtype uint8, uint16 or uint32, wide enough.
        seed: 0 to 2**128 - 1.
        first: the number of the first block.
        threads: how many to use.
    """
    _spread(partial(_rows, out.shape[1]), out, BLOCK, seed, first, threads)


def fill_groups(out: NDArray[np.uint8], seed: int, first: int = 0, threads: int = 1, *, fair: bool = True) -> None:
    """Fill an array with the decks of `permutations`, 64 side by side.

    Args:
        out: shape ``(groups, n, 64)``, C-contiguous, dtype uint8, 1 to `COLUMNS_UP_TO` cards;
            ``out[g, i, t]`` is the card at place ``i`` of deck ``64 g + t``.
        seed: as for `fill`.
        first: as for `fill`.
        threads: as for `fill`.
        fair: replace the decks for which a 16-bit word was rejected. If false, keep them: these are the
            decks of the biased shuffle in `fairdeck.shuffles.lehmer`.
    """
    _spread(partial(_groups, fair), out, BLOCK // GROUP, seed, first, threads)


def _spread(make: Callable[..., None], out: NDArray[Any], block: int, seed: int, first: int, threads: int) -> None:
    """Let each thread make a run of blocks; a block takes `block` entries along the first axis of `out`."""
    blocks = -(-len(out) // block)
    if threads == 1 or blocks <= 1:  # at once: for a few thousand decks the rest takes a tenth of the time
        make(seed_words(seed), first, out)
        return
    ends = [blocks * thread // threads for thread in range(threads + 1)]
    runs = [(start, end) for start, end in pairwise(ends) if start < end]
    with _together(min(threads, max(1, len(runs)))) as at_once:
        at_once((make, seed_words(seed), first + start, out[start * block : end * block]) for start, end in runs)


@contextmanager
def _together(threads: int) -> Iterator[Callable[[Iterable[tuple[Any, ...]]], None]]:
    """Give a function that makes calls, each a function and its arguments, on `threads` threads and waits for all."""
    if threads == 1:

        def one_by_one(calls: Iterable[tuple[Any, ...]]) -> None:
            for function, *given in calls:
                function(*given)

        yield one_by_one
        return
    pool = ThreadPoolExecutor(threads)

    def at_once(calls: Iterable[tuple[Any, ...]]) -> None:
        for made in [pool.submit(*call) for call in calls]:
            made.result()

    try:
        yield at_once
    finally:
        pool.shutdown(cancel_futures=True)


def _rows(n: int, words: NDArray[np.uint64], first: int, out: NDArray[Any]) -> None:
    top = out.shape[1]
    if n <= (COLUMNS_UP_TO if top == n else columns.LARGEST):
        narrow = out if out.dtype == np.uint8 else np.empty(out.shape, np.uint8)
        columns.rows(narrow, n, BLOCK, _codes(), words, first)
        if narrow is not out:
            out[:] = narrow
    elif top == n:
        swaps.rows(out, BLOCK, *swaps.tables(n), words, first)
    elif top <= TOPS_UP_TO * n:
        swaps.tops(out, n, BLOCK, *swaps.tables(n, top), words, first)
    else:
        for start in range(0, len(out), BLOCK):
            whole = np.empty((min(BLOCK, len(out) - start), n), out.dtype)
            swaps.rows(whole, BLOCK, *swaps.tables(n), words, first + start // BLOCK)
            out[start : start + BLOCK] = whole[:, n - top :]


def _groups(fair: bool, words: NDArray[np.uint64], first: int, out: NDArray[np.uint8]) -> None:
    columns.groups(out, BLOCK // GROUP, _codes(), words, first, fair)


def _codes() -> NDArray[np.uint8]:
    """Return the buffer of this thread; every kernel overwrites it."""
    if not hasattr(_kept, "codes"):
        _kept.codes = columns.scratch()
    codes: NDArray[np.uint8] = _kept.codes
    return codes
