"""Drawing: numbers below a bound, counted, with the random bits that they take.

A **draw** is a function from a bound k to one of 0..k-1. The standard library only: this is also
the program that calls a draw of the user's, in a process of its own, where NumPy is loaded only if
the draw wants it. `fairdeck.lab.scaling` says which bounds are asked and what the counts are worth.
"""

import json
import os
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from fairdeck.errors import FairdeckError
from fairdeck.lab import calling
from fairdeck.randomness import Dice

Draw = Callable[[int], Any]
Kinds = dict[str, tuple[int, Callable[[int], int]]]  # names of cells: how many, and a number's cell

USUAL_MOST, USUAL_DRAWS = 52, 100_000
PROBE_DRAWS = 10_000  # a probe has three cells, and a bias of a twentieth or more
WIDTHS = (8, 16, 24, 32, 53, 64)  # bits of the usual sources; 24 and 53 are those of floats
BATCH = 1_000
PATIENCE = 2.0  # seconds for a probe: a draw that lists all numbers below its bound never comes back
MEMORY = 8 * 2**30  # bytes for such a draw


@dataclass(frozen=True)
class Count:
    """What came of drawing below one bound.

    Attributes:
        bound: the bound.
        draws: how many numbers were drawn.
        cells: counts in equally likely cells: by ``number``; of a probe, by ``third`` and ``remainder``.
        outside: how many were no whole number of 0..bound-1.
        example: the first of these, as Python shows it.
        bits: the random bits that were taken; None where they are not seen.
    """

    bound: int
    draws: int
    cells: dict[str, tuple[int, ...]]
    outside: int = 0
    example: str = ""
    bits: int | None = None

    @property
    def probe(self) -> int:
        """The width in bits that this bound probes; 0 if it is one of a deck."""
        return 0 if "number" in self.cells else self.bound.bit_length()


class Broken(FairdeckError):
    """The draw failed: it raised an error, hung or ended its process."""


# --- where randomness comes from, and how much of it is taken


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


def of_dice(words: Iterable[int], most: int = USUAL_MOST, draws: int = USUAL_DRAWS) -> Iterator[Count]:
    """Yield the counts of `fairdeck.randomness.Dice` over random words."""
    meter = Meter(words)
    return of_draw(Dice(meter).below, most, draws, lambda: meter.bits)


def of_draw(
    draw: Draw, most: int = USUAL_MOST, draws: int = USUAL_DRAWS, bits: Callable[[], int] | None = None
) -> Iterator[Count]:
    """Yield the counts of a draw: for every bound from 2 to `most`, then for every probe it can do.

    Args:
        draw: from a bound k to one of 0..k-1.
        most: the largest bound of a deck.
        draws: how many numbers to draw below each bound of a deck; a probe has a number of its own.
        bits: tells how many random bits have been taken so far, if that is known.

    Raises:
        Broken: it raised an error at a bound of a deck.
    """
    for bound in range(2, most + 1):
        try:
            yield _counted(draw, bound, draws, bits, {"number": (bound, lambda number: number)})
        except Exception as error:
            raise Broken(f"below {bound} it raised {calling.described(error)}") from error
    for width in WIDTHS:
        # Not every draw can do large bounds, and none of a deck needs them.
        with suppress(Exception):
            third = 2 ** (width - 2)
            kinds: Kinds = {"third": (3, third.__rfloordiv__), "remainder": (3, (3).__rmod__)}
            yield _counted(draw, 3 * third, PROBE_DRAWS, bits, kinds, PATIENCE)
            continue
        return


def _counted(
    draw: Draw,
    bound: int,
    draws: int,
    bits: Callable[[], int] | None,
    kinds: Kinds,
    patience: float = float("inf"),
) -> Count:
    before, until = bits() if bits else 0, monotonic() + patience
    tallies: dict[str, Counter[int]] = {name: Counter() for name in kinds}
    outside, example, done, batch = 0, "", 0, 1
    while done < draws:
        drawn = [draw(bound) for _ in range(min(batch, draws - done))]
        done += len(drawn)
        # Small batches first, so that a draw that takes seconds for each number is noticed.
        batch = min(BATCH, 2 * batch)
        if monotonic() > until:
            raise Broken(f"below {bound:,} it takes too long")
        good = _good(drawn, bound)
        if len(good) < len(drawn):
            outside += len(drawn) - len(good)
            example = example or f"{next(each for each in drawn if not _good([each], bound))!r:.40}"
        for name, (_, cell) in kinds.items():
            tallies[name].update(good if name == "number" else map(cell, good))
    cells = {name: tuple(tallies[name][cell] for cell in range(size)) for name, (size, _) in kinds.items()}
    return Count(bound, draws, cells, outside, example, bits() - before if bits else None)


def _good(drawn: list[Any], bound: int) -> list[int]:
    """Return the whole numbers of 0..bound-1 among what was drawn; 1.0 is none."""
    if any(not hasattr(kind, "__index__") for kind in set(map(type, drawn))):
        drawn = [each for each in drawn if hasattr(type(each), "__index__")]
    if drawn and not (min(drawn) >= 0 and max(drawn) < bound):
        drawn = [each for each in drawn if 0 <= each < bound]
    return drawn


def main() -> None:
    """Count what the function of a job gives; the job is JSON on standard input, each answer a line."""
    job = json.loads(sys.stdin.buffer.read())
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the function prints must not come among the answers
    place, _, path = job["function"].rpartition(":")
    sys.path.insert(0, str(Path.cwd()))
    _limit_memory()

    def tell(**what: Any) -> None:
        out.write(json.dumps(what) + "\n")
        out.flush()

    rng = MeteredRandom(f"fairdeck scaling {job['seed']}")
    told = f"fairdeck scaling {job['seed']} global"
    calling.seed_all(told)
    try:
        if not place or not path:
            raise calling.Refused("names no function; write package.module:function or path/file.py:function")
        form = calling.Form(calling.function_of(calling.module_of(place), path, place), "n", rng)
        calling.seed_all(told)  # what was drawn during the import depends on no other draw
        bits = (lambda: rng.bits) if form.rng_name and form.rng is rng else None
        for count in of_draw(form.call, job["most"], job["draws"], bits):
            tell(**asdict(count))
        tell(end=True)
    except calling.Refused as refused:
        tell(refused=str(refused))
    except Broken as error:
        tell(broken=str(error))
    finally:
        os._exit(0)


def _limit_memory() -> None:
    """Let a draw that makes a list of 2^62 numbers fail by itself, and not the machine."""
    if os.name == "posix":
        import resource

        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


if __name__ == "__main__":
    main()
