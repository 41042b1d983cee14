"""Takes the times: contenders in turns, so that a machine that slows down slows all of them.

Time is processor time of this process, all threads added, because other programs may use the machine
meanwhile. Only `two_threads` measures by the clock on the wall.
"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from statistics import median
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.peers.contenders import CARDS, CPP, OURS, TOP, Contender, Work

Array = npt.NDArray[Any]

BATCH = 1 << 20  # bytes of decks that a call makes: they stay in the second cache, where a program would use them
LEAST = 0.07  # seconds a measurement takes, at least


@dataclass(frozen=True)
class Measured:
    """One contender's figures in one job.

    Attributes:
        name: as `Contender`, and so are `family`, `made`, `layout` and `plain`.
        nanoseconds: for one deck, round by round.
        first: seconds until the first call came back, by the clock.
    """

    name: str
    family: str
    made: str
    layout: str
    plain: bool
    nanoseconds: list[float]
    first: float

    @property
    def median(self) -> float:
        """The middle one of the figures."""
        return median(self.nanoseconds)


@dataclass(frozen=True)
class Job:
    """What was measured, and the figures of every contender."""

    title: str
    unit: str
    measured: list[Measured]


@dataclass(frozen=True)
class Threads:
    """Nanoseconds for a deck by the clock, round by round, in one thread and in two."""

    family: str
    name: str
    one: list[float]
    two: list[float]


def rows(contenders: list[Contender], cards: int, rounds: int) -> Job:
    """Measure decks of `cards` cards."""
    width = cards if cards <= 255 else 2 * cards
    decks = _batch(width)
    taking = [each for each in contenders if cards <= each.most]
    places = [each.place(cards, decks) for each in taking]
    return Job(f"{cards:,} cards", "deck", _in_turns(taking, places, decks, rounds))


def tops(contenders: list[Contender], rounds: int) -> Job:
    """Measure the top cards of decks."""
    hands = _batch(CARDS)
    places = [np.zeros((hands, TOP), dtype=np.uint8) for _ in contenders]
    return Job(f"Top {TOP} of {CARDS} cards", "hand", _in_turns(contenders, places, hands, rounds))


def two_threads(contenders: list[Contender], rounds: int, cards: int = 52) -> list[Threads]:
    """Measure `bulk.fill`, and the first of C++ for comparison, in one thread and in two."""
    in_rows = [each for each in contenders if each.layout == "rows"]
    firsts = [next((each for each in in_rows if each.family == family), None) for family in (OURS, CPP)]
    decks, calls = _batch(cards), 40
    found = []
    with ThreadPoolExecutor(2) as pool:
        for contender in filter(None, firsts):
            places = [contender.place(cards, decks) for _ in range(2)]

            def work(thread: int, count: int, work: Work = contender.work, places: list[Array] = places) -> None:
                for call in range(count):
                    work(places[thread], call * 2 + thread)

            list(pool.map(work, (0, 1), (1, 1)))
            times: dict[int, list[float]] = {1: [], 2: []}
            for _ in range(5 * rounds):  # short ones, so that some meet an idle machine
                for threads, each in times.items():
                    start = time.perf_counter()
                    list(pool.map(work, range(threads), [calls // threads] * threads))
                    each.append((time.perf_counter() - start) / (calls * decks) * 1e9)
            found.append(Threads(contender.family, contender.name, times[1], times[2]))
    return found


def together(measured: list[list[Threads]]) -> list[Threads]:
    """Return several measurements as one: the load of a shared machine changes by the minute."""
    found = []
    for same in zip(*measured, strict=True):
        one, two = [*chain(*(each.one for each in same))], [*chain(*(each.two for each in same))]
        found.append(Threads(same[0].family, same[0].name, one, two))
    return found


def _batch(width: int) -> int:
    """Return how many decks of `width` bytes a call makes: a power of two, so that blocks stay whole."""
    return 1 << (BATCH // width).bit_length() - 1


def _in_turns(contenders: list[Contender], places: list[Array], units: int, rounds: int) -> list[Measured]:
    seed = 0

    def timed(contender: Contender, place: Array, calls: int, clock: Callable[[], float]) -> float:
        nonlocal seed
        start = clock()
        for _ in range(calls):
            seed += 1
            contender.work(place, seed)
        return (clock() - start) / calls

    pairs = list(zip(contenders, places, strict=True))
    firsts = [timed(contender, place, 1, time.perf_counter) for contender, place in pairs]
    # The first call compiles ours and touches every page; the second tells how many make a measurement.
    calls = [
        1 if first > 20 * LEAST else max(1, round(LEAST / timed(contender, place, 1, time.process_time)))
        for first, (contender, place) in zip(firsts, pairs, strict=True)
    ]
    times: list[list[float]] = [[] for _ in pairs]
    for _ in range(rounds):
        for (contender, place), count, found in zip(pairs, calls, times, strict=True):
            found.append(timed(contender, place, count, time.process_time) / units * 1e9)
    return [
        Measured(each.name, each.family, each.made, each.layout, each.plain, found, first)
        for each, found, first in zip(contenders, times, firsts, strict=True)
    ]
