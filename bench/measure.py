"""The measurements themselves: each returns rows of figures, and says what it compares.

Contenders for one figure take turns, so that a machine that slows down slows all of them.
"""

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import lgamma, log
from statistics import median

from fairdeck import Mat, RandomIntegers, Task, draw, seeded_words, system_words, uniform_permutation
from fairdeck.dealing.outlook import outlook

REPEATS = 7


@dataclass(frozen=True)
class Figure:
    """One measured quantity: its name, its unit, and the least, median and largest value."""

    name: str
    unit: str
    least: float
    median: float
    most: float


def figure(name: str, unit: str, values: list[float]) -> Figure:
    """Return the figure that `values` make."""
    return Figure(name, unit, min(values), median(values), max(values))


def timed(work: Callable[[], object], repeat: int) -> float:
    """Return the milliseconds that one call of `work` takes, over `repeat` calls."""
    start = time.perf_counter()
    for _ in range(repeat):
        work()
    return (time.perf_counter() - start) / repeat * 1000


def in_turns(contenders: dict[str, Callable[[], object]], repeat: int, unit: str = "ms") -> list[Figure]:
    """Time each contender `REPEATS` times, turn by turn, after one call to warm up."""
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for work in contenders.values():
        work()
    for _ in range(REPEATS):
        for name, work in contenders.items():
            times[name].append(timed(work, repeat))
    return [figure(name, unit, values) for name, values in times.items()]


def cold_start() -> list[Figure]:
    """Whole processes: `fairdeck deal 52`, beside an interpreter that does nothing."""

    def process(*words: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)

    return in_turns(
        {
            "fairdeck deal 52": process("-m", "fairdeck", "deal", "52"),
            "fairdeck check 52": process("-m", "fairdeck", "check", "52"),
            "python -c pass": process("-c", "pass"),
        },
        repeat=3,
    )


def planning() -> list[Figure]:
    """Drawing, planning and replaying one deck on a 7x3 mat."""
    rows = []
    for cards, repeat in ((52, 200), (1_000, 20), (10_000, 3), (100_000, 1), (1_000_000, 1)):
        task, dice = Task(cards, Mat(7, 3)), RandomIntegers(system_words())
        rows += in_turns({f"{cards} cards": partial(draw, task, dice)}, repeat)
    return rows


def drawing() -> list[Figure]:
    """One uniformly random order of n cards: ours from the system's bytes, and the standard library's two."""
    return [row for cards, repeat in ((52, 300), (1_000, 20), (10_000, 2)) for row in _drawing(cards, repeat)]


def _drawing(cards: int, repeat: int) -> list[Figure]:
    def library(shuffle: Callable[[list[int]], None]) -> Callable[[], object]:
        return lambda: shuffle(list(range(cards)))

    return in_turns(
        {
            f"{cards} cards, fairdeck (system CSPRNG)": lambda: uniform_permutation(
                cards, RandomIntegers(system_words())
            ),
            f"{cards} cards, random.SystemRandom (system CSPRNG)": library(random.SystemRandom().shuffle),
            f"{cards} cards, random.shuffle (Mersenne Twister, no CSPRNG)": library(random.shuffle),
        },
        repeat,
    )


def bits_drawn() -> list[Figure]:
    """Random bits used for a deck, as a multiple of its entropy, log2(n!)."""
    rows = []
    for cards in (10, 52, 104, 450, 10_000):
        entropy = lgamma(cards + 1) / log(2)
        ours = [_words(cards, seed) * 32 / entropy for seed in range(REPEATS)]
        rows.append(figure(f"{cards} cards, fairdeck, words used", "x log2(n!)", ours))
        for name, shuffled in (
            ("fairdeck, bytes read from the system", lambda n: uniform_permutation(n, RandomIntegers(system_words()))),
            ("random.SystemRandom, bytes read", lambda n: random.SystemRandom().shuffle(list(range(n)))),
        ):
            used = [_bytes_read(shuffled, cards) * 8 / entropy for _ in range(REPEATS)]
            rows.append(figure(f"{cards} cards, {name}", "x log2(n!)", used))
    return rows


def _words(cards: int, seed: int) -> int:
    taken = 0

    def tape() -> Iterator[int]:
        nonlocal taken
        for word in seeded_words(seed.to_bytes(4, "big")):
            taken += 1
            yield word

    uniform_permutation(cards, RandomIntegers(tape()))
    return taken


def _bytes_read(shuffled: Callable[[int], object], cards: int) -> int:
    read = 0
    urandom = os.urandom

    def counted(size: int) -> bytes:
        nonlocal read
        read += size
        return urandom(size)

    # The standard library holds a name of its own for it.
    os.urandom = counted
    random._urandom = counted  # type: ignore[attr-defined]
    try:
        shuffled(cards)
    finally:
        os.urandom = random._urandom = urandom  # type: ignore[attr-defined]
    return read


def spaces() -> list[Figure]:
    """Spaces that 99 % of all orders need: fewest keys, and the classic one key a card."""
    rows = []
    for cards in (52, 60, 104, 150, 450):
        for name, classic in (("fewest keys (fairdeck)", False), ("one key a card (others)", True)):
            needs = outlook(Task(cards, Mat(5, 2), classic=classic, bottom="never")).needs
            rows += [figure(f"{cards} cards, {passes} passes, {name}", "spaces", [n]) for passes, n in needs.items()]
    return rows


MEASUREMENTS: dict[str, Callable[[], list[Figure]]] = {
    "Cold start": cold_start,
    "Planning": planning,
    "Drawing an order": drawing,
    "Randomness used": bits_drawn,
    "Spaces needed": spaces,
}
