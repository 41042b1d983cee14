"""What runs on a worker of a cluster: it counts the items that it is sent, adds tallies up, and says what it is.

Everything that travels is pickled here, into plain bytes, so a scheduler only hands it on. Counts travel in the
smallest integers that hold them.
"""

import pickle
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.metadata import version as version_of
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import fairdeck
from fairdeck.errors import FairdeckError
from fairdeck.lab.blocks import Broken
from fairdeck.lab.judging.tally import Battery, Tally
from fairdeck.lab.runs.identity import hash_of_code

SMALL_ENOUGH = (np.uint8, np.uint16, np.uint32)
BATTERIES = 8  # functions that a worker keeps: a battery takes a while to put together


class Counted(NamedTuple):
    """What a worker sends back.

    Attributes:
        packed: a list of results in the order of the items, and the error of the item after them, or None; pickled.
        seconds: how long it took.
        items: how many results there are.
    """

    packed: NDArray[np.uint8]  # not bytes, which Dask would copy
    seconds: float
    items: int


class Unfit(FairdeckError):
    """A worker is not of the same build as the process that asks it."""


def about() -> dict[str, str]:
    """Return what must be equal on all machines, so that their digits are: each name with its value."""
    import numba  # its kernels make other decks than NumPy does
    import scipy

    there = {each.__name__: "there" for each in (numba, np, scipy)}
    return {"fairdeck": fairdeck.__version__, "source files": hash_of_code()[:16]} | there


def dask_version() -> str:
    """Return the version of Dask's scheduler and workers."""
    return version_of("distributed")


def count(build: str, function: bytes, items: bytes) -> Counted:
    """Apply a function to items, both pickled; stop at the first error.

    Args:
        build: the `hash_of_code` of the process that asks.
        function: takes one item.
        items: a sequence.
    """
    if build != hash_of_code():
        raise Unfit(f"its source files are {hash_of_code()[:16]}, not {build[:16]}")
    began = perf_counter()
    results: list[Any] = []
    error: Exception | None = None
    try:
        apply = _loaded(function)
        # One by one: the results before an error count.
        results.extend(map(apply, pickle.loads(items)))  # noqa: S301 - from the client that this worker works for
    except Exception as raised:
        error = named(raised)
    return packed(results, error, began)


def add(function: bytes, *parts: Counted) -> Counted:
    """Add the tallies of successive parts of one portion into one.

    Args:
        function: a battery's `tally_all`, pickled.
        parts: what `count` or `add` gave, each with one tally or an error.
    """
    began = perf_counter()
    battery: Battery = getattr(_loaded(function), "__self__")  # noqa: B009 - a bound method
    tallies: list[Tally] = []
    for part in parts:
        found, error = unpacked(part)
        tallies += found
        if error is not None:
            return packed([], error, began)
    return packed([battery.total(tallies)], None, began)


@lru_cache(BATTERIES)
def _loaded(function: bytes) -> Callable[[Any], Any]:
    return pickle.loads(function)  # type: ignore[no-any-return] # noqa: S301 - from the client that this worker works for


def named(error: Exception) -> Exception:
    """Return an error with the name of this worker, where it is about what is installed here."""
    if not isinstance(error, FairdeckError) or isinstance(error, Broken):
        return error
    from distributed import get_worker

    return FairdeckError(f"{error} (on the worker {get_worker().address})")


# --- what travels


def packed(results: Sequence[Any], error: Exception | None, began: float) -> Counted:
    """Return results as they travel."""
    small = [_Small.of(each) if isinstance(each, Tally) else each for each in results]
    try:
        data = pickle.dumps((small, error), protocol=5)
    except Exception:  # some errors cannot be pickled
        data = pickle.dumps((small, RuntimeError(f"{type(error).__name__}: {error}")), protocol=5)
    return Counted(np.frombuffer(data, np.uint8), perf_counter() - began, len(results))


def unpacked(counted: Counted) -> tuple[list[Any], Exception | None]:
    """Return the results, and the error after them."""
    small, error = pickle.loads(counted.packed.data)  # noqa: S301 - from a worker that works for this client
    return [each.tally() if isinstance(each, _Small) else each for each in small], error


class _Small(NamedTuple):
    """A tally in small integers: each row of its counts as an array, with the shape and the type of all rows."""

    decks: int
    seen: tuple[int, ...]
    counts: list[tuple[tuple[int, ...], str, list[NDArray[Any]]]]

    @classmethod
    def of(cls, tally: Tally) -> "_Small":
        """Return a tally as it travels."""
        return cls(
            tally.decks,
            tally.seen,
            [(each.shape, each.dtype.str, list(map(_least, _rows(each)))) for each in tally.counts],
        )

    def tally(self) -> Tally:
        """Return the tally, equal to the one before in every byte."""
        counts = [
            np.concatenate([np.empty(0, kind), *rows], dtype=kind, casting="unsafe").reshape(shape)
            for shape, kind, rows in self.counts
        ]
        return Tally(self.decks, self.seen, tuple(counts))


def _rows(counts: NDArray[Any]) -> NDArray[Any]:
    """Return counts in few rows: those of fingerprints are large, those below them small."""
    few = counts.ndim > 1 and len(counts) == 2
    return counts.reshape(2 if few else 1, -1)


def _least(row: NDArray[Any]) -> NDArray[Any]:
    """Return a row of integers in the smallest type that holds them."""
    if row.dtype.kind not in "iu" or not row.size or row.min() < 0:
        return np.ascontiguousarray(row)
    most = row.max()
    return np.ascontiguousarray(next((row.astype(kind) for kind in SMALL_ENOUGH if most <= np.iinfo(kind).max), row))
