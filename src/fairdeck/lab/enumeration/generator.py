"""The random generator of a shuffle under enumeration."""

from collections.abc import Callable
from random import Random
from typing import Any, cast

from fairdeck.lab.enumeration.draws import Draw
from fairdeck.lab.enumeration.lazy_draws import LazyFloat, LazyInt
from fairdeck.lab.enumeration.path import TreePath
from fairdeck.lab.enumeration.pieces import Interval, Progression
from fairdeck.lab.usercode.interception import is_forwarded


class EnumeratedRandom(Random):
    """A `random.Random` that draws the choices of a path through the tree.

    Everything in `random.Random` works that uses whole numbers, comparisons and rounding; the logarithms of `gauss` and
    the like do not. Seeding it is refused. `on_draw`, if any, is called before each draw with its bound, 0 for a real
    number.
    """

    _path: TreePath | None = None

    def __init__(self) -> None:
        super().__init__()
        self.on_draw: Callable[[int], None] | None = None

    def follow(self, path: TreePath) -> None:
        """Draw from now on along this path."""
        self._path, self.on_draw = path, None

    def _drawn(self, bound: int) -> TreePath:
        path = cast(TreePath, self._path)
        if self.on_draw is not None:
            self.on_draw(bound)
        path.serial += 1
        return path

    def _randbelow(self, n: int) -> Any:
        bound = int(n)
        if bound < 1:
            raise ValueError("empty range: there is no whole number below 1 and not below 0")
        path = self._drawn(bound)
        if bound <= path.at_once:
            return path.below(bound, path.serial)
        return LazyInt(Draw(path, Progression(0, 1, bound)))

    def getrandbits(self, k: int, /) -> Any:
        """Return `k` random bits."""
        bits = int(k)
        if bits < 0:
            raise ValueError("number of bits must be non-negative")
        return self._randbelow(1 << bits)

    def random(self) -> Any:
        """Return a real number uniform on [0, 1)."""
        return LazyFloat(Draw(self._drawn(0), Interval(0, 1)))

    def choices(self, population: Any, weights: Any = None, *, cum_weights: Any = None, k: int = 1) -> list[Any]:
        """Choose as `random.choices` does; from a range without weights the numbers stay undecided."""
        if weights is None and cum_weights is None and isinstance(population, range) and population:
            return [population.start + population.step * self._randbelow(len(population)) for _ in range(k)]
        return super().choices(population, weights, cum_weights=cum_weights, k=k)

    def __call__(self) -> Any:
        """Do as `random.random` does: some functions take that in place of a generator."""
        return self.random()

    def seed(self, a: object = None, version: int = 2) -> None:  # noqa: ARG002
        """Refuse every seed but None."""
        if self._path is not None and a is not None:
            raise self.refused(
                "it seeds the generator itself, so it makes no more decks than there are seeds; leave that out, or "
                "make a generator of its own: random.Random(seed)"
            )

    def is_same(self, value: object) -> bool:
        """Say whether drawing from `value` is drawing from this generator."""
        return value is self or is_forwarded(value)

    def refused(self, message: str) -> BaseException:
        """Return what to raise where enumeration cannot follow."""
        return cast(TreePath, self._path).refuse(message)

    def note(self, sentence: str) -> None:
        """Keep a sentence for the reader of the law."""
        cast(TreePath, self._path).notes.add(sentence)

    def getstate(self) -> Any:
        """Refuse: there is no state."""
        raise self.refused("it saves or copies the state of the generator, which enumeration cannot follow")

    def setstate(self, state: Any) -> None:  # noqa: ARG002
        """Refuse: there is no state."""
        self.getstate()
