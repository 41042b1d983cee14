"""The shuffles that libraries offer, Python's and NumPy's."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

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
)
