"""The shuffles that libraries offer: Python's, NumPy's and this one's, which hands can also deal."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from fairdeck.dealing.mat import Mat
from fairdeck.dealing.plan import replay
from fairdeck.dealing.planner import Task, draw
from fairdeck.randomness import RandomIntegers, uniform_permutation
from fairdeck.shuffles import Known


def python_shuffle(n: int, rng: Random) -> Sequence[int]:
    """Python's `random.shuffle`: Fisher and Yates with numbers by rejection."""
    deck = list(range(n))
    rng.shuffle(deck)
    return deck


@dataclass(frozen=True, slots=True)
class NumpyPermutation:
    """NumPy's ``Generator.permutation`` with PCG64, whose 128 bits of seed come from `rng`."""

    def stream(self, n: int, rng: Random) -> Iterator[Sequence[int]]:
        """Yield arrangements."""
        try:
            from numpy.random import PCG64, Generator
        except ImportError:
            from fairdeck.extras import missing

            raise missing("this shuffle is NumPy's", "lab") from None
        generator = Generator(PCG64(rng.getrandbits(128)))
        while True:
            yield generator.permutation(n).tolist()


def words(rng: Random) -> Iterator[int]:
    """Yield 32-bit words from `rng`, for ever."""
    return iter(partial(rng.getrandbits, 32), None)


def drawn(n: int, rng: Random) -> Sequence[int]:
    """The order as `fairdeck.randomness` draws it, with new integers for each deck."""
    return uniform_permutation(n, RandomIntegers(words(rng)))


@dataclass(frozen=True, slots=True)
class Dealt:
    """The deck after the drawn order has been planned on `mat` and dealt, card by card."""

    mat: Mat

    def __call__(self, n: int, rng: Random) -> Sequence[int]:
        plan, _ = draw(Task(n, self.mat), RandomIntegers(words(rng)))
        deck, _ = replay(plan, range(n))
        return deck


KNOWN = (
    Known(
        "python-random",
        python_shuffle,
        fair=True,
        says="Python's random.shuffle: each place takes one of the remaining cards",
        source="the Python standard library, random.shuffle",
    ),
    Known(
        "numpy-permutation",
        NumpyPermutation(),
        fair=True,
        says="NumPy's Generator.permutation: each place takes one of the remaining cards",
        source="NumPy, numpy.random.Generator.permutation",
    ),
    Known(
        "fairdeck",
        drawn,
        fair=True,
        says="the order that fairdeck draws: Fisher and Yates with integers that waste no randomness and have no bias",
        source="fairdeck.randomness",
    ),
    Known(
        "dealt",
        Dealt(Mat(5, 2)),
        fair=True,
        says="the deck as hands leave it when they deal fairdeck's plan on a mat of 5x2 spaces",
        source="fairdeck.dealing.planner",
        by_hand=True,
    ),
)
