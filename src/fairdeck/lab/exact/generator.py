"""The random generator that a shuffle under enumeration draws from."""

from random import Random
from typing import TYPE_CHECKING, Any, cast

from fairdeck.lab.exact.draws import Source
from fairdeck.lab.exact.pieces import Interval, Progression
from fairdeck.lab.exact.unseen import UnseenFloat, UnseenInt
from fairdeck.lab.exact.way import Way

if TYPE_CHECKING:
    from fairdeck.lab.exact.rejection import Watch


class Enumerated(Random):
    """A `random.Random` whose draws are the choices of a way through the tree.

    All that `random.Random` offers works, as far as it is made of whole numbers, comparisons and
    rounding; the logarithms of `gauss` and its kin do not. Seeding it is refused.
    """

    _way: Way | None = None

    def __init__(self) -> None:
        super().__init__()
        self.watch: Watch | None = None

    def follow(self, way: Way) -> None:
        """Draw from now on along this way."""
        self._way, self.watch = way, None

    def _drawn(self, bound: int) -> Way:
        way = cast(Way, self._way)
        if self.watch is not None:
            self.watch.draw(bound)
        way.serial += 1
        return way

    def _randbelow(self, n: int) -> Any:
        bound = int(n)
        way = self._drawn(bound)
        if bound <= way.at_once:
            return way.below(bound, way.serial)
        return UnseenInt(Source(way, Progression(0, 1, bound)))

    def getrandbits(self, k: int, /) -> Any:
        """Return `k` random bits."""
        bits = int(k)
        if bits < 0:
            raise ValueError("number of bits must be non-negative")
        return self._randbelow(1 << bits)

    def random(self) -> Any:
        """Return a real number uniform on [0, 1)."""
        return UnseenFloat(Source(self._drawn(0), Interval(0, 1)))

    def choices(self, population: Any, weights: Any = None, *, cum_weights: Any = None, k: int = 1) -> list[Any]:
        """Choose as `random.choices` does; of a range without weights, numbers that need not be looked at."""
        if weights is None and cum_weights is None and isinstance(population, range) and population:
            return [population.start + population.step * self._randbelow(len(population)) for _ in range(k)]
        return super().choices(population, weights, cum_weights=cum_weights, k=k)

    def __call__(self) -> Any:
        """Do as `random.random` does, for functions that are handed that."""
        return self.random()

    def seed(self, a: object = None, version: int = 2) -> None:  # noqa: ARG002
        """Refuse to be seeded with anything but nothing."""
        if self._way is not None and a is not None:
            raise self._way.refuse(
                "it seeds the generator itself, so it makes no more decks than there are seeds; leave that out, or "
                "make a generator of its own: random.Random(seed)"
            )

    def refused(self, message: str) -> BaseException:
        """Return what to raise where the shuffle cannot be seen through."""
        return cast(Way, self._way).refuse(message)

    def note(self, sentence: str) -> None:
        """Keep a sentence for the reader of the law."""
        cast(Way, self._way).notes.add(sentence)

    def getstate(self) -> Any:
        """Refuse: there is no state."""
        raise self.refused("it saves or copies the state of the generator, which cannot be seen through")

    def setstate(self, state: Any) -> None:  # noqa: ARG002
        """Refuse: there is no state."""
        self.getstate()
