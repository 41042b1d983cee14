"""Fair decks as fast as this processor can make them, for simulation; needs numba.

    fill(out, seed=1)            # the rows of an array become decks
    fill_groups(out, seed=1)     # 64 decks side by side, for statistics that count them so

Decks come in numbered blocks of `BLOCK`; a block is a function of its number and of the seed alone,
not of the processor, of how many blocks are made together, or of the threads that make them. Small
decks are made by `columns`, larger ones by `swaps`; `vectors` is the language both are written in,
`streams` gives them random words, and `plain` repeats them in a few lines each.
`hands` makes decks as hands shuffle them, fair or not.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairdeck.extras import missing

BLOCK = 4096  # decks
COLUMNS_UP_TO = 104  # cards: about where decoding columns costs as much as swapping
GROUP = 64
WORTH = 2048  # decks in a block; for fewer nobody should wait until kernels are loaded, or compiled
BYTES_UP_TO = 128  # cards that are counted as bytes: a difference of two fits into a signed one


def available() -> bool:
    """Tell whether numba is here."""
    return find_spec("numba") is not None


def are_compiled() -> bool:
    """Tell whether the counts have been compiled on this machine before, as far as their cache shows."""
    elsewhere = os.environ.get("NUMBA_CACHE_DIR")
    places = Path(elsewhere).rglob("*.nbi") if elsewhere else Path(__file__).parent.glob("counts/__pycache__/*.nbi")
    return any(places)


def fill(out: NDArray[Any], seed: int, first: int = 0, threads: int = 1) -> None:
    """Fill an array with fair decks, base first; each order of each row is equally likely.

    Args:
        out: shape ``(decks, n)``, C-contiguous, 1 or more cards; dtype uint8 (up to 256 cards) or uint16.
        seed: 0 to 2^128 - 1.
        first: the number of the first block; the rows hold the blocks ``first``, ``first + 1``, ...
            of `BLOCK` decks each, the last perhaps in part.
        threads: how many work at it; the decks are the same.

    Raises:
        MissingTool: numba is not here.
    """
    _spread(_rows, out, BLOCK, seed, first, threads)


def fill_groups(out: NDArray[np.uint8], seed: int, first: int = 0, threads: int = 1, *, fair: bool = True) -> None:
    """Fill an array with the decks of `fill`, 64 side by side.

    Args:
        out: shape ``(groups, n, 64)``, C-contiguous, dtype uint8, 1 to `COLUMNS_UP_TO` cards;
            ``out[g, i, t]`` is the card at place ``i`` of deck ``64 g + t``.
        seed: as for `fill`.
        first: as for `fill`.
        threads: as for `fill`.
        fair: draw decks anew where a word of 16 bits was rejected; else they are as they come, and
            those of `fairdeck.shuffles.lehmer` that are not fair.

    Raises:
        MissingTool: numba is not here.
    """
    _spread(partial(_groups, fair), out, BLOCK // GROUP, seed, first, threads)


def _spread(make: Callable[..., None], out: NDArray[Any], block: int, seed: int, first: int, threads: int) -> None:
    """Let threads make runs of blocks; `block` is what a block takes along the first axis of `out`."""
    if not available():
        raise missing("fast decks need numba", "lab")
    words = np.array([seed & (2**64 - 1), seed >> 64], np.uint64)
    blocks = -(-len(out) // block)
    if threads == 1 or blocks < 2:
        make(words, first, out)
        return
    ends = [blocks * thread // threads for thread in range(threads + 1)]
    runs = [(words, first + start, out[start * block : end * block]) for start, end in pairwise(ends) if start < end]
    with ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(make, *run) for run in runs]:
            done.result()


def _rows(words: NDArray[np.uint64], first: int, out: NDArray[Any]) -> None:
    from fairdeck.lab.kernels import columns, swaps
    from fairdeck.lab.kernels.room import aligned

    n = out.shape[1]
    if n <= COLUMNS_UP_TO and out.dtype == np.uint8:
        columns.rows(out, BLOCK, columns.scratch(), words, first)
    elif n <= COLUMNS_UP_TO:
        narrow = np.empty(out.shape, np.uint8)
        columns.rows(narrow, BLOCK, columns.scratch(), words, first)
        out[:] = narrow
    else:
        sides, excess = swaps.dice(n)
        swaps.rows(out, BLOCK, sides, excess, aligned(sides.dtype.type, swaps.TOGETHER, len(sides)), words, first)


def _groups(fair: bool, words: NDArray[np.uint64], first: int, out: NDArray[np.uint8]) -> None:
    from fairdeck.lab.kernels import columns

    columns.groups(out, BLOCK // GROUP, columns.scratch(), words, first, fair)
