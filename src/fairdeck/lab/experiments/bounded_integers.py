"""Random integers below a bound: drawn, counted, and the random bits that they take.

A draw function takes a bound k and returns one of 0..k-1. It can be a user's, in a process of its own;
this module runs there too, so it loads the standard library only. What the counts are worth is for
`fairdeck.lab.experiments.scaling` to judge.
"""

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from operator import add
from time import monotonic
from typing import Any

from fairdeck import numbers
from fairdeck.errors import FairdeckError
from fairdeck.lab.usercode import adapting
from fairdeck.lab.usercode.shipped import Shipped
from fairdeck.randomness import RandomIntegers, seeded_words

DrawFunction = Callable[[int], Any]
Cells = dict[str, tuple[int, Callable[[int], int]]]  # by name: how many cells, and the cell of a number

USUAL_MOST, USUAL_DRAWS = 52, 100_000
LARGEST_MOST, MOST_DRAWS = 1_000, 10**9
PROBE_DRAWS = 10_000  # a probe has three cells and a bias of a twentieth or more
WIDTHS = (8, 16, 24, 32, 53, 64)  # bits of the usual sources; 24 and 53 are those of floats
BATCH = 1_000
PATIENCE = 2.0  # seconds for a probe: a function that lists all numbers below its bound never returns
PIECE = 1_000_000  # numbers that one process draws, where they are drawn in parts: about a second
MEMORY = 8 * 2**30  # bytes for such a function


@dataclass(frozen=True)
class Count:
    """The counts of one bound.

    Attributes:
        bound: the bound.
        draws: how many numbers were drawn.
        cells: counts in equally likely cells: by ``number``, or for a probe by ``third`` and by ``remainder``.
        outside: how many were not a whole number of 0..bound-1.
        example: the first of these, as Python shows it.
        bits: the random bits that were taken; None if unknown.
    """

    bound: int
    draws: int
    cells: dict[str, tuple[int, ...]]
    outside: int = 0
    example: str = ""
    bits: int | None = None

    def __add__(self, more: "Count") -> "Count":
        """Return both together."""
        return replace(
            self,
            draws=self.draws + more.draws,
            cells={name: tuple(map(add, each, more.cells[name])) for name, each in self.cells.items()},
            outside=self.outside + more.outside,
            example=self.example or more.example,
            bits=None if self.bits is None or more.bits is None else self.bits + more.bits,
        )

    @property
    def probe(self) -> int:
        """The width in bits that this bound probes; 0 for a bound of a deck."""
        return 0 if "number" in self.cells else self.bound.bit_length()


class DrawFailed(FairdeckError):
    """The draw function raised an error, hung or ended its process."""


class Meter:
    """Counts the bits of random words that pass through."""

    def __init__(self, words: Iterable[int]) -> None:
        self.bits = 0
        self._words = iter(words)

    def __iter__(self) -> Iterator[int]:
        for word in self._words:
            self.bits += 32
            yield word


class MeteredRandom(random.Random):
    """A `random.Random` that counts the bits it hands out."""

    bits = 0

    def getrandbits(self, k: int, /) -> int:
        """Return k random bits."""
        self.bits += k
        return super().getrandbits(k)

    def random(self) -> float:
        """Return a float below 1, of 53 random bits."""
        self.bits += 53
        return super().random()


def of_random_integers(words: Iterable[int], most: int = USUAL_MOST, draws: int = USUAL_DRAWS) -> Iterator[Count]:
    """Yield the counts of `fairdeck.randomness.RandomIntegers` over random words."""
    meter = Meter(words)
    return of_draw(RandomIntegers(meter).below, most, draws, lambda: meter.bits)


