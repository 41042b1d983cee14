"""This project's own: the order it draws, and the deck as hands leave it when they deal the plan."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from fairdeck.dealing.mat import Mat
from fairdeck.dealing.plan import replay
from fairdeck.dealing.planner import Task, draw
from fairdeck.randomness import RandomIntegers, uniform_permutation
from fairdeck.shuffles import Known


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