def of_draw(
    draw: DrawFunction,
    most: int = USUAL_MOST,
    draws: int = USUAL_DRAWS,
    bits: Callable[[], int] | None = None,
    *,
    least: int = 2,
    probes: bool = True,
) -> Iterator[Count]:
    """Yield the counts of a draw function: for every bound from `least` to `most`, then for every probe it can do.

    Args:
        draw: takes a bound k and returns one of 0..k-1.
        most: the largest bound of a deck.
        draws: how many numbers to draw below each bound of a deck; probes have their own number.
        bits: returns how many random bits have been taken so far, if that is known.
        least: the smallest bound.
        probes: whether to probe large bounds.

    Raises:
        DrawFailed: the function raised an error at a bound of a deck.
    """
    for bound in range(least, most + 1):
        try:
            yield _counted(draw, bound, draws, bits, {"number": (bound, lambda number: number)})
        except (Exception, SystemExit) as error:
            raise DrawFailed(f"below {bound} it raised {adapting.described(error)}") from error
    for width in WIDTHS if probes else ():
        # Not every function can do large bounds, and no deck needs them.
        with suppress(Exception, SystemExit):
            third = 2 ** (width - 2)
            cells: Cells = {"third": (3, third.__rfloordiv__), "remainder": (3, (3).__rmod__)}
            yield _counted(draw, 3 * third, PROBE_DRAWS, bits, cells, PATIENCE)
            continue
        return


def _counted(
    draw: DrawFunction,
    bound: int,
    draws: int,
    bits: Callable[[], int] | None,
    cells: Cells,
    patience: float = float("inf"),
) -> Count:
    before, until = bits() if bits else 0, monotonic() + patience
    tallies: dict[str, Counter[int]] = {name: Counter() for name in cells}
    outside, example, done, batch = 0, "", 0, 1
    while done < draws:
        drawn = [draw(bound) for _ in range(min(batch, draws - done))]
        done += len(drawn)
        # Small batches first, to notice a function that takes seconds for each number.
        batch = min(BATCH, 2 * batch)
        if monotonic() > until:
            raise DrawFailed(f"below {bound:,} it takes too long")
        good = _good(drawn, bound)
        if len(good) < len(drawn):
            outside += len(drawn) - len(good)
            example = example or f"{next(each for each in drawn if not _good([each], bound))!r:.40}"
        for name, (_, cell) in cells.items():
            tallies[name].update(good if name == "number" else map(cell, good))
    counts = {name: tuple(tallies[name][cell] for cell in range(size)) for name, (size, _) in cells.items()}
    return Count(bound, draws, counts, outside, example, bits() - before if bits else None)


def _good(drawn: list[Any], bound: int) -> list[int]:
    """Return the whole numbers of 0..bound-1 among the numbers drawn; 1.0 does not count."""
    if any(not hasattr(kind, "__index__") for kind in set(map(type, drawn))):
        drawn = [each for each in drawn if hasattr(type(each), "__index__")]
    if drawn and not (min(drawn) >= 0 and max(drawn) < bound):
        drawn = [each for each in drawn if 0 <= each < bound]
    return drawn


# --- a user's function, in a process of its own


def of_function(
    function: str, seed: int, most: int = USUAL_MOST, draws: int = USUAL_DRAWS, timeout: float = 10.0
) -> Iterator[Count]:
    """Yield the counts of ``package.module:function`` or ``path/to/file.py:function``.

    It is called with the bound, or with the bound and a `random.Random` if it has a parameter for one.

    Raises:
        FairdeckError: it cannot be found or called.
        DrawFailed: it failed, or gave nothing for `timeout` seconds; the counts before are good.
    """
    most, draws = numbers.whole("most", most, 2), numbers.whole("draws", draws, 1)
    seed, timeout = numbers.whole("seed", seed, 0), numbers.seconds("timeout", timeout)
    job = {"function": function, "seed": f"{seed}", "least": 2, "most": most, "draws": draws, "probes": True}
    yield from _of_job(job, function, timeout)


def _of_job(job: dict[str, Any], function: str, timeout: float) -> Iterator[Count]:
    from fairdeck.lab.usercode import jobs  # takes a while: subprocess

    last, most = job["least"] - 1, job["most"]
    try:
        for told in jobs.answers(__name__, job, timeout):
            if "refused" in told:
                raise FairdeckError(f"{function}: {told['refused']}")
            if "failed" in told:
                raise DrawFailed(told["failed"])
            if "end" in told:
                return
            if "bound" in told:
                last = told["bound"]
                yield Count(**{**told, "cells": {name: tuple(cells) for name, cells in told["cells"].items()}})
    except (jobs.Silent, jobs.Ended) as error:
        if last < most:  # after it, only a probe was too much, and no deck needs that
            silent = f"gave nothing for {error.args[0]:g} s" if isinstance(error, jobs.Silent) else str(error)
            raise DrawFailed(f"below {last + 1} it {silent}") from None


# --- in parts: anywhere, with the same numbers


@dataclass(frozen=True, slots=True)
class Piece:
    """Numbers that one process draws.

    Attributes:
        number: of the piece, from 0: it chooses the random stream.
        least: the smallest bound.
        most: the largest bound; 1 for no bound of a deck.
        draws: how many numbers to draw below each.
        probes: whether to probe large bounds.
    """

    number: int
    least: int
    most: int
    draws: int
    probes: bool = False


Found = tuple[list[Count], str]  # the counts of a piece, and the fault after them, if there is one
PieceMap = Callable[[Callable[[Piece], Found], Iterable[Piece]], Iterable[Found]]


def in_parts(
    function: str | None,
    seed: int,
    most: int = USUAL_MOST,
    draws: int = USUAL_DRAWS,
    timeout: float = 10.0,
    map: PieceMap = map,  # noqa: A002 - the seam is called so
) -> Iterator[Count]:
    """Yield the counts of a function, or of fairdeck's own generator, drawn in pieces wherever `map` says.

    Each piece has a random stream of its own and a new process, so the counts do not depend on where they are made.

    Raises:
        FairdeckError: the function cannot be found or called.
        DrawFailed: it failed; the counts before are good.
    """
    most, draws = numbers.whole("most", most, 2), numbers.whole("draws", draws, 1)
    seed, timeout = numbers.whole("seed", seed, 0), numbers.seconds("timeout", timeout)
    shipped = None if function is None else Shipped.of(function)
    total: Count | None = None
    for found, fault in map(partial(_piece, shipped, seed, timeout), _pieces(most, draws)):
        for count in found:
            same = total is not None and (count.bound, count.probe) == (total.bound, total.probe)
            if total is not None and not same:
                yield total
            total = total + count if total is not None and same else count
        if fault:
            if total is not None:
                yield total
            raise DrawFailed(fault)
    if total is not None:
        yield total


def _pieces(most: int, draws: int) -> Iterator[Piece]:
    bounds, number = max(1, PIECE // draws), 0
    for least in range(2, most + 1, bounds):
        for done in range(0, draws, PIECE):
            yield Piece(number, least, min(most, least + bounds - 1), min(PIECE, draws - done))
            number += 1
    yield Piece(number, 2, 1, 0, probes=True)


def _piece(shipped: Shipped | None, seed: int, timeout: float, piece: Piece) -> Found:
    found: list[Count] = []
    name, stream = "" if shipped is None else shipped.name, f"{seed}/{piece.number}"
    try:
        if shipped is None:
            meter = Meter(seeded_words(stream.encode()))
            draw = RandomIntegers(meter).below
            found.extend(
                of_draw(draw, piece.most, piece.draws, lambda: meter.bits, least=piece.least, probes=piece.probes)
            )
        else:
            found.extend(_of_job({**asdict(piece), "function": shipped.here(), "seed": stream}, name, timeout))
    except DrawFailed as error:
        return found, str(error)
    return found, ""


def main() -> None:
    """Count what the function of a job gives."""
    from fairdeck.lab.usercode import jobs

    jobs.answer(_work)


def _work(job: dict[str, Any], tell: Callable[..., None]) -> None:
    _limit_memory()
    rng = MeteredRandom(f"fairdeck scaling {job['seed']}")
    text = f"fairdeck scaling {job['seed']} global"
    adapting.seed_all(text)
    try:
        tell(started=True)
        adapter = adapting.Adapter(adapting.load(job["function"]), "n", rng)
        adapting.seed_all(text)  # anew: the import may have drawn
        bits = (lambda: rng.bits) if adapter.rng_name and adapter.rng is rng else None
        bounds = {"least": job["least"], "probes": job["probes"]}
        for count in of_draw(adapter.call, job["most"], job["draws"], bits, **bounds):
            tell(**asdict(count))
        tell(end=True)
    except adapting.CannotCall as error:
        tell(refused=str(error))
    except DrawFailed as error:
        tell(failed=str(error))


def _limit_memory() -> None:
    """Let a function that lists 2^62 numbers fail by itself, before the machine does."""
    if sys.platform != "win32":
        import resource

        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
